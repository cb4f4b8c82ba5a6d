//! What the DM says in play: patterns for consequences, people, trouble and endings.

pub(super) const OPENING_TURN: &[&str] = &[
    "That is how it stands, and {sound} [as if to hurry you|somewhere behind you].",
    "Nobody moves for a moment. Then {sound}, and the afternoon starts again.",
    "{npc} looks from one of you to the next, [waiting|adding you up].",
    "The smell of {smell} goes by, and with it everybody's opinion.",
    "You have an audience already: {a passer}, {a animal}, and [more coming|whoever is behind the shutter].",
];

pub(super) const QUESTIONS: &[&str] = &[
    "{next}, what do you do?",
    "{next}, [how do you answer that|what now]?",
    "{next}, you are [nearest|closest to {thing}]: what do you do about it?",
    "{next}, where are you while this happens, and what are you up to?",
    "{next}, {npc} is looking at you: what do they see?",
    "{next}, do you step in, or do you let it run?",
    "{next}, what is your next move?",
    "{next}, people are looking at you now; what do you say?",
    "{next}, you have [a minute|about a minute] before somebody notices: how do you spend it?",
    "{next}, [whom do you trust here|what are you looking at], and what do you do about it?",
    "{next}, [how do you go about it|what is the plan, if there is one]?",
    "{next}, {npc2} has turned away at last: do you use it?",
    "{next}, what do you make of {thing}?",
    "{next}, do you believe a word of it, and what do you do?",
    "{next}, the next [step|move] is yours; what is it?",
    "{next}, [somebody ought to do something: is it you|it has gone quiet: do you break it]?",
    "{next}, how do you get from where you are to {thing}?",
    "{next}, what are you doing with your hands just now?",
];
pub(super) const PLAIN_QUESTIONS: &[&str] = &["What do you do?", "What now?", "Who moves first?"];

