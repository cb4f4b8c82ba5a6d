//! What the DM says in play: patterns for consequences, people, the next task and endings.

pub(super) const OPENING_TURN: &[&str] = &[
    "Everybody looks at the party.",
    "There is no time to lose.",
    "So it begins.",
    "That is how it stands.",
    "And then nobody says anything.",
];

pub(super) const TASKS: &[&str] = &[
    "{next}, somebody has to {task}: how do you go about it?",
    "{next}, the party has to {task}: what do you do?",
    "{next}, the next thing is to {task}: how do you begin?",
    "{next}, you have to {task} now: what do you try?",
    "{next}, it is your turn to {task}: what is your plan?",
    "{next}, how do you mean to {task}?",
    "{next}, what do you do to {task}?",
    "{next}, nobody else is free to {task}: where do you start?",
    "{next}, somebody must {task}: what is your move?",
];
pub(super) const LAST_TASKS: &[&str] = &[
    "{next}, all that is left is to {task}: do you do it?",
    "{next}, one thing is left, which is to {task}: will you?",
    "{next}, nothing is left but to {task}: is it you who does it?",
];
pub(super) const PLAIN_QUESTIONS: &[&str] = &["What do you do?", "What now?", "Who moves first?"];

pub(super) const SUCCESS: &[&str] = &[
    "{who}, you {act}, and it works.",
    "You {act}, {who}. It works.",
    "It works, {who}: you {act}.",
    "{who}, you {act}, and nobody stops you.",
    "You {act}, {who}, at the first try.",
    "{who}, you {act}, and it pays.",
    "You take your time, {who}, and you {act}.",
    "{who}, you {act}, quickly and well.",
    "You {act}, {who}, better than you had hoped.",
];
pub(super) const FAILURE: &[&str] = &[
    "{who}, you {act}, and it fails.",
    "You {act}, {who}. It does not come right.",
    "It goes wrong, {who}: you {act}, and everybody sees it.",
    "You {act}, {who}, and it comes to nothing.",
    "Not this time, {who}: you {act}, and have to give it up.",
    "{who}, you {act}, a moment too late.",
    "You {act}, {who}, and make a mess of it.",
    "{who}, you {act}, and are caught at it.",
    "You {act}, {who}, twice, and no better the second time.",
];
pub(super) const PRICE: &[&str] = &["What it costs you: {note}.", "The price is this: {note}."];
pub(super) const NOTED_FAILURE: &[&str] =
    &["{Cap note}.", "{Cap note}, {who}.", "So {note}.", "All that {who} gets for it: {note}."];
pub(super) const COST: &[&str] = &[
    "Half an hour is gone, {who}, and {missing} is no nearer.",
    "{npc} saw it, {who}.",
    "{npc} moves a step away from you, {who}.",
    "Somebody laughs. {npc} does not.",
    "You have to say sorry to three people.",
    "You lose your place and your breath.",
    "{who}, that was heard three doors down.",
    "{npc} picks up what you dropped, {who}, and hands it back without a word.",
    "Two people ask {npc} who {who} is.",
    "{npc} shakes a head at {who}.",
    "It costs you a button, {who}.",
    "You stand there, {who}, and {npc} is kind enough to look away.",
    "An old man tells you how he would have done it, {who}, from the beginning.",
    "You have your hands full of nothing, {who}.",
];
pub(super) const HURT: &[&str] = &[
    "You come away with a bruise, {who}.",
    "You scrape your hand open as well.",
    "You bruise a knee as well.",
];
pub(super) const NEUTRAL: &[&str] = &[
    "{who}, you {act}. {npc} takes a moment.",
    "You {act}, {who}, and {npc} turns to you.",
    "{who}, you {act}, and {npc} lets you.",
    "You {act}, {who}.",
    "{who}, you {act}, and {npc} makes room.",
];
pub(super) const NEUTRAL_PLAIN: &[&str] =
    &["{npc} hears you out, {who}.", "{who}, {npc} thinks about that.", "Nobody contradicts you, {who}."];

