//! What players say: patterns for pitches, bonds, actions and speech.

pub(super) const PITCH_INTRO: &[&str] = &[
    "I am playing {name}, {a class} who used to {past}.",
    "This is {name}: {a class} [by trade|these days], and before that somebody who used to {past}, as I shall tell anybody who sits still.",
    "Put {name} down, {a class}. I used to {past}, [and it shows|until I was asked not to].",
    "{name} is the name, {a class}, [and I answer to {me}|{me} to my friends]. For years I used to {past}.",
    "I should like to be {name}, {a class}, who used to {past} [and was good at it|for less money than you think].",
];
pub(super) const PITCH_INTRO_PLAIN: &[&str] = &[
    "I am playing {name}, who used to {past}.",
    "{name} is the name, [and I answer to {me}|mostly {me}]. For years I used to {past}.",
];
pub(super) const PITCH_WANT: &[&str] = &[
    "What I want is to {want}, and [I have not told many people|I know how that sounds|I am tired of waiting for it].",
    "All I really want is to {want}. [Everything else is weather|It is not much to ask, and nobody has given it to me].",
    "Before I die I mean to {want}, [and I have not planned further|preferably in dry shoes].",
    "If you wake me at night and ask, I want to {want}.",
];
pub(super) const PITCH_FEAR: &[&str] = &[
    "I am afraid of {fear}, [which is nobody's business|for reasons I shall get to|and I hide it badly].",
    "Nothing frightens me, except {fear}.",
    "Swords do not move me much. What moves me is {fear}, and then rather fast.",
    "I would walk a mile [in the rain|out of my way] to avoid {fear}.",
];
pub(super) const PITCH_THING: &[&str] = &[
    "In my left pocket there is always a {keepsake}; [do not ask|ask me later, when I have had a drink].",
    "You will know me by the {keepsake}, [which I am holding whenever I lie|which I never put down].",
    "I own three things, and the only one I would go back into a fire for is a {keepsake}.",
    "I carry a {keepsake}, [wrapped in a clean cloth|and I have stopped explaining it].",
];
pub(super) const PITCH_FLAW: &[&str] = &[
    "The trouble with me is that {flaw}.",
    "[Both my friends|Those who like me] will tell you that {flaw}, and they are being kind.",
    "You should also know that {flaw}; [I have tried to stop|it has cost me two positions and a tooth].",
    "It would all be easier if it were not true that {flaw}.",
];
pub(super) const PITCH_END: &[&str] = &[
    "That is {me}. [Be kind|Do your worst].",
    "I think {me} would come, if only to [see who else does|get out of the rain].",
    "[So there you have me|That is the whole of it], more or less [sober|honestly].",
    "I am not a hero, [but I am generally on time|but I can carry things].",
    "Where there is trouble there is usually soup, so [count me in|I shall be there].",
];
pub(super) const PITCH_AGAIN: &[&str] = &[
    "There is a little more to {me}, if you want it.",
    "Since you ask, it goes back to the years when I used to {past}.",
    "You asked about {me}, so here is the part I left out.",
];

