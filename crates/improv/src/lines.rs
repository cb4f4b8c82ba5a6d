//! What players say: patterns for pitches, bonds, actions and speech.

pub(super) const PITCH_INTRO: &[&str] = &[
    "I am playing {name}, {a class} who used to {past}.",
    "This is {name}: {a class} [by trade|these days], and before that somebody who used to {past}.",
    "Put {name} down, {a class}. {me} used to {past}, [and it shows|until it got about].",
    "{name}, {a class}. [Answers to {me}|{me} to most people]. Used to {past}.",
    "I should like to be {name}, {a class}, who used to {past} [and was good at it|for less money than you think].",
    "{a class}, by the name of {name}, who used to {past} and does not [miss it|talk about it sober].",
    "My character is {name}. People say of {me}: used to {past}, [now {a class}|and look what came of it].",
];
pub(super) const PITCH_INTRO_PLAIN: &[&str] = &[
    "I am playing {name}, who used to {past}.",
    "{name} is the name, [and I answer to {me}|mostly {me}]. {me} used to {past}.",
];
pub(super) const PITCH_WANT: &[&str] = &[
    "What I want is to {want}.",
    "What I want is to {want}, and [I have not told many people|I know how that sounds|I am tired of waiting for it].",
    "All I really want is to {want}.",
    "Before I die I mean to {want}, [and I have not planned further|preferably in dry shoes].",
    "If you wake me at night and ask, I want to {want}.",
    "I want to {want}. [Do not laugh|You may laugh|That is all].",
    "There is one thing left on my list: to {want}. [The rest is crossed out|It is a short list].",
    "{me} wants to {wish}, and has [saved up for it|asked politely, twice].",
];
pub(super) const PITCH_FEAR: &[&str] = &[
    "I am afraid of {fear}, [which is nobody's business|for a good reason|and I hide it badly].",
    "Nothing frightens me, except {fear}.",
    "Swords do not move me much. {fear}: that moves me.",
    "I would walk a mile [in the rain|out of my way|barefoot] to avoid {fear}.",
    "One thing I cannot stand is {fear}. [Ask my last landlady|I have tried].",
    "I am brave enough, [Sundays and holidays|by daylight], but not about {fear}.",
    "If I [leave early|go pale|talk too fast], it is because of {fear}.",
];
pub(super) const PITCH_THING: &[&str] = &[
    "In my left pocket there is always a {keepsake}; [do not ask|ask me later].",
    "You will know me by the {keepsake}, [which I am holding whenever I lie|which I never put down].",
    "I own three things, and the one that I would go back into a fire for is a {keepsake}.",
    "I carry a {keepsake}, [wrapped in a clean cloth|and I have stopped explaining it].",
    "I came away from [the last job|home|a wager] with a {keepsake} and nothing else.",
    "There is a {keepsake} in my bag, and [it stays there|it is not for sale|I owe somebody for it].",
    "Whoever finds a {keepsake} on the floor, [it is mine|give it to me].",
];
pub(super) const PITCH_FLAW: &[&str] = &[
    "The trouble with me is that {flaw}.",
    "[Both my friends|Those who like me] will tell you that {flaw}, and they are being kind.",
    "You should also know that {flaw}; [I have tried to stop|it has cost me a tooth].",
    "It would all be easier if it were not true that {flaw}.",
    "And {flaw}, [drunk or sober|as the magistrate put it|weekdays included].",
    "I was dismissed from [a bakery|two inns|the militia] because {flaw}.",
    "My sister says that {flaw}. [She is right|She should talk].",
];
pub(super) const PITCH_END: &[&str] = &[
    "That is {me}. [Be kind|Do your worst].",
    "{me} would come, if only to get out of the rain.",
    "So there you have {me}.",
    "I am no hero, [but I am on time|but I can carry things].",
    "Count {me} in.",
    "[Is there soup|Do we get fed|Is it far]?",
    "I bring my own boots.",
];
pub(super) const PITCH_AGAIN: &[&str] = &[
    "There is a little more to {me}, if you want it.",
    "Since you ask, it goes back to the years when I used to {past}.",
    "You asked about {me}, so here is the part I left out.",
];

