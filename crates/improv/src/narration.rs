//! What the DM says in play: patterns for consequences, people, the next task and endings.

pub(super) const OPENING_TURN: &[&str] = &[
    "Everybody looks at the party.",
    "That is all that anybody will say for now.",
    "There is no time to lose.",
    "So it begins.",
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
    "Not this time, {who}. You {act}, and have to give it up.",
    "{who}, you {act}, a moment too late.",
    "You {act}, {who}, and make a mess of it.",
    "{who}, you {act}, and are caught at it.",
];
pub(super) const PRICE: &[&str] = &["What it costs you: {note}.", "The price is this: {note}."];
pub(super) const NOTED_FAILURE: &[&str] = &[
    "What it costs you: {note}.",
    "The price is this: {note}.",
    "What comes of it is that {note}.",
    "And so {note}.",
];
pub(super) const COST: &[&str] = &[
    "That was half an hour, and {missing} is no nearer.",
    "It costs you the good will of everybody who saw it.",
    "{npc} has seen it, and will be harder to talk to now.",
    "Now half the people here know what you are after.",
    "Somebody laughs, and others join in. They will remember it.",
    "You have to say sorry to three people, and it takes a while.",
    "You lose your place, your breath and some time.",
];
pub(super) const HURT: &[&str] = &[
    "It hurts, too: you come away with a bruise.",
    "You scrape your hand open as well.",
    "You bruise a knee as well.",
];
pub(super) const NEUTRAL: &[&str] = &[
    "{who}, you {act}. {npc} takes a moment to answer.",
    "You {act}, {who}, and {npc} turns to you.",
    "{who}, you {act}, and {npc} lets you.",
    "You {act}, {who}. That gets you an answer.",
    "{who}, you {act}, and people make room.",
];
pub(super) const NEUTRAL_PLAIN: &[&str] =
    &["{npc} hears you out, {who}.", "{who}, {npc} thinks about that.", "Nobody contradicts you, {who}."];

pub(super) const CLUES: &[&str] = &[
    "What you find is this: {clue}.",
    "And there it is: {clue}.",
    "You come away with one fact: {clue}.",
    "It shows you what others have missed: {clue}.",
];
pub(super) const GAIN_WHO: &[&str] = &[
    "That points to one person, and now the party knows who took {quarry}: {suspect}.",
    "It can only mean one thing: {suspect} took {quarry}.",
    "So now the party knows: it was {suspect} who took {quarry}.",
];
pub(super) const SUSPECT_SEEN: &[&str] = &[
    "{suspect}, the {suspect_role}, stands not far off and sees it in your faces.",
    "And {suspect}, the {suspect_role}, comes towards you of {her} own accord.",
    "{suspect}, the {suspect_role}, has been watching you, and stops pretending.",
];
pub(super) const GAIN_WHERE: &[&str] = &[
    "{suspect} sees how much you know, and tells you where {brief} is: {hideaway}.",
    "{suspect} no longer denies it, and tells you where to look: {brief} is {hideaway}.",
    "{suspect} looks towards the place, and now the party knows: {brief} is {hideaway}.",
];
pub(super) const WHY: &[&str] = &[
    "And you know why: {suspect} wants {suspect_wants}.",
    "It was not for money. {suspect} wants {suspect_wants}.",
    "There is a reason, too: {suspect} wants {suspect_wants}.",
];
pub(super) const FITS: &[&str] = &["It all fits: {clue}.", "That explains another thing: {clue}."];
pub(super) const GAIN_TRACE: &[&str] = &[
    "So now the party knows both: {suspect} took {quarry}, and it is {hideaway}.",
    "That settles it: {suspect} took {quarry} and has hidden it {hideaway}.",
];
pub(super) const GAIN_GET: &[&str] = &[
    "There it is, {hideaway}: {quarry}. You take it, and now the party has it.",
    "You bring {quarry} {from}, {who}. The party has it now.",
    "{Cap quarry} comes {from}, whole, and it is yours to give back.",
];
pub(super) const GAIN_WIN: &[&str] = &[
    "{suspect} believes you. {Cap she} leads you to where {quarry} lies, {hideaway}, and lets the party have it.",
    "{suspect} gives way. {Cap she} shows you {quarry}, {hideaway}, and gives it up to the party.",
    "{suspect} looks at you for a long time, and then lets the party have {quarry}, straight {from}.",
];
pub(super) const GAIN_PROMISE: &[&str] = &[
    "{wooed} thinks about it, and then promises it to you: to {promise}.",
    "{wooed} says yes. That is a promise, and everybody near has heard it: to {promise}.",
];
pub(super) const GAIN_CONSENT: &[&str] =
    &["{wooed} thinks it over, and agrees with you.", "{wooed} is on your side from now on, and says so."];