pub(super) const BOND: &[&str] = &[
    "{other} and I met over {trouble} {season}, on opposite sides, and ended the night sharing one blanket and one conviction.",
    "{season}, {other} pulled me out of the river by my collar and has never mentioned it, which is worse.",
    "I owe {other} {debt}, and {other} has been so decent about it that I lie awake.",
    "It was {trouble} that did it: {other} lied to a constable for me, badly, and we were both fined.",
    "{other} taught me the only card trick I know, {season}, and I have been losing with it ever since.",
    "People think {other} and I are old friends. We are old witnesses, to {trouble}.",
    "{season} I broke something that belonged to {other}, and let {other} blame the cat.",
    "I once wrote a letter for {other} that was meant to end a courtship, and it worked on the wrong person.",
    "{other} has slept on my floor, eaten my bread and kept my secret, all in one week, {season}.",
    "We shared a cell after {trouble}; {other} snored, I sang, and neither has forgiven the other.",
    "{other} paid my fare {season} and asked for nothing, so of course I have been suspicious ever since.",
    "I stood godparent to a mule with {other}. It is a long story and begins with {trouble}.",
];
pub(super) const BOND_AFTER: &[&str] = &[
    "I still have {other}'s [hat|good knife|umbrella] and mean to give it back [at a suitable moment|when it is asked for].",
    "If {other} asks me a straight question, I shall answer it, [and that frightens me|which is more than I do for most].",
    "I do not say that I like {other}, but I would [hold a door shut|wade in] for them.",
    "{other} knows that {flaw}, and has learned to [plan around it|stand well back].",
    "Neither of us tells it the same way, and [mine is the true one|both versions have a goat in them].",
    "Since then we nod to each other like people who [know where the body is|have seen each other cry].",
];
pub(super) const BOND_THIRD: &[&str] = &[
    "As for {third}, I know only the [reputation|hat], and I mean to [ask about it|keep on the right side of it].",
    "{third} I met yesterday, and [lent a coin to|already owe a drink].",
    "{third} reminds me of somebody I let down, so I am [too polite|a little short] with them.",
    "I think {third} guessed about the {keepsake} [at once|without my saying a word].",
    "I would not have come for myself, but {third} asked, and {other} was already putting a coat on.",
];
pub(super) const BOND_SCENARIO: &[&str] = &[
    "And I have stood by {thing} myself, long before this, and wished I could {want}.",
    "What brings me here is simple: if this is put right, I may get to {want}.",
    "I have a reason of my own to care: somebody in this business can help me to {want}.",
    "This town owes me nothing, but I once slept a week within sight of {thing}, and nobody moved me on.",
    "I came to {want}, and it turns out that the way there leads straight through all this.",
];
pub(super) const BOND_END: &[&str] = &[
    "So that is where I stand: [next to {other}|near the door], [hands in my pockets|with my boots laced].",
    "That is my half of it, [and I shall hear no other|corrections may be sent in writing].",
    "[There, I have said it|Do not make me say it twice], {me} has said it, and the sky has not fallen.",
    "If that is not a reason to [walk in together|share a lantern], I do not know one.",
    "I would rather not go into the part with the [donkey|bishop].",
];
pub(super) const BOND_ALONE: &[&str] = &[
    "I know nobody here yet, [and nobody knows me|which has its advantages], but I have heard all of you laugh.",
    "I come without friends, but with a {keepsake} and the habit of standing next to whoever is losing.",
];
pub(super) const SHEET_OPEN: &[&str] = &[
    "Here is {me}, all in order, I hope.",
    "I have counted twice, [once with my fingers|the second time sober]: this is {me}.",
    "The whole of {me}, as the rules like it:",
    "Numbers, then. They make {me} look [braver|tidier] than the truth.",
    "I wrote it out [fair|in my best hand]; this is {name}.",
];
pub(super) const SHEET_MENDED: &[&str] = &[
    "I see it now; [my mistake|I never could count]. Here is {me} again, mended.",
    "Corrected, [with apologies to the rules|and no harm done]:",
    "So the rules and I disagreed, and the rules have won. Here is {me} again:",
];
pub(super) const LOCKED: &[&str] = &[
    "{me} is ready, laced and packed, [and a little nervous|with the {keepsake} on top].",
    "Nothing to add; {me} only wants to {want}, and to start before the courage goes.",
];