pub(super) const CLUES: &[&str] = &[
    "{Cap clue}.",
    "{who} sees it first: {clue}.",
    "And there it is, {who}: {clue}.",
    "You come away with one fact, {who}: {clue}.",
    "Everybody has walked past it until {who} came: {clue}.",
];
pub(super) const GAIN_WHO: &[&str] = &[
    "{who} needs no more than that: it was {suspect} who took {quarry}.",
    "{suspect} took {quarry}, {who}. It cannot be anybody else.",
    "So it was {suspect}, {who}. {suspect} took {quarry}.",
    "You say it under your breath, {who}: {suspect} took {quarry}.",
    "There is only one name that fits, {who}: {suspect} took {quarry}.",
];
pub(super) const SUSPECT_SEEN: &[&str] = &[
    "{suspect}, the {suspect_role}, sees {who} look up, and knows.",
    "{suspect} is there already, {who}, of {her} own accord.",
    "{suspect} has been watching {who}, and stops pretending.",
    "{suspect} stands three steps behind you, {who}.",
    "And here comes {suspect}, {who}, the {suspect_role}, not hurrying.",
    "{who} turns round, and there is {suspect}, the {suspect_role}, with nothing to say yet.",
    "You look for {suspect}, {who}, and {suspect} is looking at you.",
];
pub(super) const GAIN_WHERE: &[&str] = &[
    "{suspect} sees how much {who} knows, and tells where {brief} is: {hideaway}.",
    "{suspect} no longer denies it, {who}: {brief} is {hideaway}.",
    "{suspect} looks once too often towards the place, and {who} has it: {brief} is {hideaway}.",
    "\"{Cap hideaway},\" says {suspect} at last, and now {who} knows where {brief} is.",
    "You ask once more, {who}, and {suspect} answers: {brief} is {hideaway}.",
];
pub(super) const WHY: &[&str] = &[
    "{suspect} wants {suspect_wants}, {who}.",
    "It was not for money, {who}: {suspect} wants {suspect_wants}.",
    "{who} hears the reason, too: {suspect} wants {suspect_wants}.",
    "{suspect} wants {suspect_wants}, and says so to {who}.",
    "Then {who} asks why, and hears that {suspect} wants {suspect_wants}.",
];
pub(super) const FITS: &[&str] = &[
    "It fits, {who}: {clue}.",
    "So that is why, {who}: {clue}.",
    "{who} puts two and two together: {clue}.",
];
pub(super) const GAIN_TRACE: &[&str] = &[
    "So now {who} knows both: {suspect} took {quarry}, and it is {hideaway}.",
    "That settles it, {who}: {suspect} took {quarry} and has hidden it {hideaway}.",
    "{suspect} took {quarry}, {who}, and you can see from here where it is: {hideaway}.",
    "It is {hideaway}, {who}, and {suspect} took it there.",
];
pub(super) const GAIN_GET: &[&str] = &[
    "There it is, {who}, {hideaway}: {quarry}. Now the party has it.",
    "You bring {quarry} {from}, {who}. The party has it now.",
    "{Cap brief} comes {from} into the hands of {who}, whole. The party has it.",
    "{who} has {brief} at last, {from}, and does not let go of it.",
];
pub(super) const GAIN_WIN: &[&str] = &[
    "{suspect} believes {who}. {Cap she} leads you to where {brief} lies, {hideaway}, and lets the party have it.",
    "{suspect} gives way to {who}, shows you {brief}, {hideaway}, and gives it up to the party.",
    "{suspect} looks at {who} for a long time, and then lets the party have {brief}, straight {from}.",
    "\"Take it, then,\" says {suspect} to {who}, and the party has {brief}.",
];
pub(super) const GAIN_PROMISE: &[&str] = &[
    "{wooed} thinks about it, and then promises {who} to {promise}.",
    "{wooed} says yes to {who}, and means it: to {promise}.",
    "\"I will,\" says {wooed} to {who}, and what {wooed} promises is to {promise}.",
    "{wooed} shakes hands on it with {who}: to {promise}.",
];
pub(super) const GAIN_CONSENT: &[&str] = &[
    "{wooed} thinks it over, {who}, and agrees.",
    "{wooed} is on your side now, {who}, and says so.",
    "{wooed} looks at {who} once more, and nods.",
    "\"Very well,\" says {wooed}, and {who} has one more on the party's side.",
];
pub(super) const GAIN_CARRY: &[&str] = &[
    "{obstacle} lets {who} pass. You are at {destination}, with {brief}.",
    "{obstacle} steps aside for {who}, and you bring {brief} through.",
    "{who} is past {obstacle} before there are any words, and {brief} with you.",
    "{obstacle} reaches for {brief}, and {who} has already gone by.",
];
pub(super) const GAIN_HOLD: &[&str] = &[
    "It grows quiet round {who}. Even {obstacle} has to wait.",
    "One after another they fall silent, and {obstacle} last. They look at {who}.",
    "Now {who} can be heard, and {obstacle} has to listen with the rest.",
    "{obstacle} is still talking when nobody listens any more. They look at {who}.",
    "They turn to {who}, all of them, {obstacle} too.",
];
pub(super) const GAIN_CATCH: &[&str] = &[
    "{suspect} had begun to slip away. {who} is in the way, and {officer} is coming over.",
    "{suspect} tries to run and gets no further than {who}. {officer} has seen it.",
    "{suspect} stops, because {who} is standing there, and {officer} behind.",
];