pub(super) const SUCCESS: &[&str] = &[
    "{who}, you {act}, and [it simply works|for once the world steps aside|nobody thinks to object].",
    "It works. You {act}, {who}, and by the time {npc} [looks up|has a thought about it] there is nothing left to see.",
    "You {act}, {who}, as neatly as if you had practised [in front of a mirror|all winter|on smaller towns].",
    "When you {act}, {who}, {a passer} steps between you and {npc} at exactly the right moment.",
    "Nobody teaches that, {who}: you {act}, and {thing} might as well have been waiting for you.",
    "{who}, there is a knack to it and you have it. You {act}, [clean through|first time], and {npc} [says nothing|has missed it].",
    "You {act}. {npc} {body}, and that, {who}, is as good as applause.",
    "That comes off, {who}. You {act} while {sound}, and the one covers the other.",
    "{who}, you {act}, and luck, [which owed you something|often late], is on time.",
    "Well done, {who}. [It is not pretty|It looks easy], but you {act} and come away with more than you went in with.",
    "You {act}, {who}, and the whole knot [loosens by one turn|gives a little].",
    "{npc} never sees it: you {act}, {who}, [light as a moth|smooth as tallow], and are back in your place in a breath.",
    "[Somewhere|Across the way] {sound}. In that moment you {act}, {who}, and it is done.",
    "It is [bold|neat|quick], {who}, and it succeeds: you {act}, and only {a animal} could give evidence.",
];
pub(super) const FAILURE: &[&str] = &[
    "{who}, you {act}, and {npc} turns round in the middle of it.",
    "It does not come off, {who}. You {act}, and {a oddment} [chooses that moment|goes over with you].",
    "You {act}, {who}, half a breath too late; {npc} [has seen it|is already looking] and so has {a passer}.",
    "Not this time. You {act}, {who}, and it goes down {likeness}.",
    "You {act}, {who}, and everybody within ten paces [knows it|stops chewing].",
    "{who}, the idea was sound. But you {act} just as {sound}, and every head turns your way.",
    "You mean well, {who}, and you {act} with great conviction, and {thing} [rattles like a tinker's cart|gives you away].",
    "It fails, {who}: you {act} and find {npc} standing precisely where nobody was.",
    "There is a moment, {who}, when you {act} and it might still go right. Then {sound}. It does not.",
    "You {act}. It would have worked yesterday, {who}; today {a passer} is in the way, and says so, loudly.",
    "{who}, you {act}, and your sleeve catches on {a oddment}. [The rest is noise|It takes a while to fall].",
    "No, {who}. You {act}, and all it gets you is {npc}'s whole attention.",
];
pub(super) const NOTED_FAILURE: &[&str] = &[
    "So it goes: {note}.",
    "What follows is quick: {note}.",
    "And then {note}.",
    "The price is paid on the spot: {note}.",
    "You find out what that costs: {note}.",
];
pub(super) const COST: &[&str] = &[
    "It costs you [an apology and the last of your dignity|the good will of {a passer}|some skin and a button].",
    "{Cap a passer} is telling it to somebody already, with gestures.",
    "From now on {obstacle} [is watching your hands|has a reason to ask for your name].",
    "You have lost time, and {quarry} is not getting any nearer.",
    "Somebody laughs. It is not a friendly laugh, and it travels.",
    "[A bruise|A scraped knee], a small crowd, and {npc} with folded arms: that is the bill.",
    "{suspect} has seen you try, and [moves away a little faster|goes quiet].",
    "It is not a disaster, only a debt, and {obstacle} will be along to collect it.",
];
pub(super) const NEUTRAL: &[&str] = &[
    "{who}, you {act}. {npc} {body}, [and does not go away|and waits for more].",
    "You {act}, {who}, and {while} nobody knows what to do about it.",
    "So you {act}, {who}. {Cap a passer} is impressed; {npc} is [not|trying not to be].",
    "When you {act}, {who}, {npc} [looks at you properly for the first time|takes half a step back].",
    "You {act}, {who}, and the talk round about [dips|thins] for a moment, then comes back lower.",
    "{who}, you {act}, and {npc} pretends, [not very well|a little too late], that it means nothing.",
    "As you {act}, {who}, {sound}. {npc} uses it to think.",
    "You {act}. It is a fair beginning, {who}, and {npc} [answers it with a look|knows it].",
    "All right: you {act}, {who}, and {npc} lets you, [which is interesting|for now].",
    "{who}, while you {act}, something in {npc}'s face [gives way|closes] by the width of a hair.",
    "You {act}, {who}. People make room for that kind of thing, [out of respect|and put their cups down].",
    "You {act}, {who}, and at once {a animal} takes an interest, [which helps nobody|and will not be shooed].",
    "That is not what {npc} expected of you, {who}. You {act}, and the answer [is slow in coming|comes late].",
    "{npc} has an answer ready for everything but this, {who}: you {act}.",
    "You {act}, {who}, and find that the smell of {smell} comes from {npc}'s coat.",
    "You {act}. [Half|Most] of those who see it, {who}, will tell it wrong tonight.",
];
pub(super) const NEUTRAL_PLAIN: &[&str] = &[
    "{npc} hears you out, {who}, and {body}.",
    "That hangs in the air {while}, {who}. Then {sound}.",
    "{who}, {npc} [takes it in|weighs it] and gives nothing back yet.",
    "Your words land somewhere between {npc} and {thing}, {who}, and both look uncomfortable.",
];
pub(super) const CLUES: &[&str] = &[
    "And there, plain once you know where to look: {clue}.",
    "One thing does not fit the story that everybody tells: {clue}.",
    "What you bring away from it is small and hard to explain: {clue}.",
    "{witness} [nods towards it|would rather you had not seen it]: {clue}.",
    "It comes to you a moment later, [like a cold draught|with a click]: {clue}.",
    "You could miss it, and most people have: {clue}.",
];
pub(super) const TRAIL_FIRST: &[&str] = &[
    "By {thing} you find {a clue_trace}, [and it has no business there|fresh enough to smudge].",
    "{witness} [lowers a voice that was never loud|comes closer] and mentions {a clue_trace}, seen near {thing} not long ago.",
    "What was {a clue_trace} doing by {thing}? Somebody was here before you, in a hurry.",
];
pub(super) const TRAIL_SECOND: &[&str] = &[
    "The {clue_trace} has a twin, and it is on {suspect}'s sleeve.",
    "{witness} can put a name to it now, and does, [unwillingly|looking elsewhere]: {suspect}.",
    "Three people, asked apart, each remember {suspect} near {thing}, and each is sorry to say so.",
    "It points to {suspect}, [however one turns it|and you had rather it did not].",
];
pub(super) const TRAIL_THIRD: &[&str] = &[
    "So you know who, and now something of the why: {suspect} wants {suspect_want}.",
    "{suspect} did not do it for money. There is [a name|something older] behind it that nobody has said aloud today.",
    "{suspect} does not deny it any longer, [only asks who else knows|and seems almost relieved].",
    "Behind {suspect} there is {obstacle}, who would be glad if all of this were called a theft and nothing more.",
];
pub(super) const TRAIL_FOURTH: &[&str] = &[
    "And now you know where to look: {quarry} is {hidden}.",
    "{suspect} glances, once, towards a place {hidden}, and that glance is as good as a map.",
    "There is only one place left for {quarry} to be, and it is {hidden}.",
];
pub(super) const TRAIL_LAST: &[&str] = &[
    "Everything is in your hands now but the ending; what remains is to choose who pays for it.",
    "{suspect} will go along with you, [if you keep your word|on one condition]; it is {obstacle} who will have to be faced.",
    "You could have {quarry} within the hour. The question has become what you do with it.",
    "{obstacle} sees which way it is going and, for the first time today, asks instead of telling.",
    "{witness} comes over to your side, quite literally, and stands there with folded arms.",
];