pub(super) const REACTIONS: &[&str] = &[
    "The look of {thing} does not please me, [and I have seen a few|and mine does not please it].",
    "{npc} is [working too hard at looking calm|not as bored as that], and I [notice|make a note of it].",
    "So {npc} has a stake in this after all; [I thought as much|I had wondered].",
    "[For a moment|Briefly] there is only {npc} to watch, who {body}.",
    "{other} [catches my eye|raises an eyebrow], and I nod, as if there were a plan.",
    "There is something about {thing} that [bothers me|was not there before|I want a closer look at].",
    "The noise goes by me until only {npc} is left in it.",
    "[Well|Right], {thing} is nearer than {npc}, so that comes first.",
    "My stomach says supper; {thing} says [not yet|later].",
    "[Nobody|Not a soul] is watching me, which is the best thing about today.",
    "One of us has to begin, and {other} is looking at me.",
    "So far I have been [careful|polite], and it has got us nowhere.",
    "It smells of {smell} here, and of something that nobody wants to say.",
    "{other} has done enough for one day; this one is mine.",
    "I could go home now. I notice that I do not.",
    "[Good|Fine]. If nobody else will be foolish, I shall.",
    "{Cap a passer} bumps into me, and by the time I have my balance I know what to do.",
    "It is odd how {npc} never looks at {npc2}.",
    "Somebody here is counting on us to be [slow|tired|polite].",
    "There was a moment to leave, and {other} and I have both missed it.",
    "{npc} and I have the same trouble: neither of us can afford to wait.",
    "A day like this should come with [instructions|a handrail].",
    "It would be wise to think first. I have [thought, a little|tried that].",
    "Nobody else seems to have [noticed|looked at] {thing}, so it falls to me.",
    "I have met people like {npc} before, and [the trick is to be dull|they always look at your hands first].",
    "[All right|Very well], if {npc} wants to stand there, {npc} can [be useful|answer a question].",
    "There is [one|barely one] way out, and it goes past {thing}; I have counted twice.",
    "Two things are wrong here, and {npc} is [both of them|at least one of them].",
    "While {other} is being sensible, my eye has gone to {thing}.",
    "My hand has found the {keepsake} again, which means I am [thinking|worried].",
];
pub(super) const PLAIN_REACTIONS: &[&str] = &[
    "My eyes go round before my feet do, [as I was taught|for once].",
    "First I breathe, then I think, [in that order|as a rule].",
];
pub(super) const QUOTE_REACTIONS: &[&str] = &[
    "\"{quote}\": [the taste of it stays in my mouth|it does not sound better on the second hearing].",
    "\"{quote}\"! [People say such things when they are about to be caught|My mother used to say that, just before the trouble began].",
    "It is the \"{quote}\" that [bothers me|sticks].",
    "I cannot get past the \"{quote}\".",
    "\"{quote}\": somebody [rehearsed|polished] that.",
    "People say \"{quote}\" and hope that you stop listening.",
    "\"{quote}\" is a [strange|careful] thing to say, [all things considered|at such a time].",
    "I have heard \"{quote}\" before, and it [cost me a coat|never ended at the full stop].",
];