pub(super) const GAIN_CARRY: &[&str] = &[
    "{obstacle} has to let you pass. You are at {destination} now, and you have {quarry} with you.",
    "{obstacle} steps aside, and you bring {quarry} through. Nobody can stop you now.",
];
pub(super) const GAIN_HOLD: &[&str] = &[
    "It grows quiet. Everybody is looking at the party, and even {obstacle} has to wait for what comes.",
    "One after another they fall silent, {obstacle} too. Now somebody can be heard.",
];
pub(super) const GAIN_CATCH: &[&str] = &[
    "{suspect} had begun to slip away. Now {she} stands still, and {officer} is coming over.",
    "{suspect} tries to run and gets no further than you. {officer} has seen it.",
];

pub(super) const ASKED: &[&str] = &[
    "I want {npc_want}, and whoever helps me to it has my help.",
    "All I want is {npc_want}.",
    "What I am afraid of is {npc_fear}.",
    "{secret}. I have told nobody.",
    "{secret}. That is all I know.",
    "I do not have {quarry}. Ask yourself who could come near it.",
    "When you have found {quarry}, come to me first.",
    "I have not touched {quarry}. I want {npc_want}, and that does not help me to it.",
    "Find {quarry}, and I ask no questions.",
];
pub(super) const KNOWING: &[&str] = &[
    "So you know who it was. I want {npc_want}, whoever it was.",
    "{secret}. It has to do with this, I suppose.",
    "What I am afraid of is {npc_fear}, and you are not making it better.",
    "If you have found out who it was, why is {brief} not here?",
    "Do what you must. All I want is {npc_want}.",
];
pub(super) const AFTER_FAILURE: &[&str] = &[
    "I saw that. {Cap missing} will not come back that way.",
    "You tried to {failing}. I had hoped for better.",
    "Once more, and I tell everybody.",
    "People will talk about this.",
    "Ask me first, the next time.",
    "I could have told you that.",
    "That was clumsy. There are better ways to {way}.",
    "Is that how you mean to {way}?",
];
pub(super) const CONFESSED: &[&str] = &[
    "Yes, I took it, because I want {npc_want}.",
    "I did not take {brief} to sell it: I want {npc_want}.",
    "You know that it was me. What will you do about it?",
    "What I am afraid of is {npc_fear}.",
    "{secret}. Now you know that as well.",
    "I would give {brief} back if somebody helped me.",
    "If I give {brief} back, do I get {npc_want}?",
];
pub(super) const CONTESTED: &[&str] = &[
    "Give {brief} to me, because I want {npc_want}.",
    "I want {npc_want}, and you are in my way.",
    "{secret}. Now you know why I am standing here.",
    "What I am afraid of is {npc_fear}. So I cannot let you by.",
    "Let me have {brief}, and nobody needs to know that you found it.",
];
pub(super) const LAST_WORDS: &[&str] = &[
    "Then let us end it, here and now.",
    "You have found {quarry}. I did not think that you would.",
    "Everybody is here. Whoever means to do it should do it now.",
    "I want {npc_want}, and you can see to that now.",
];
pub(super) const SPOKEN: &[&str] = &[
    "\"{line}\" says {npc}.",
    "{npc} comes closer. \"{line}\"",
    "{npc} says it quietly: \"{line}\"",
    "{npc} has been listening. \"{line}\"",
    "\"{line}\" {npc} means it.",
    "{npc} takes you aside. \"{line}\"",
    "{npc} looks you in the eye. \"{line}\"",
    "{npc} {body}. \"{line}\"",
];
pub(super) const PRESSURE: &[&str] = &[
    "It is getting late, and there is not much time left to {task}.",
    "More people have come to look on, and some of them are taking sides.",
    "Nobody is working any more. They are all waiting to see what you do.",
    "The shadows are long by now.",
];
pub(super) const SCENES: &[&str] =
    &["{npc} and the party, who have to {task}.", "The party has to {task}; {npc} is watching."];