pub(super) const ASKED: &[&str] = &[
    "I want {npc_want}, {who}. Help me to it, and I help you.",
    "All I want is {npc_want}, {who}.",
    "I am not asking for much, {who}: {npc_want}.",
    "You ask me, {who}? I think of {npc_fear}.",
    "{who}, I cannot sleep for {npc_fear}.",
    "{secret}. I have told nobody, {who}.",
    "Listen, {who}. {secret}.",
    "{secret}, {who}, and that is all I know.",
    "I have not got {quarry}, {who}.",
    "If you find {quarry}, {who}, come to me first.",
    "Find {quarry}, and I ask no questions.",
    "Ask somebody who was there, {who}.",
    "You are the third to ask me, {who}.",
];
pub(super) const KNOWING: &[&str] = &[
    "So you know who it was, {who}. I want {npc_want}, whoever it was.",
    "{secret}. It has to do with this, {who}.",
    "I think of {npc_fear}, {who}, and you do not make it better.",
    "If you know who it was, {who}, why is {brief} not here?",
    "Do what you must, {who}. All I want is {npc_want}.",
    "I would not be in your shoes, {who}.",
    "And what will you do with it, {who}?",
    "Then I was wrong about somebody.",
];
pub(super) const AFTER_FAILURE: &[&str] = &[
    "I saw that, {who}. {Cap missing} will not come back that way.",
    "You tried to {failing}. I had hoped for better.",
    "Once more, {who}, and I tell everybody.",
    "People will talk about this, {who}.",
    "Ask me first, the next time.",
    "I could have told you that, {who}.",
    "That was clumsy, {who}.",
    "Is that how you mean to {way}, {who}?",
    "Have you done that before, {who}?",
    "Let somebody else have a go, {who}.",
    "My aunt has a steadier hand, {who}.",
    "I shall pretend that I did not see it.",
];
pub(super) const CONFESSED: &[&str] = &[
    "Yes, {who}, I took it, because I want {npc_want}.",
    "I did not take it to sell it, {who}: I want {npc_want}.",
    "You know that it was me. What now, {who}?",
    "You think this is hard, {who}? I think of {npc_fear}.",
    "{secret}, {who}. Now you know that as well.",
    "I would give {brief} back, {who}, if somebody helped me.",
    "If I give {brief} back, {who}, do I get {npc_want}?",
    "I am not sorry, {who}. I am only tired.",
    "Who else knows, {who}?",
];
pub(super) const CONTESTED: &[&str] = &[
    "Give {brief} to me, {who}, because I want {npc_want}.",
    "I want {npc_want}, {who}, and you are in my way.",
    "{secret}. Now you know, {who}, why I am standing here.",
    "There is {npc_fear}, {who}. So I cannot let you by.",
    "Let me have {brief}, {who}, and I never saw you.",
    "Not so fast, {who}.",
    "I ask you to think again, {who}.",
];
pub(super) const LAST_WORDS: &[&str] = &[
    "Then let us end it, {who}, here and now.",
    "I did not think that you would get so far.",
    "Everybody is here. Do it now.",
    "I want {npc_want}, {who}, and you can see to that now.",
    "Well, {who}? We are waiting.",
    "I shall not stop you, {who}.",
    "Go on, before {who} thinks better of it.",
];
pub(super) const SPOKEN: &[&str] = &[
    "\"{line}\" says {npc}.",
    "{npc} comes closer. \"{line}\"",
    "{npc} says it quietly: \"{line}\"",
    "{npc} has been listening. \"{line}\"",
    "{npc} takes {who} aside. \"{line}\"",
    "{npc} looks {who} in the eye. \"{line}\"",
    "{npc} {body}. \"{line}\"",
    "{npc} {body}. \"{line}\"",
    "\"{line}\" {npc} {body}.",
    "{npc} waits until {who} is done. \"{line}\"",
];
pub(super) const PRESSURE: &[&str] = &[
    "It is getting late.",
    "More people have come to look on.",
    "Nobody is working any more.",
    "{npc} looks up to see how late it is.",
    "Some are taking {npc}'s side by now.",
    "There is not much time left, {who}.",
];
pub(super) const SCENES: &[&str] =
    &["{npc} and the party, who have to {task}.", "The party has to {task}; {npc} is watching."];

