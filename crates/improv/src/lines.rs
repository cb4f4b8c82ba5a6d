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
    "{other} has done enough for one day; this one is mine.",
    "{other} looks at me, and I nod.",
    "Nobody else moves, so I do.",
    "That leaves it to me.",
    "I have an idea, and no better one.",
    "I look at {npc}, and then at what there is to do.",
    "{npc} will not do it for us.",
    "Talking has not brought back {quarry}.",
    "My heart is going like a mill wheel.",
    "We have lost time enough.",
    "I think of {quarry}, and of who is waiting for it.",
    "So far nobody has asked me. Now somebody has.",
];
pub(super) const QUOTE_REACTIONS: &[&str] = &[
    "\"{quote}\": I have not forgotten that.",
    "{npc} said it plainly: \"{quote}\".",
    "\"{quote}\". So that is how it stands.",
];

pub(super) const TALK: &[&str] = &[
    "I sit down beside {npc} and ask about {quarry}",
    "I ask {npc} straight out who gains by this",
    "I tell {npc} about the worst thing I ever did and ask for the like in return",
    "I ask {npc} what is to become of us all if {quarry} stays away",
];
pub(super) const SNEAK: &[&str] = &[
    "I follow {npc} for a while and then step out and ask about {quarry}",
    "I wait in a doorway until {npc} comes by alone",
    "I go round behind {npc} and listen before I ask anything",
    "I look through the window first and then ask {npc} what I saw",
];
pub(super) const FORCE: &[&str] = &[
    "I stand in the way of {npc} and ask about {quarry}",
    "I take {npc} by the sleeve and ask what is going on",
    "I bang on the nearest table and ask {npc} for an answer",
    "I lift {npc} on to a barrel where everybody can hear the answer",
];
pub(super) const TRICK: &[&str] = &[
    "I tell {npc} that {quarry} has been found and watch what that does",
    "I ask {npc} to settle a bet about {quarry}",
    "I pretend to know everything and ask {npc} to tell it again",
    "I drop a coin in front of {npc} and ask whose it is",
];
pub(super) const BARGAIN: &[&str] = &[
    "I offer {npc} a favour for the truth about {quarry}",
    "I ask {npc} what it would take",
    "I put my last silver on the table in front of {npc}",
    "I promise {npc} that no names will be named",
];
pub(super) const MEND: &[&str] = &[
    "I pour some water for {npc} and ask how it came to this",
    "I put my coat round {npc} and say that there is time",
    "I look at {npc} and ask what hurts",
    "I share my bread with {npc} and wait until the talk comes round to {quarry}",
];
pub(super) const SING: &[&str] = &[
    "I hum a tune that {npc} knows and ask who sang it last",
    "I make up a verse about {quarry} and watch who does not laugh",
    "I sing for {npc} alone, quietly, and then I ask",
    "I get {npc} to tell me the story of {quarry}",
];
pub(super) const STUDY: &[&str] = &[
    "I ask {npc} for the hours of the day, one by one",
    "I draw the place in the dust and ask {npc} who stood where",
    "I ask {npc} the same question three ways",
    "I write down what {npc} says about {quarry} and read it back",
];
pub(super) const PLAIN: &[&str] = &[
    "I ask whoever will talk to me about {quarry}",
    "I go from one to the next and ask about {quarry}",
    "I look for somebody who saw {quarry} last",
];
pub(super) const PURPOSE: &[&str] =
    &["{act}.", "{act}, because we have to {task}.", "{act}; somehow we must {task}.", "To {task}, {act}."];