pub(super) const BOND: &[&str] = &[
    "{other} and I met over {trouble} {season}, on opposite sides, and ended the night sharing one blanket.",
    "{season}, {other} pulled me out of the river by my collar and has never mentioned it, which is worse.",
    "I owe {other} {debt}, and {other} has been so decent about it that I lie awake.",
    "It was {trouble} that did it: {other} lied to a constable for me, badly, and we were both fined.",
    "{other} taught me the only card trick I know, {season}, and I have been losing with it ever since.",
    "People think {other} and I are old friends. What {other} and I are is witnesses, to {trouble}.",
    "{season} I broke something that belonged to {other}, and let {other} blame the cat.",
    "I once wrote a letter for {other} that was meant to end a courtship, and it worked on the wrong person.",
    "{other} has slept on my floor, eaten my bread and kept my secret, all in one week, {season}.",
    "We shared a cell after {trouble}; {other} snored, I sang, and neither has forgiven the other.",
    "{other} paid my fare {season} and asked for nothing, so of course I have been suspicious ever since.",
    "I stood godparent to a mule with {other}. It begins with {trouble}, and {other} tells it better.",
    "{other} once bought back my coat from the pawnshop, {season}, and wore it to {trouble}.",
    "For two years {other} and I worked at neighbouring stalls and undercut each other to the penny.",
    "{season} I was to be best man, and {other} was the other one they had asked.",
    "{other} knows where I was {season}, and I know where {other} was, and it is the same place.",
    "After {trouble} somebody had to tell my mother that I was alive, and {other} walked nine miles to do it.",
    "{other} and I were once sold the same horse, {season}, and have shared the blame ever since.",
    "The only fight that I ever won was after {trouble}, and {other} was standing behind me with a shovel.",
    "{season}, {other} and I were the only two who turned up.",
    "I gave evidence for {other} after {trouble}, and am still asked which part of it was true.",
    "{other} cut my hair once, {season}, and I have worn a hat in company ever since.",
    "{season}, {other} and I found out that we have the same godfather, who denies both of us.",
    "After {trouble}, {other} and I carried a piano home, and at one of the corners we stopped speaking.",
    "{other} once talked me down from a roof, {season}, and then could not get down either.",
];
pub(super) const BOND_AFTER: &[&str] = &[
    "I still have {other}'s [hat|good knife|umbrella|left boot] and mean to give it back.",
    "I do not say that I like {other}, but I would [hold a door shut|wade in|perjure myself] for them.",
    "{other} knows that {flaw}, and has learned to [plan around it|stand well back].",
    "Since then {other} and I nod to each other like people who have [buried something|seen each other cry].",
    "We have never spoken of it, {other} and I.",
    "{other} still sends me {food} every year, [with no note|on the day].",
    "{other} has forgiven me [twice|by letter], and I have kept count.",
    "Ever since, one of us pays and the other says thank you, and it is [always {other} who pays|never quite settled who].",
    "I would know {other}'s step on any stair, and [I listen for it|so would several bailiffs].",
    "If you ask {other}, it rained. It did not.",
    "If you ask {other}, it was my idea. It was not.",
    "Between {other} and me one word will do for it now, and the word is [\"soup\"|\"Tuesday\"].",
];
pub(super) const BOND_SCENARIO: &[&str] = &[
    "If this is put right, I may yet {want}.",
    "Somebody in this business can help me to {want}, [or so {other} says|and I mean to ask].",
    "I came to {want}. [That has to wait|It seems this comes first].",
    "{other} says that it will be worth it. [I am here to {want}|I have heard {other} say that before].",
    "What I want is to {want}, and this is [on the way|the only road there that is open].",
    "For [three|seven] years I have put off trying to {want}, and {other} says that this is the last excuse.",
    "{other} came for the pay. I came to {want}, and [did not say so|would take the pay as well].",
    "Whoever puts this right will be owed something, and I should like to {want}.",
    "I mean to {want}, but not before I have done one thing that [nobody asked me for|{other} cannot laugh at].",
    "{other} thinks that I came along to {want}. I let {other} think so, and [it is even true|it saves talking].",
    "I can {want} when this is over, and [not before|nobody has asked for it sooner].",
    "One good deed, and then I mean to {want}. {other} is to [hold me to it|remind me which comes first].",
    "I thought that I could {want} without getting my feet wet. {other} laughed.",
];
pub(super) const BOND_END: &[&str] = &[
    "So that is where I stand: next to {other}.",
    "That is my half of it.",
    "Ask {other} for the rest.",
    "The part with the [donkey|bishop] I leave out.",
    "There, I have said it.",
    "And now we are both here.",
];
pub(super) const BOND_ALONE: &[&str] = &[
    "I know nobody here yet, [and nobody knows me|which has its advantages], but I have heard all of you laugh.",
    "I come without friends, but with a {keepsake} and the habit of standing next to whoever is losing.",
];
pub(super) const SHEET_OPEN: &[&str] = &[
    "Here is {me}, all in order, I hope.",
    "I have counted twice: this is {me}.",
    "The whole of {me}, by the rules:",
    "I wrote it out [fair|in my best hand]; this is {name}.",
    "This is what there is of {me}. [There is no more|It fits in one bag].",
    "Read it slowly; {me} took me all [morning|night].",
    "[Two blots|One blot], and the rest is {me}:",
    "{name}, with everything that [counts|can be counted]:",
    "Let nobody say that I kept you waiting. {me}:",
];
pub(super) const SHEET_MENDED: &[&str] = &[
    "I see it now; [my mistake|I never could count]. Here is {me} again, mended.",
    "Corrected, [with apologies to the rules|and no harm done]:",
    "So the rules and I disagreed, and the rules have won. Here is {me} again:",
];
pub(super) const LOCKED: &[&str] = &[
    "{me} is ready, laced and packed, [and a little nervous|with the {keepsake} on top].",
    "Nothing to add; {me} only wants to {wish}, and to start before the courage goes.",
];