pub(super) const TALK: &[&str] = &[
    "I sit down beside {npc} without asking and talk about the weather until it stops being about the weather.",
    "I ask {npc} straight out who gains by this, and wait.",
    "I tell {npc} about the worst thing I ever did, so that theirs will look smaller.",
    "I walk {npc} a few steps away from {thing} and ask the question that nobody has asked.",
    "I put myself between {npc} and {other} and speak to both as if they were reasonable.",
    "I thank {npc} for something that they have not done yet.",
    "I ask {a passer} near {thing} what they would do in {npc}'s place, loudly enough for {npc} to hear.",
    "I say the thing that everybody here is stepping around, and keep my eyes on {npc}.",
    "I offer {npc} half of {food} and all of my attention.",
    "I repeat what {npc} said, word for word, and ask whether it sounded better the first time.",
    "I go up to {npc} with empty hands and say that I am frightened too.",
    "I find {a passer} who has been near {thing} all day and let them complain until they come to the point.",
];
pub(super) const SNEAK: &[&str] = &[
    "I drop behind {thing} and go along on my elbows until I can hear {npc} breathe.",
    "I pull my hood up and follow {npc} at the distance of a shy debt collector.",
    "I slip round the back of {thing} while {other} keeps everybody looking the other way.",
    "I let myself be carried along behind {a passer} until I am level with {npc}.",
    "I climb up by {thing} and look at the whole business from above.",
    "I wait in the shadow of {thing} for {npc} to think that I have gone.",
    "I take off my boots and cross behind {npc} in my stockings.",
    "I run a hand along the underside of {thing} as I pass.",
    "I trade hats with {a passer} and walk past {npc} as somebody else.",
    "I keep low and look for the way that {npc} does not want anybody to use.",
    "I ease the nearest latch up with a hairpin and look in behind {thing}.",
    "I stand so still beside {thing} that {a passer} hangs a coat on me.",
];
pub(super) const FORCE: &[&str] = &[
    "I put my shoulder to {thing} and push until something gives.",
    "I plant myself in front of {npc} like a door that has been painted shut.",
    "I pick up {a oddment} and hold it over my head until everybody has stopped talking.",
    "I take hold of {npc}'s sleeve and do not let go of it.",
    "I drag {a oddment} across the way out, so that nobody leaves before I have had an answer.",
    "I lift {thing} at one end and tell {other} to look under it quickly.",
    "I walk straight at {npc} and trust that people get out of the way.",
    "I kick over {a oddment} and roll up my sleeves.",
    "I wade in between the two who are shouting and hold them apart by their collars.",
    "I bang {a oddment} against {thing} three times for silence.",
    "I haul {a passer} out of the press by the belt and set them down beside {thing}.",
    "I stand on {npc}'s shadow and fold my arms.",
];
pub(super) const TRICK: &[&str] = &[
    "I drop a purse full of gravel where {npc} cannot help seeing it.",
    "I tell {npc} that {npc2} has already confessed, and study what that does to their face.",
    "I pretend to find {a trace} on {thing} and watch who goes pale.",
    "I hand {npc} {a oddment} to hold, because nobody can leave with their arms full.",
    "I announce myself as the inspector of {thing} and ask for the papers.",
    "I swap two labels near {thing} and wait for the person who minds.",
    "I lay a false trail of crumbs from {thing} to the far side, and hide where it ends.",
    "I bet {a passer} a coin that {npc} will look at {thing} within a minute.",
    "I faint in front of {npc}, rather well, and keep one eye open.",
    "I send {a passer} to {npc} with a message that means nothing, to see where {npc} runs.",
    "I ask {npc} to settle a bet about something that only the guilty person would know.",
    "I borrow {npc}'s voice and call out an order from behind {thing}.",
];
pub(super) const BARGAIN: &[&str] = &[
    "I lay three coins on {thing} and take one away each time {npc} says nothing.",
    "I offer {npc} my silence for theirs to end.",
    "I ask {npc} what it would cost, and then what it would really cost.",
    "I promise {npc} a place beside us when this is told, and a good line in it.",
    "I offer to carry whatever {npc} cannot afford to be seen with.",
    "I put the {keepsake} into {npc}'s hand as a pledge and ask for an hour.",
    "I tell {npc} that {npc2} has made me a better offer, and turn to go.",
    "I buy {food} from {a passer} at twice the price and ask for the change in gossip.",
    "I propose to {npc} that we both pretend I was never here, for a consideration.",
    "I write a promise on the back of a receipt, sign it, and hold it just out of {npc}'s reach.",
    "I trade {npc} one true thing about me for one true thing about {thing}.",
    "I split my last coin with {a passer} who saw more than they have been paid to see.",
];
pub(super) const MEND: &[&str] = &[
    "I sit {a passer} down on {a oddment} and see to the bleeding thumb before I ask anything.",
    "I pour water for {npc}, because nobody tells the truth with a dry mouth.",
    "I set upright what was knocked over beside {thing}, and learn who hurries to help me.",
    "I take {npc}'s wrist as if to steady it and feel how fast the pulse goes.",
    "I tie up the torn awning by {thing} and listen to what is said below it.",
    "I put my coat round {npc}'s shoulders and say that there is time.",
    "I give the child who is crying near {thing} my whistle and ask what she saw.",
    "I clear a space beside {thing} and make everybody sit down in it.",
    "I look at {npc}'s hands for the sort of marks that work leaves, and the other sort.",
    "I bring {npc} and {npc2} to the same bench and share {food} out between them.",
    "I mend the strap on {a passer}'s basket and ask who came by before me.",
    "I tell {npc} gently that it can still be put back the way it was.",
];
pub(super) const SING: &[&str] = &[
    "I start the old rowing song beside {thing}, slowly, and see who cannot help joining in.",
    "I sing a verse with {npc}'s name in it and leave the last line open.",
    "I climb on {a oddment} and give the crowd a ballad about somebody who gave a thing back.",
    "I hum the tune that {npc} was humming and go on where {npc} stopped.",
    "I make up a rude rhyme about {thing} and let it run ahead of me.",
    "I clap a rhythm on {a oddment} until people move with it, away from {npc}.",
    "I sing the lullaby that everybody's mother knew, very softly, to {npc} alone.",
    "I strike up a dance so that {other} can cross behind the dancers.",
    "I ask {a passer} for the saddest song they know and watch {npc} while they give it.",
    "I drown out the shouting with a hymn, all nine verses, until people laugh.",
    "I turn the whole affair into a chorus and let the crowd ask {npc} the question.",
    "I whistle the signal that bargemen use for trouble, and count who looks up.",
];
pub(super) const STUDY: &[&str] = &[
    "I kneel by {thing} with my nose almost on it and read what happened there.",
    "I compare the dust on {thing} with the dust on {npc}'s cuffs.",
    "I write down who stood where and show {npc} the drawing.",
    "I measure the distance from {thing} to the way out in paces, aloud.",
    "I ask {npc} for the dates, only the dates, and put them in order.",
    "I turn {a oddment} upside down and look for the maker's mark.",
    "I lay out what we know on {a oddment}, one pebble for each fact, and leave a gap.",
    "I check {npc}'s story against the shadow on {thing}.",
    "I smell the air by {thing}: {smell}, and under it something else.",
    "I read the notices pinned up near {thing}, including the ones beneath.",
    "I borrow {other}'s light and look along {thing} from the side, where scratches show.",
    "I ask {a passer} the same question three ways and keep the two answers that agree.",
];
pub(super) const TRY: &[&str] = &[
    "So I {try}, {manner}.",
    "I {try}, {manner}.",
    "Without a word to {other}, I {try}.",
    "There is nothing for it: I {try}, {manner}.",
    "I {try} right under {npc}'s nose.",
    "[While {npc} is busy|Before anybody can tell me not to], I {try}.",
    "[Close|Hard] by {thing}, I {try}, {manner}.",
    "One look at {thing}, one at {npc}: I {try}.",
    "I {try}, the way I learned it {season}.",
    "Nobody has said that I may not, so I {try}.",
    "It is a poor plan, but it is ready: I {try}, {manner}.",
    "My turn, then: I {try}, {manner}.",
    "{other} would tell me to wait. So, before {other} can, I {try}.",
    "One breath, and I {try}, {manner}.",
    "With {a oddment} for cover, I {try}.",
];
pub(super) const CHECK_SUCCESS: &[&str] = &[
    "It goes [better than I deserve|like a key in butter], and I am careful not to look surprised.",
    "And it works; [I could kiss somebody|I nearly spoil it by laughing].",
    "For once my hands do what my head had in mind, and {npc} is none the wiser.",
    "It comes off, every inch of it, and {while} I feel as tall as {thing}.",
    "[Nothing|Not a thing] goes wrong, which is so unusual that I wait a moment for it.",
    "I have it: [clean|neat] as a whistle, with {npc} not three steps off.",
    "It holds. I let go of a breath that I seem to have been holding since {season}.",
    "I get what I came for, and [even {other} looks impressed|leave no more trace than a draught].",
    "That [did it|was the way]. There is a trick to it, and today I [had it|remembered it].",
];
pub(super) const CHECK_FAILURE: &[&str] = &[
    "It goes wrong at the last moment, [as such things do|when I am already proud of it], and {npc} turns round.",
    "It does not work. [I knew it as I began|I have rarely been so visible].",
    "My foot finds {a oddment}, and after that everybody knows where I am.",
    "I am too slow by the width of a hand, and it [shows|costs me].",
    "It falls apart in my hands, [and some of it rolls|loudly], and I stand there with a warm face.",
    "I make a mess of it, {while}, in front of {npc} and {a animal}.",
    "No. It slips away from me, and I catch only {likeness_plain}.",
    "I have misjudged it, and {thing} [tells the whole street|rattles like a tinker's cart].",
    "It very nearly works, which is [the worst way of failing|what I shall tell people].",
];
pub(super) const SPEECH_FRAMES: &[&str] = &[
    "\"{line}\" I [say|tell {npc}], {manner_said}.",
    "I [turn|lean over] to {npc}. \"{line}\"",
    "\"{line}\" It comes out [louder|kinder|sharper] than I meant.",
    "To {npc} I say, \"{line}\"",
    "\"{line}\" And I mean it, [mostly|more or less].",
    "Then, to {npc}: \"{line}\"",
    "\"{line}\" I add, because {flaw}.",
    "I say it [plainly|low|before anybody else can]: \"{line}\"",
    "\"{line}\" Nobody answers, so I let it stand.",
    "\"{line}\" My voice holds, which surprises [me|us both].",
    "And then, since it has to be said: \"{line}\"",
    "\"{line}\" I leave it there, like a [wet hat|dropped glove|bill].",
    "I wait until {npc} looks at me. \"{line}\"",
    "\"{line}\" That is [all I have|the whole of my argument].",
];
pub(super) const MANNER_SAID: &[&str] = &[
    "quietly",
    "as evenly as I can",
    "without taking my eyes away",
    "with my best manners on",
    "and try to smile",
    "over the noise",
    "before I have thought about it",
    "so that only they can hear",
    "and hold my breath",
];
pub(super) const LIKENESS_PLAIN: &[&str] = &[
    "the draught of it",
    "a thread of somebody's coat",
    "my own sleeve",
    "{npc}'s eye",
    "the end of the wrong rope",
    "a smell of {smell}",
];
pub(super) const INWARD: &[&str] = &[
    "If this goes well I may yet {want}.",
    "I think of the {keepsake} in my pocket and [stand a little straighter|of who would laugh at me now].",
    "I would feel better if I could stop thinking of {fear}.",
    "It is [hardly|not] the way to {want}, but it is a way forward.",
    "All I can think of is {fear}, [which does not help|so I think of it quickly and get it over].",
    "It is [too late|no time] to be sensible.",
    "Whatever comes of it, I shall [have been here|have tried].",
    "My mouth is dry, and I keep it shut, so that [nobody|not even {other}] can tell.",
    "If this is a mistake, it is at least a new one.",
    "I want this done before {other} gets hurt on my account.",
    "I do not like how easy that was.",
    "Somebody should have done this [an hour|a year] ago.",
    "I would give a good deal for a chair.",
    "I want to know what {npc} is afraid of, and I think I am close.",
    "Somewhere my old life, in which I used to {past}, looks [very peaceful|like a holiday].",
    "[People who know me|My friends] would say that {flaw}, and here we are.",
    "Nobody pays me enough for this; in fact nobody [pays me|has mentioned money].",
    "My knees are [not in favour|voting against it], but my knees were never consulted about {quarry} either.",
    "I want {quarry} found, and I want not to be the one who is blamed for it.",
    "I have a bad feeling about {npc2}, and [it is not something I ate|my feelings are right about half the time].",
    "My thumb goes round and round the edge of the {keepsake}.",
];
pub(super) const TO_OTHERS: &[&str] = &[
    "I [nod|wave|hiss] to {other} to watch {thing}.",
    "{other} had better be ready to [run|look innocent].",
    "If I am wrong, {other} may [say so all winter|have my share of the soup].",
    "I hope {other} is [watching|counting], because I have stopped.",
    "Behind my back I show {other} [two fingers, which means wait|an open hand: come on].",
    "\"{other},\" I whisper, \"[if this fails, we never met|keep an eye on {npc2}|get ready].\"",
    "I leave the rest of it to {other}, who is [better with people|at least dry].",
];
pub(super) const TALK_LINES: &[&str] = &[
    "You have been carrying this alone all day, and it is heavy.",
    "I am not asking who took it. I am asking who needed it.",
    "[Nobody|Not one of us] here wants you in chains; we want to be home before it rains.",
    "Tell it to me as if I already knew the worst part.",
    "You are a better person than this afternoon makes you look.",
    "Say the name. Only the name, and I shall do the rest.",
    "We can stand here being proud until dark, or you can tell me about {quarry}.",
    "If it were my sister, I should have done the same, and worse.",
];
pub(super) const SNEAK_LINES: &[&str] = &[
    "Do not turn round. Keep talking as though I were the wall.",
    "I have seen where you put your hands when you think nobody looks.",
    "There are two ways out of here, and I am standing in the one you like.",
    "I was never here, and you were never [worried|seen talking to me].",
    "Doors tell me things. Yours has been opened twice.",
    "You walk like somebody who has hidden {quarry} and counts the steps back to it.",
    "Quiet is cheap. Let us both [have some|buy a little].",
    "I followed you for an hour, and I must say you keep [honest|dreadful] company.",
];
pub(super) const FORCE_LINES: &[&str] = &[
    "I can stand here all day; I have had practice with worse weather.",
    "Move it, or I shall move it, and you along with it.",
    "One of us is going to be sensible, and I had hoped it would be you.",
    "I do not hit people. I do lean on them.",
    "That is the last time anybody goes past me without an answer.",
    "Put it down. Slowly. The other hand as well.",
    "You may shout at me; I am told it is like shouting at a barn.",
    "I ask nicely once, and this was it.",
];
pub(super) const TRICK_LINES: &[&str] = &[
    "Did nobody tell you? They have found {quarry} already, behind the bakery.",
    "I am only here about the drains.",
    "What an interesting thing to say, when I had not mentioned a key.",
    "Of course I believe you. I was only wondering whether you do.",
    "Guess which hand, and I shall tell you which of us is lying.",
    "I have it on good authority, namely mine.",
    "You would be astonished what people leave in their pockets.",
    "Heads you tell me, tails I tell everybody.",
];
pub(super) const BARGAIN_LINES: &[&str] = &[
    "Name a price, and then name the real one.",
    "Everybody here wants something. Yours is the cheapest, so let us begin there.",
    "I give you my word, and it has been out of pawn for a month.",
    "Half now, half when {quarry} is where it belongs.",
    "You keep your good name and I keep my mouth shut; that is fair measure.",
    "I never cheat twice in one day, and I was up early.",
    "What would you take to be wrong about this?",
    "A favour from me is worth more than it looks, like most of what I own.",
];
pub(super) const MEND_LINES: &[&str] = &[
    "Sit. Breathe. Then tell me, in whatever order it hurts least.",
    "Nothing is broken yet that cannot be splinted.",
    "You have not eaten, and it makes everything look like an ending.",
    "It will sting, and then it will be over. The truth, I mean.",
    "Whoever did it is more frightened than you are.",
    "I have set worse bones than this quarrel.",
    "Give me your hand. No, the one you are hiding.",
    "There is a way to give {quarry} back without anybody bleeding.",
];
pub(super) const SING_LINES: &[&str] = &[
    "You know the next line. Everybody from this river knows the next line.",
    "I can make you a hero or a chorus, and it depends on the next minute.",
    "If they will not listen to reason, let them listen to a tune.",
    "Every song about this town has a thief in it, and the town always forgives them by the last verse.",
    "I shall leave your name out, if you tell me what rhymes with {quarry}.",
    "Sing it with me or hum it, but do not stand there.",
    "There is not one person here who can resist a chorus.",
    "A sad song is only the truth with its hat off.",
];
pub(super) const STUDY_LINES: &[&str] = &[
    "Dust does not lie; it has no reason to.",
    "That is not when it happened. The dust says later, and dust is seldom bribed.",
    "There were two of them, and one was left-handed.",
    "Forgive me, but the sum is wrong, and somebody has paid for the difference.",
    "It is all written here, if one reads what was crossed out.",
    "I should like to see your [sleeves|boots|ledger], purely from curiosity.",
    "If {quarry} was moved at all, it was moved by somebody who knew its weight.",
    "Three people told me the same lie, so one of them must have invented it.",
];
pub(super) const ANY_LINES: &[&str] = &[
    "If {quarry} turns up before dark, I shall forgive everybody, including you.",
    "I have had worse days, but never [with so many witnesses|on an empty stomach].",
    "Whatever {npc2} told you, I heard it differently.",
    "You looked at {thing} just now. So shall I.",
    "I am asking because {other} is too polite to.",
    "[Help us|Help me], and you will not see me again unless you want to.",
    "I know what it is to want something that much.",
    "Either you trust us or you trust {npc2}, and I know which of us is cheaper.",
    "There is still time to be on the right side of this.",
    "{other} thinks you are lying. I think you are tired.",
    "If I had a coin for every time I heard that, I could {want}.",
    "We are going to find out. It would be nicer to be told.",
];