pub(super) const TRY: &[&str] = &[
    "We have to {task}, so I {try}.",
    "If I want to {task}, I know only one way: I {try}.",
    "To {task}, I {try}.",
    "I mean to {task}. I {try}, {manner}.",
    "So I {try}, {manner}.",
    "I {try}, because somebody has to {task}.",
    "Then I {try}, to see whether we can {task}.",
    "There is one way to {task}, and I take it: I {try}.",
];
pub(super) const PLAIN_TRY: &[&str] = &[
    "So I {try}, {manner}.",
    "I {try}, {manner}.",
    "There is nothing for it: I {try}.",
    "Then I {try}, {manner}.",
];
pub(super) const CHECK_SUCCESS: &[&str] = &[
    "It goes better than I deserve.",
    "It works, and I am careful not to look surprised.",
    "For once my hands do what my head had in mind.",
    "Nothing goes wrong, which is so unusual that I wait a moment for it.",
    "I get what I came for.",
    "And there it is, just as I hoped.",
    "It takes hardly any time at all.",
    "I have it, and nobody is hurt.",
    "It comes right on the first try.",
    "That was the way to do it.",
    "My mother would have been proud of it.",
];
pub(super) const CHECK_FAILURE: &[&str] = &[
    "It goes wrong at the last moment.",
    "It does not work. I knew it as I began.",
    "I am too slow by the width of a hand.",
    "I make a mess of it in front of everybody.",
    "No. It slips away from me.",
    "It very nearly works. It does not.",
    "I have misjudged it, and it shows.",
    "I lose my nerve in the middle of it.",
    "Somebody is quicker than I am.",
    "I stop too soon, and that is that.",
    "It would have worked yesterday.",
];
pub(super) const FINAL: &[&str] = &[
    "Then let it be me. I {task}, in front of everybody.",
    "Yes. I {task}, and I do not hurry.",
    "I do it. My hands are shaking, but I {task}.",
    "It was all for this. I {task}.",
];
pub(super) const FINAL_LINES: &[&str] = &[
    "It took all of us to get this far.",
    "Let everybody see it, so that nobody has to wonder.",
    "I said that I would, and here I am.",
    "There. Now it is done.",
    "{other} should be standing here too.",
];
pub(super) const FINAL_INWARD: &[&str] = &[
    "It will not help me to {want}, and I am glad of it all the same.",
    "I think of {fear}, and do it all the same.",
    "In my pocket I hold on to the {keepsake}.",
    "Nobody who knew me when I used to {past} would believe it.",
];
pub(super) const SPEECH_FRAMES: &[&str] = &[
    "\"{line}\" I tell {npc}.",
    "I turn to {npc}. \"{line}\"",
    "To {npc} I say, \"{line}\"",
    "\"{line}\" It comes out louder than I meant.",
    "I say it before anybody else can: \"{line}\"",
    "\"{line}\" And I mean it.",
];
pub(super) const INWARD: &[&str] = &[
    "If this goes well I may yet {want}.",
    "I hold on to the {keepsake} in my pocket.",
    "I try not to think of {fear}.",
    "People who know me would say that {flaw}, and here we are.",
    "Once I used to {past}. That was easier.",
    "I want this done before {other} gets hurt on my account.",
];
pub(super) const TO_OTHERS: &[&str] = &[
    "\"{other},\" I whisper, \"keep an eye on {npc}.\"",
    "{other} is ready to run, and I hope that we need not.",
    "I wave to {other} to stay close.",
    "{other} nods to me from across the way.",
    "\"Wait for me here, {other},\" I say.",
    "I can hear {other} breathing behind me.",
    "\"{other}, did you see that?\" I ask.",
];
pub(super) const TALK_LINES: &[&str] = &[
    "I am not asking who took {quarry}. I am asking why.",
    "Nobody needs to be locked up. We only want {quarry}.",
    "Tell it to me as if I already knew the worst part.",
    "You look tired. Tell me about {quarry}, and you can rest.",
];
pub(super) const SNEAK_LINES: &[&str] = &[
    "Nobody has seen us talking. Tell me what you know about {quarry}.",
    "I have been watching, and I know more than you think.",
    "Keep your voice down. Who was near {quarry}?",
    "You went somewhere today that you have not told us about.",
];
pub(super) const FORCE_LINES: &[&str] = &[
    "I am not moving until I know where {quarry} is.",
    "Out of the way, please. I have said please.",
    "I ask nicely once: where is {quarry}?",
    "I can carry {quarry} and you as well, if I have to.",
];
pub(super) const TRICK_LINES: &[&str] = &[
    "Somebody has told us already. I only want to hear it from you.",
    "I am not after {quarry} at all. I am only looking round.",
    "Would you know {quarry} if you saw it? Describe it to me.",
    "What would you say if {quarry} lay in my bag?",
];
pub(super) const BARGAIN_LINES: &[&str] = &[
    "What do you want for it? There must be something.",
    "You help us to {quarry}, and we leave your name out of it.",
    "I pay what I owe. Ask anybody.",
    "One favour against another: that is fair.",
];
pub(super) const MEND_LINES: &[&str] = &[
    "Whoever took {quarry} is more frightened than you are.",
    "Sit down. Then tell me, in whatever order it hurts least.",
    "There is a way to give {quarry} back without anybody bleeding.",
    "Nothing is broken yet that cannot be mended.",
];
pub(super) const SING_LINES: &[&str] = &[
    "There will be a song about {quarry} tonight. How does it end?",
    "I can leave your name out of the song, if you help us.",
    "They will sing about this. Let it be a good verse.",
    "Every song about a thief ends with somebody giving the thing back.",
];
pub(super) const STUDY_LINES: &[&str] = &[
    "Who saw {quarry} last, and at what hour?",
    "Two of you tell it differently. One of you is wrong.",
    "I should like to see that once more, slowly.",
    "It is quite simple, if we leave out what people only think.",
];
pub(super) const ANY_LINES: &[&str] = &[
    "We want {quarry} back, and then we go home.",
    "Will you help us or not?",
    "{other} believes you. I am not so sure yet.",
    "Help us, and we shall not forget it.",
    "You could have told us an hour ago.",
    "Give us a little time. That is all I ask.",
    "Stay here. I may need somebody who saw it.",
];