pub(super) const REACTIONS: &[&str] = &[
    "{other} has done enough for one day.",
    "{other} looks at me, and I nod.",
    "Nobody else moves, so I do.",
    "That leaves it to me.",
    "I have an idea, and no better one.",
    "I look at {npc}, and {npc} looks at {other}.",
    "{npc} will not do it for us.",
    "We have lost time enough.",
    "{other} is about to say something, so I am quicker.",
    "I was never any good at waiting.",
    "I give {other} my hat to hold.",
    "All right, then.",
    "I know that look of {npc}'s.",
    "It is now or not at all.",
    "I have done worse for less.",
    "I wipe my hands on my coat.",
    "{npc} has not taken an eye off {other}, so nobody minds me.",
    "I spit, and am sorry at once.",
    "There was a time when I used to {past}. It comes in useful.",
];
pub(super) const QUOTE_REACTIONS: &[&str] = &[
    "\"{quote}\": I have not forgotten that.",
    "{npc} said it plainly: \"{quote}\".",
    "\"{quote}\". So that is how it stands.",
    "\"{quote}\", indeed.",
];

pub(super) const TALK: &[&str] = &[
    "I sit down beside {npc} and ask about {quarry}",
    "I ask {npc} straight out who gains by this",
    "I tell {npc} about the worst thing I ever did and ask for the like in return",
    "I ask {npc} what happens tomorrow if we fail",
    "I ask {npc} to begin with this morning",
    "I tell {npc} what {other} thinks and ask whether that is so",
    "I ask {npc} about {fear} and see where it leads",
];
pub(super) const SNEAK: &[&str] = &[
    "I follow {npc} for a while and then step out and ask where we are going",
    "I wait where nobody looks until {npc} comes by alone",
    "I go round behind {npc} and listen before I ask anything",
    "I let {other} do the talking and watch {npc}'s hands",
    "I stand where {npc} cannot see me and count who comes and goes",
    "I hang back behind {other} until {npc} forgets about me",
];
pub(super) const FORCE: &[&str] = &[
    "I stand in the way of {npc} and ask about {quarry}",
    "I take {npc} by the sleeve and ask what is going on",
    "I put myself between {npc} and {other} and wait for an answer",
    "I raise my voice so that {npc} has to answer in front of everybody",
    "I plant both feet in front of {npc} and fold my arms",
    "I pick {other} up out of the way and face {npc}",
];
pub(super) const TRICK: &[&str] = &[
    "I tell {npc} that it is all settled and watch what that does",
    "I ask {npc} to settle a bet about {quarry}",
    "I pretend to know everything and ask {npc} to tell it again",
    "I drop a coin in front of {npc} and ask whose it is",
    "I let {npc} win an argument about {food} and then change the subject",
    "I call {npc} by {other}'s name and see who corrects me",
];
pub(super) const BARGAIN: &[&str] = &[
    "I offer {npc} a favour for the truth about {quarry}",
    "I ask {npc} what it would take",
    "I put my last silver down in front of {npc}",
    "I promise {npc} that no names will be named",
    "I offer {npc} {food} and half of what we know",
    "I hold out my {keepsake} to {npc} as a pledge",
];
pub(super) const MEND: &[&str] = &[
    "I put my coat round {npc} and say that there is time",
    "I look at {npc} and ask what hurts",
    "I share {food} with {npc} and wait until the talk comes round to {quarry}",
    "I sit next to {npc} and say nothing until {npc} does",
    "I ask {npc} who there is at home",
];
pub(super) const SING: &[&str] = &[
    "I hum a tune that {npc} knows and ask who sang it last",
    "I make up a verse about {quarry} and watch who does not laugh",
    "I sing for {npc} alone, quietly, and then I ask",
    "I get {npc} to tell me the story of {quarry}",
    "I whistle the one about {food} until {npc} joins in",
    "I ask {npc} what they sing here when somebody goes away",
];
pub(super) const STUDY: &[&str] = &[
    "I ask {npc} for the hours of the day, one by one",
    "I draw the place with one finger and ask {npc} who stood where",
    "I ask {npc} the same question three ways",
    "I write down what {npc} says about {quarry} and read it back",
    "I ask {npc} for dates and let {other} write them down",
    "I compare what {npc} says with what {other} heard",
];
pub(super) const PLAIN: &[&str] = &[
    "I ask whoever will talk to me what they saw today",
    "I go from one to the next and ask the same thing",
    "I keep close to {other} and look round",
];
pub(super) const PURPOSE: &[&str] =
    &["{act}.", "{act}, {manner}.", "{act}, [and {other} lets me|while {other} keeps watch]."];