pub(super) const LAST_DEED: &[&str] = &[
    "{who}, you {deed}.",
    "So it is {who}: you {deed}, and nobody stops you.",
    "You step forward, {who}, and you {deed}.",
    "You {deed}, {who}, with everybody looking on.",
    "Then {who} does not wait any longer: you {deed}.",
];
pub(super) const RETURN_END: &[&str] = &[
    "{receiver} looks at {brief} for a long time, and then at {who}, and says thank you.",
    "{receiver} lays a hand on {brief}, as if to be sure of it, and nods to {who}.",
    "{receiver} asks {who} no questions, and gets no answers.",
    "{receiver} counts the scratches on {brief}, and thanks {who} all the same.",
];
pub(super) const SPEECH_END: &[&str] = &[
    "{suspect}, who wanted {suspect_wants}, stands beside {who} and weeps.",
    "{suspect}, who wanted {suspect_wants}, takes {who}'s hand.",
    "It is so quiet that they hear {who} breathe. {suspect}, who wanted {suspect_wants}, sits down.",
    "Nobody says a word until {who} is done. {suspect} wanted {suspect_wants}, and has it now.",
];
pub(super) const TRUTH_END: &[&str] = &[
    "{who} needs two sentences: {suspect} took {quarry}, because {she} wanted {suspect_wants}.",
    "Now everybody knows it from {who}: {suspect} took {quarry}, and wanted {suspect_wants}. Nobody shouts.",
    "It does not take {who} long: {suspect} took {quarry}, and why {she} did it is told as well.",
];
pub(super) const GIVEN_BACK: &[&str] = &[
    "Then {brief} goes back to {receiver}.",
    "{who} puts {brief} into the hands of {receiver}.",
    "{receiver} gets {brief} back from {who}.",
];
pub(super) const PERSON_END: &[&str] = &[
    "{person} looks at {who}, and {does}.",
    "{person} waits for {who} to nod, and {does}.",
    "{person} breathes in, with {who} close by, and {does}. {receiver} sees it.",
    "With {who} at hand, {person} {does}.",
    "{person} {does}, because {who} asked.",
];
pub(super) const CUSTODY_END: &[&str] = &[
    "{officer} takes {suspect} by the arm and leads {him} away from {who}. What {she} wanted was {suspect_wants}.",
    "{suspect} goes with {officer} and does not look back at {who}.",
    "{suspect} wanted {suspect_wants}, {who}. {officer} leads {him} away.",
    "{officer} thanks {who} and leads {suspect} away, not roughly.",
];
pub(super) const AGREED_END: &[&str] = &[
    "One after another they agree with {who}, {receiver} last.",
    "Nobody cheers, but nobody says no to {who}, not even {receiver}.",
    "{receiver} asks {who} to say it once more, and then nods.",
];
pub(super) const UNMET: &[&str] = &[
    "{loser}, who wanted {loser_wants}, goes past {who} without a word.",
    "{loser} wanted {loser_wants}. {who} can see it from here.",
    "{loser} goes home without a word to {who}.",
    "{loser} asks {who} whether that was all.",
    "{loser} stays a little longer than the others.",
    "{who} looks for {loser}, and {loser} has gone.",
    "{loser} says to {who} that it is not over.",
    "{loser} gives {who} a stiff little nod.",
];
pub(super) const LATE_CUSTODY: &[&str] = &[
    "Then the time is up. {officer} waits no longer for {who}, takes {suspect} by the arm and leads {him} away.",
    "It has taken too long. {officer} goes past {who} to {suspect}, and puts {him} under arrest.",
];
pub(super) const LATE: &[&str] = &[
    "Then the time is up. {receiver} will not wait any longer for {who}, and says so.",
    "It has taken too long. {receiver} decides it without {who}.",
];
pub(super) const LOST: &[&str] = &[
    "After that nothing is left to try.",
    "Nobody understands yet that it is over.",
    "It has gone too far to be mended.",
    "Everybody can see it.",
    "{npc} is the first to say it.",
    "Nobody blames {who} aloud.",
];
pub(super) const LOST_FATES: &[&str] = &[
    "{who} looks at the ground.",
    "{who} is the last to turn away.",
    "{who} counts what is left, twice.",
    "{who} says what everybody thinks, and not aloud.",
    "{who} will tell it differently one day.",
    "{who} finds the way to the nearest drink.",
    "{who} goes back for a dropped glove.",
    "{who} starts a sentence and lets it be.",
];
pub(super) const HELPED: &[&str] = &[
    "I get {other} by the shoulders and up. \"Stay with me.\"",
    "I kneel down beside {other} until {other} can stand again.",
    "Everything else can wait. I see to {other} first.",
];
pub(super) const ENDS: &[&str] =
    &["And so it ends: {label}.", "{Cap label}.", "{Cap label}.", "{Cap label}."];