pub(super) const GUARDED: &[&str] = &[
    "I have told this twice already, and it does not get longer.",
    "You will want to talk to {npc2}. Everybody does, in the end.",
    "[Ask what you like|Ask away]. I am paid to stand here, not to know things.",
    "I saw what everybody saw, which is nothing, from rather far away.",
    "Is that a question, or are you only [standing in my light|keeping warm]?",
    "If {quarry} had been mine to lose, I should have lost it more carefully.",
    "I like this town. I should like to go on living in it.",
    "Everybody has been asking that today, and you are the first to [say please|look me in the eye].",
    "It is always strangers they send, have you noticed? Strangers are cheaper to be wrong about.",
    "You have kind faces. It has been a bad day for kind faces.",
    "Whoever has {quarry} is not thinking of selling it, I can tell you that much.",
    "There are people who sleep well in this town. Ask them first.",
    "I keep a list of things I have not seen. It is getting long.",
    "Do not look at {npc2} while I am talking. Look at {thing}.",
];
pub(super) const PRESSED: &[&str] = &[
    "All right. But not here, and not while {npc2} can see my mouth move.",
    "You think this is about {quarry}? {Cap quarry} is only what one can carry.",
    "I did a thing that was easy, and everything after it has been hard.",
    "{npc2} offered me a good deal to forget it. I have nearly managed.",
    "If I tell you, you will have to do something about it. Most people prefer not to be told.",
    "I have been waiting [a long time|longer than you think] for somebody to ask me that properly.",
    "They will say it was greed. It is always easier when it was greed.",
    "You are getting warm, and I am getting cold feet.",
    "I am not brave. I only got tired of being the other thing.",
    "Ask {npc2} what happened. Only that. Ask it, and watch the hands.",
    "I can be on your side for about as long as nobody knows it.",
    "I would give {quarry} back this minute if I thought that would be the end of it.",
    "Do you know what it is to hear a lie so often that you start to hum it?",
    "There is a price on being right here, and I cannot afford it. Can you?",
];
pub(super) const OPEN: &[&str] = &[
    "Then let it be said out loud, and let it cost what it costs.",
    "I want one promise from you, and I want {npc2} to hear you make it.",
    "You have been fair to me. I had forgotten what it was like, and it is very inconvenient.",
    "Take {quarry}. But you take the reason along with it, or you get neither.",
    "I am so tired of [being careful|standing on this lie to keep it down].",
    "If {npc2} asks, tell the truth. It will be such a surprise.",
    "It can still end well. It cannot end well for everybody.",
    "Give me a little longer, and I shall stand wherever you want me to.",
    "I thought I should feel like a hero. I feel like somebody who has left a door open.",
    "No more clever talk. Yes or no: will you stand next to me when it comes out?",
    "You could simply walk away. I would not think less of you, and neither would I think much.",
    "{npc2} is afraid too, you know. We are all standing in the same water.",
    "I can hear them getting ready. Whatever you are going to do, do it while I am still angry.",
    "That is the worst of it told. There, and the roof has stayed on.",
];
pub(super) const SPOKEN: &[&str] = &[
    "\"{line}\" says {npc}, and {body}.",
    "{npc} {body}. \"{line}\"",
    "\"{line}\" {npc} says it [to nobody in particular|to the ground|very quietly].",
    "{npc} comes a step nearer. \"{line}\"",
    "\"{line}\" That is {npc}, [not raising a voice|over the noise|before anybody else can speak].",
    "{npc} waits until {a passer} has gone by. \"{line}\"",
    "\"{line}\" {npc} {body}.",
    "\"{line}\" One can hear that {npc} has practised it.",
    "\"{line}\" {npc} turns to go, and does not go.",
    "{npc} takes you by the sleeve, two steps aside. \"{line}\"",
    "\"{line}\" There is no smile in it, though {npc} looks for one.",
    "It is {npc} who answers. \"{line}\"",
    "For a while {npc} says nothing at all, and then: \"{line}\"",
    "{npc}, who has been [listening|pretending not to listen], {body}. \"{line}\"",
];
pub(super) const WISHES: &[&str] = &[
    "It is not hard to see what {npc} wants: {npc_want}.",
    "Under all that {npc} wants {npc_want}, and is [not sure of getting it|tired of waiting].",
    "You begin to understand that {npc} wants {npc_want}.",
    "What {npc} wants is no secret any more: {npc_want}.",
    "One could hang a lantern on what {npc} does not say: {npc} wants {npc_want}.",
    "So {npc} wants {npc_want}; you have heard of worse reasons.",
];
pub(super) const COLOUR: &[&str] = &[
    "Near {thing} {sound}, and {a passer} [says a short word|looks guilty for no reason].",
    "There is a smell of {smell}, and {a animal} has got in among the legs.",
    "{Cap a passer} goes by with {a oddment} and lets you know that you are in the way.",
    "By {thing} somebody is selling {food}, and the queue is a good place for hearing things.",
    "{Cap a passer} has stopped in front of {thing} and stares at it {likeness}.",
    "Two children have made a game of it already: one [plays|is] {npc2}, the other runs.",
    "Behind {thing} {sound}; it may mean nothing, but {npc2} has heard it too.",
    "It is warm out of the wind beside {thing}, and somebody has been standing there a long time, to judge by the crumbs.",
];
pub(super) const COMPLICATIONS: &[&str] = &[
    "Meanwhile {npc2} has begun asking after you, [by description|with two large friends].",
    "Then {sound}, and word goes round that {quarry} has been seen, which is not true and spreads quickly.",
    "{Cap a passer} swears to have seen {other} take it, [for the pleasure of being listened to|and people turn].",
    "{npc2} is arguing with {a passer} beside {thing}, and losing on purpose.",
    "Something about {thing} is not as it was when you last looked, and {a passer} is walking away from it.",
    "{Cap a passer} pushes a scrap of paper into {other}'s hand and is gone: it says to stop.",
    "{Cap a animal} is loose among the people by {thing}, and under cover of that somebody slips away.",
    "{npc2} offers a reward aloud, and now everybody is searching, badly.",
    "The way you came is shut: {a oddment}, {a passer}, and a quarrel about whose fault it is.",
    "Somebody is following {other}, and is either very good at it or very bad.",
    "It turns out that {witness} and {suspect} have not spoken for months, and they are speaking now.",
    "{Cap a passer} wants {debt} from {other}, at once, and is prepared to shout about it.",
];
pub(super) const PRESSURE: &[&str] = &[
    "People by {thing} have started to look up at the sky.",
    "{npc2} has stopped pretending to be patient, and {sound}.",
    "There is less time than there was: people are gathering, and {obstacle} moves among them, counting.",
    "The shadow of {thing} reaches to where {other} stands now.",
    "{obstacle} sends {a passer} off at a run, [and it is not for the midwife|without saying where].",
    "All round {thing} voices have dropped, as they do when a thing is about to happen.",
    "{suspect} looks at the sky, looks at you, and {body}.",
    "It will not keep much longer: {npc2} has begun to talk, and people have begun to listen.",
    "The crowd is closing up, {a passer} beside {a passer}, and the smell of {smell} with it.",
    "Somewhere {sound}. It sounds, this time, like the end of something.",
    "Doors are being barred along the way, politely, one after another.",
    "{Cap a passer} asks {other} whether it is true, and will not say what.",
];
pub(super) const CLOSING_IN: &[&str] = &[
    "You have nearly all of it now: {suspect}, {quarry}, and {obstacle} in between.",
    "{obstacle} stands in the way, and wants {obstacle_want}.",
    "{suspect} is within reach of you and of {obstacle}, and can only go with one.",
    "There is one more thing to be done before {quarry} can be laid down, and everybody here knows it.",
    "{witness} quietly moves {a oddment} out of your way. It is a small thing, and it is a vote.",
    "It has come down to a few people by {thing} and what they are prepared to say aloud.",
    "{suspect} wants {suspect_want}, and there is very little time left to get it in.",
];
pub(super) const SCENES: &[&str] = &[
    "By {thing}, with {npc} and a growing number of listeners.",
    "Near {thing}; {npc} is guarded, {npc2} is watching.",
    "A tight circle round {npc}, and {sound}.",
    "In the press beside {thing}, smelling of {smell}.",
];
pub(super) const LAST_SUCCESS: &[&str] = &[
    "{who}, that is the one that tips it: you {act}, and everything that was leaning falls.",
    "You {act}, {who}, and it is as if somebody had drawn a bolt.",
    "It works, {who}, and it is the last thing that had to work. You {act}, and nobody stands against it any more.",
];
pub(super) const LAST_FAILURE: &[&str] = &[
    "{who}, you {act}, and it fails as loudly as such a thing can. But everybody is looking now, and that does what cleverness could not.",
    "You {act}, {who}, and make a ruin of it; and it is over the ruin that people start, at last, to talk.",
    "It goes wrong, {who}. You {act}, it comes down about your ears, and in the silence afterwards somebody gives way.",
];
pub(super) const LAST_PLAIN: &[&str] = &[
    "You {act}, {who}, and this time nobody looks away.",
    "{who}, you {act}. It is a small thing, and it is enough.",
    "It comes to an end more quietly than it began, {who}, not far from {thing}.",
];
pub(super) const ENDS: &[&str] = &[
    "And so it is settled: {label}.",
    "This is how it ends: {label}.",
    "When the talking is over, it stands like this: {label}.",
    "People will tell it in other ways, but it ends so: {label}.",
];
pub(super) const SUSPECT_END: &[&str] = &[
    "{suspect}, who wanted {suspect_want}, {body}, [and then, of all things, laughs|and looks a good deal lighter].",
    "{suspect} {body}. What it was all for was this: {suspect_want}.",
    "{suspect} looks at {quarry} once more, and then at you, and does not run.",
    "{obstacle} wanted {obstacle_want}, and has to learn to want something else.",
];
pub(super) const COST_NONE: &[&str] = &[
    "It cost nobody so much as a bruise, and that will be [disbelieved|the least believed part of it].",
    "Hardly anything was broken but a silence, and that had been kept too long.",
];
pub(super) const COST_SOME: &[&str] = &[
    "It cost some skin, some pride, and the good opinion of {obstacle}.",
    "It cost more than it should have: {a oddment}, a friendship or two, and an afternoon of being stared at.",
    "The price was one loud mistake, which the town will [remember|act out] at every fair.",
];
pub(super) const COST_MUCH: &[&str] = &[
    "It cost a great deal, in bruises and in trust, and {obstacle} will send the bill for years.",
    "Nothing about it came cheap: too much went wrong in front of too many people, and {party} will be paying for it all winter.",
    "There was hardly a thing that did not go wrong first, and {party} have the marks to show for it.",
];
pub(super) const FATES: &[&str] = &[
    "{who}, who wants to {wish}, is [a step nearer to it|no richer, but nearer].",
    "As for {who}, the wish to {wish} will have to wait a little, [though it has been heard|but not for ever].",
    "{who} came to {wish}, and leaves with [a promise of help in it|more friends to do it with].",
    "{who} says nothing, and still means to {wish}.",
    "{who} is given {food} by {a passer} and told that it is on the house.",
    "{who} is last seen with {a oddment}, explaining it all to {a passer}, who was there.",
    "Somebody asks {who} who thought of it, and {who}, for once, does not say.",
    "{who} finds that people [nod now|move up on the bench], which is how this town says thank you.",
];
pub(super) const LAST_IMAGES: &[&str] = &[
    "Later, when the lamps are out, {a animal} walks across the empty place as if it had arranged the whole thing.",
    "By {thing} somebody has begun to sweep up.",
    "Nobody makes a speech. {Cap a passer} asks whether there is any soup, and there is.",
    "Then {sound}, just as it did at the beginning, and nobody minds.",
    "{witness} brings out a loaf, a cheese and enough cups for everybody, and counts them twice.",
    "The smell of {smell} is still in the air, and it smells, tonight, like an ordinary day.",
];
pub(super) const FEATS: &[&str] = &[
    "Word has gone round that {feat}, and it grows in the telling.",
    "People have not forgotten that {feat}; one can tell by how they make room.",
    "{Cap a passer} has heard that {feat}, and asks whether it was as good as they say.",
    "That {feat} has changed something: {npc2} is more careful now.",
];
pub(super) const LAST_CALLS: &[&str] = &[
    "And then there is no more time. Nothing is settled, and everybody knows it. {next}, what do you do with the last of it?",
    "It is about to be over, with nothing decided and most things said. {next}, what is the last thing that they see you do?",
    "That was all the time there was, and it was not enough. {next}, how do you leave?",
];