pub(super) const TRY: &[&str] = &[
    "I {try}, {manner}.",
    "So I {try}, {manner}.",
    "Then I {try}, {manner}.",
    "While {other} [watches|looks the other way|holds my things], I {try}.",
    "With {other} [at my elbow|counting aloud], I {try}, {manner}.",
    "There is no good moment for it, so I {try} now.",
    "I {try}, and {other} goes where I go.",
    "{other} says it cannot be done, so I {try}.",
    "I hand {other} the {keepsake}. Then I {try}, {manner}.",
    "One look at {npc}, and I {try}, {manner}.",
];
pub(super) const PLAIN_TRY: &[&str] = &[
    "So I {try}, {manner}.",
    "I {try}, {manner}.",
    "With {other} [at my elbow|behind me|to keep watch], I {try}, {manner}.",
    "Then I {try}, {manner}.",
    "Nobody else moves, so I {try}.",
    "I take a breath, and I {try}.",
    "I {try}. {other} does not stop me.",
    "Before anybody has a better idea, I {try}.",
    "I nod to {other}, and I {try}, {manner}.",
];
pub(super) const CHECK_SUCCESS: &[&str] = &[
    "It goes better than I deserve.",
    "It works. I try not to look surprised.",
    "My hands do what my head had in mind.",
    "Nothing goes wrong, for once.",
    "I get what I came for.",
    "And there it is, just as I hoped.",
    "It takes hardly any time at all.",
    "I have it, and nobody is hurt.",
    "That was the way to do it.",
    "My mother would have been proud of it.",
    "I have not lost the knack.",
    "There. That was all it took.",
];
pub(super) const CHECK_FAILURE: &[&str] = &[
    "It goes wrong at the last moment.",
    "It does not work. I knew it as I began.",
    "I am too slow by the width of a hand.",
    "I make a mess of it.",
    "No. It slips away from me.",
    "It very nearly works. It does not.",
    "I have misjudged it, and it shows.",
    "I lose my nerve in the middle of it.",
    "Somebody is quicker than I am.",
    "I stop too soon, and that is that.",
    "It would have worked yesterday.",
    "I am left standing there like a post.",
    "I have to let it go.",
];
pub(super) const FINAL: &[&str] = &[
    "Then let it be me. With {other} beside me, I {task}.",
    "{other} nods, and I {task}.",
    "I give {other} a last look, and I {task}.",
    "My hands are shaking, [and {other} sees it|{other}'s too], but I {task}.",
    "{other} holds back whoever is in the way, and I {task}.",
    "I {task}, and {other} stays by me until it is done.",
    "I {task}. I do not [look at {npc}|wait for {npc}].",
    "The {keepsake} is in my fist. I {task}.",
    "I take my hat off, hand it to {other}, and I {task}.",
];
/// The same where the deed is all that the goal says: nobody announces what others will do.
pub(super) const FINAL_STEP: &[&str] = &[
    "Then let it be me. With {other} beside me, I do what is left to do.",
    "I look at {other}, and then I do what is left to do.",
    "My hands are shaking, [and {other} sees it|{other}'s too], but I do what is left to do.",
    "The {keepsake} is in my fist. I do what is left to do.",
    "I take my hat off, hand it to {other}, and do what is left to do.",
    "I do what is left to do, and {other} stays by me.",
];
pub(super) const FINAL_LINES: &[&str] = &[
    "It took all of us to get this far.",
    "Let everybody see it.",
    "I said that I would, and here I am.",
    "There. Now it is done.",
    "{other} should be standing here too.",
    "Ask {other} if you do not believe me.",
    "I would do it again.",
    "We shall answer for it, {other} and I.",
    "That is for {other}.",
    "So. That is that.",
];
pub(super) const FINAL_INWARD: &[&str] = &[
    "It will not help me to {want}, and I am glad of it all the same.",
    "I think of {fear}, and do it all the same.",
    "I have the {keepsake} tight in one hand.",
    "Once I used to {past}; [nobody here would know it|I was worse at that].",
    "There is still the matter of how to {want}.",
    "I look for {other}, and {other} is looking at me.",
    "My knees are not what they were an hour ago.",
];
pub(super) const SPEECH_FRAMES: &[&str] = &[
    "\"{line}\" I tell {npc}.",
    "I turn to {npc}. \"{line}\"",
    "\"{line}\"",
    "\"{line}\" And I mean it.",
    "I do not raise my voice. \"{line}\"",
    "\"{line}\" I say.",
    "\"{line}\" I look at {npc} while I say it.",
    "I say to {npc}: \"{line}\"",
    "\"{line}\" I wait to see what that does.",
    "To {npc} I say: \"{line}\"",
];
pub(super) const TO_OTHERS: &[&str] = &[
    "\"{other},\" I whisper, \"keep an eye on {npc}.\"",
    "{other} is ready to run, and I hope that we need not.",
    "I wave to {other} to stay close.",
    "{other} nods to me from across the way.",
    "\"Wait for me here, {other},\" I say.",
    "I can hear {other} breathing behind me.",
    "\"{other}, did you see that?\" I ask.",
    "{other} has gone quiet. I do not like it.",
    "\"If it goes wrong,\" I tell {other}, \"it was your idea.\"",
    "{other} holds up three fingers. I have no idea what three means.",
    "I make the sign to {other} that we agreed on, and hope that it was that one.",
    "\"Say something, {other},\" I say, \"so that I know where you are.\"",
    "{other} has stopped smiling, which I take for help.",
    "I would feel better if {other} were not counting under the breath.",
    "\"Do not look at me, {other},\" I say. \"Look at what I am doing.\"",
    "{other} opens a mouth to warn me, and thinks better of it.",
    "\"One more,\" I say to {other}. I always say that.",
];
pub(super) const TALK_LINES: &[&str] = &[
    "I am not asking who. I am asking why.",
    "Nobody needs to be locked up.",
    "Tell it as if I knew the worst part.",
    "You look tired. Tell me, and then rest.",
    "What would you do in my place?",
    "You may leave out the names.",
];
pub(super) const SNEAK_LINES: &[&str] = &[
    "Nobody has seen us talking.",
    "I have been watching you for a while.",
    "Keep your voice down.",
    "You came another way than you left.",
    "I was behind you the whole time.",
    "There are two ways out. I know both.",
];
pub(super) const FORCE_LINES: &[&str] = &[
    "I am not moving.",
    "Out of the way, please. I have said please.",
    "I ask nicely once.",
    "I can carry you, if I have to.",
    "Try to get past me.",
    "I have all day, and so have my arms.",
];
pub(super) const TRICK_LINES: &[&str] = &[
    "I only want to hear it from you.",
    "I am only looking round.",
    "That is not what I heard an hour ago.",
    "Would you put money on that?",
    "I had a cousin who said the same.",
    "Then we need not talk about the letter.",
];
pub(super) const BARGAIN_LINES: &[&str] = &[
    "What do you want for it?",
    "We can leave your name out of it.",
    "I pay what I owe. Ask {other}.",
    "One favour against another: that is fair.",
    "Name a price, and I shall laugh.",
    "Half now. The other half when it is done.",
];
pub(super) const MEND_LINES: &[&str] = &[
    "You are more frightened than I am.",
    "Sit down. Tell it in whatever order.",
    "There is a way without anybody bleeding.",
    "Not everything broken is past mending.",
    "When did you last eat?",
    "Breathe first. Then tell me.",
];
pub(super) const SING_LINES: &[&str] = &[
    "There will be a song about it one day.",
    "I can leave your name out of the song.",
    "Let it be a good verse.",
    "I need a rhyme for {npc}.",
    "You were humming it yourself just now.",
    "The last verse is not written yet.",
];
pub(super) const STUDY_LINES: &[&str] = &[
    "Who was here first, and at what hour?",
    "Two of you tell it differently.",
    "I should like to see that again, slowly.",
    "Leave out what people only think.",
    "Say that once more, for the paper.",
    "And before that? And before that?",
];
pub(super) const ANY_LINES: &[&str] = &[
    "Let us get it done, and then we go home.",
    "Will you help us or not?",
    "{other} believes you. I do not know yet.",
    "Help us, and we shall not forget it.",
    "You could have told us an hour ago.",
    "Give us a little time.",
    "Stay here. I may need you.",
    "{other} and I are not leaving.",
    "I have heard worse reasons, {npc}.",
    "You owe {other} an answer.",
    "Ask {other} what I am like when I wait.",
];

/// What another has seen first, where it is of use now.
pub(super) const NOTICED_BY_ANOTHER: &[&str] = &[
    "{seer} saw it first, and has shown me. {noticed}",
    "{seer} has whispered to me where to look. {noticed}",
    "I look where {seer} has just looked. {noticed}",
    "{seer} has nudged me and nodded that way. {noticed}",
];
/// The same where nobody else is to hear it.
pub(super) const NOTICED_QUIETLY: &[&str] = &[
    "I show it to {other} with my eyes. {noticed}",
    "I put a finger to my lips, and let {other} see it too. {noticed}",
    "I wait until {other} looks my way, and nod at it. {noticed}",
];
/// What a character alone has seen, and shows the others.
pub(super) const NOTICED: &[&str] = &[
    "I stop, because of what I see. {noticed}",
    "I say aloud what I see, since nobody else has. {noticed}",
    "\"Look for yourself, {other},\" I say. {noticed}",
    "\"{other},\" I say, \"have you seen it?\" {noticed}",
    "I pull {other} by the sleeve, to look. {noticed}",
    "\"Wait,\" I say, and point. {noticed}",
];