pub(super) const COST_NONE: &[&str] = &[
    "Nothing went wrong on the way.",
    "It cost nobody anything but time.",
    "Nobody will believe how easy it was.",
];
pub(super) const COST_ONE: &[&str] = &[
    "One attempt went wrong on the way.",
    "They will tell the one failure longest.",
    "It took one failed attempt.",
];
pub(super) const COST_MANY: &[&str] = &[
    "{Cap failures} attempts went wrong on the way.",
    "It took {failures} failed attempts.",
    "It cost {failures} failed attempts.",
];
pub(super) const FATES: &[&str] = &[
    "{who} still means to {wish}, and {receiver} promises to help.",
    "{who} still wants to {wish}, but that is for another day.",
    "{receiver} asks {who} what would be a fair reward, and hears it: to {wish}.",
    "{who} has not given up the wish to {wish}.",
    "{who} eats {food} and thinks about how to {wish}.",
    "{who} is asked to stay for {food}, and stays.",
    "{who} tells {receiver} about wanting to {wish}, and {receiver} listens.",
    "{who} sits down on the nearest step and takes both boots off.",
    "{who} walks a little way off, [to be alone|to breathe|and comes back].",
];
pub(super) const LAST_IMAGES: &[&str] = &[
    "Somebody begins to sweep up.",
    "{who} asks for soup, and there is some.",
    "{receiver} finds a cup for {who}.",
    "It smells of {smell}, as on any other day.",
    "One by one the lamps go out.",
    "A dog has got hold of {food}.",
    "{receiver} is already asking what it cost.",
    "{who} finds {food} in a pocket, and shares it.",
    "Somewhere a door is bolted for the night.",
    "{who} whistles, and stops.",
    "There is a smell of {smell}, and {who} is hungry.",
    "A child asks {who} whether it was real.",
];