pub(super) const LAST_DEED: &[&str] = &[
    "{who}, you {deed}, in front of everybody.",
    "So it is you who does it, {who}. You {deed}, and everybody sees it.",
    "You step forward, {who}, and you {deed}.",
];
pub(super) const RETURN_END: &[&str] = &[
    "{receiver} looks at {brief} for a long time, and then at you, and says thank you.",
    "{receiver} lays a hand on {brief}, as if to be sure of it, and nods to you.",
];
pub(super) const SPEECH_END: &[&str] = &[
    "Nobody says a word until it is over. {suspect}, who wanted {suspect_wants}, stands beside you and weeps.",
    "It is so quiet that everybody hears it. {suspect}, who wanted {suspect_wants}, takes your hand.",
];
pub(super) const TRUTH_END: &[&str] = &[
    "It does not take long: {suspect} took {quarry}, because {she} wanted {suspect_wants}. Nobody says a word.",
    "Now everybody knows that {suspect} took {quarry}, and that {she} wanted {suspect_wants}. Nobody shouts.",
];
pub(super) const GIVEN_BACK: &[&str] =
    &["Then {brief} goes back to {receiver}.", "And you put {brief} into the hands of {receiver}."];
pub(super) const PERSON_END: &[&str] =
    &["And {person} {does}. {receiver} sees it with everybody else.", "{person} breathes in, and {does}."];
pub(super) const CUSTODY_END: &[&str] = &[
    "{officer} takes {suspect} by the arm and leads {him} away. {suspect} wanted {suspect_wants}, and does not get it.",
    "{suspect} goes with {officer} and does not look back. What {she} wanted was {suspect_wants}.",
];
pub(super) const AGREED_END: &[&str] = &[
    "One after another they agree, {receiver} last.",
    "Nobody cheers, but nobody says no, not even {receiver}.",
];
pub(super) const UNMET: &[&str] = &[
    "{loser}, who wanted {loser_wants}, goes home without it.",
    "{loser} wanted {loser_wants}, and has to do without.",
];
pub(super) const LATE_CUSTODY: &[&str] = &[
    "Then the time is up. {officer} waits no longer: in front of everybody {officer_she} takes {suspect} by the arm and leads {him} away.",
    "It has taken too long. {officer} goes up to {suspect}, in front of everybody, and puts {him} under arrest.",
];
pub(super) const LATE: &[&str] = &[
    "Then the time is up. {receiver} will not wait any longer and says so, aloud, to everybody.",
    "It has taken too long. {receiver} decides it alone, and nobody is left to speak against it.",
];
pub(super) const LOST: &[&str] = &[
    "After that there is nothing left to try.",
    "For a moment nobody understands that it is over.",
    "It has gone too far to be mended.",
    "Nobody says anything, because everybody can see it.",
];
pub(super) const LOST_FATES: &[&str] = &[
    "{who} looks at the ground.",
    "{who} is the last to turn away.",
    "{who} counts what is left, twice.",
    "{who} says what everybody thinks, and not aloud.",
    "{who} will tell it differently one day.",
];
pub(super) const HELPED: &[&str] = &[
    "I get {other} by the shoulders and up. \"Stay with me.\"",
    "I kneel down beside {other} until {other} can stand again.",
    "Everything else can wait. I see to {other} first.",
];
pub(super) const ENDS: &[&str] = &[
    "And so it ends: {label}.",
    "This is how it ends: {label}.",
    "When all is done, it stands like this: {label}.",
];
pub(super) const COST_NONE: &[&str] =
    &["Nothing went wrong on the way, which nobody will believe.", "It cost nobody anything but time."];
pub(super) const COST_ONE: &[&str] =
    &["One attempt went wrong on the way, and people will tell that one longest."];
pub(super) const COST_MANY: &[&str] = &[
    "{Cap failures} attempts went wrong on the way, and people will remember them.",
    "It took {failures} failed attempts to get this far, and the party has paid for each.",
];
pub(super) const FATES: &[&str] = &[
    "{who} still means to {wish}, and {receiver} promises to help.",
    "{who} still wants to {wish}, but that is for another day.",
    "{receiver} asks {who} what would be a fair reward, and hears it: to {wish}.",
    "{who} has not given up the wish to {wish}.",
    "{who} eats {food} and thinks about how to {wish}.",
];
pub(super) const LAST_IMAGES: &[&str] = &[
    "Somebody begins to sweep up.",
    "Somebody asks whether there is any soup, and there is.",
    "{receiver} brings out bread, cheese and cups for everybody.",
    "It smells of {smell}, as on any other day.",
    "One by one the lamps go out.",
];
