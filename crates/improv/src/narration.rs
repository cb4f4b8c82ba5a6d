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
    "Now it is you, {next}, who must {task}: what do you do first?",
    "{next}, somebody must {task}: what is your move?",
];
/// Where the scene has told what there is to do.
pub(super) const OPEN_TASKS: &[&str] = &[
    "What do you do, {next}?",
    "{next}?",
    "{next}, what do you do?",
    "{next}, what now?",
    "{next}, what is it to be?",
    "{next}?",
    "What does {next} do?",
    "And you, {next}?",
];
/// Where the party comes back to what it has seen before.
pub(super) const BACK: &[&str] = &[
    "It takes a while to come back to it.",
    "That leads you back to what you left lying.",
    "So you are where you have been before.",
    "You come back to it by another way.",
    "There is still the other thing.",
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
    "{who}, you {act}, and it pays.",
    "You take your time, {who}, and you {act}.",
    "{who}, you {act}, quickly and well.",
    "You {act}, {who}, better than you had hoped.",
    "{who}, you {act}, and for a moment nobody breathes. Then it is done.",
    "You {act}, {who}, and {npc} has to admit that it was well done.",
    "{who}, you {act}, and make it look easy.",
    "You {act}, {who}. It takes longer than it should, and it holds.",
    "{who}, you {act}, and those who stood in the way step aside.",
    "There is a moment when it could go either way, {who}. Then you {act}, and it is won.",
];
/// Where the player has said what was done.
pub(super) const SUCCESS_SAID: &[&str] = &[
    "It works, {who}.",
    "{who}, it pays.",
    "It takes longer than it should, {who}, and it holds.",
    "Nobody stops you, {who}.",
    "{who} makes it look easy.",
    "For a moment nobody breathes, {who}. Then it is done.",
    "It could go either way, {who}. It goes yours.",
    "It goes better than you had hoped, {who}.",
    "Those who stood in the way step aside, {who}.",
    "{npc} has to admit, {who}, that it was well done.",
];
pub(super) const FAILURE_SAID: &[&str] = &[
    "It fails, {who}.",
    "It does not come right, {who}.",
    "It comes to nothing, {who}.",
    "Not this time, {who}.",
    "It is so close, {who}, that it hurts.",
    "Something gives way, {who}, that should not have.",
    "{who} is a moment too late.",
    "It is plain to everybody, {who}, that it will not do.",
    "You have to give it up halfway, {who}.",
    "{npc} asks what you are doing, {who}, and you have no answer.",
];
pub(super) const FAILURE: &[&str] = &[
    "{who}, you {act}, and it fails.",
    "You {act}, {who}. It does not come right.",
    "It goes wrong, {who}: you {act}, and everybody sees it.",
    "You {act}, {who}, and it comes to nothing.",
    "Not this time, {who}: you {act}, and have to give it up.",
    "{who}, you {act}, and are so close that it hurts.",
    "You {act}, {who}, until {npc} asks what you are doing.",
    "{who}, you {act}, and something gives way that should not have.",
    "You {act}, {who}, and lose your nerve halfway.",
    "{who}, you {act}, and it is plain to everybody that it will not do.",
    "{who}, you {act}, a moment too late.",
    "You {act}, {who}, and make a mess of it.",
    "{who}, you {act}, and are caught at it.",
];
/// For a check whose note of a failure stands in the history already.
/// Of whoever failed at it before.
pub(super) const FAILURE_AGAIN: &[&str] = &[
    "It fails again, {who}.",
    "No better this time, {who}.",
    "It goes no better than before, {who}.",
    "It was another way, {who}, and it is no use either.",
    "{who}, it goes as far as the last time, and there it stops.",
    "It is worse than before, {who}, by a little.",
    "Once more it comes to nothing, {who}.",
];
/// Of whoever tries for the first time what another failed at.
pub(super) const FAILURE_TOO: &[&str] = &[
    "Nor like that, {who}.",
    "That way it will not be done, {who}.",
    "Whatever it wants, {who}, it is not this.",
    "It would have been a good idea an hour ago, {who}.",
    "You fare no better, {who}.",
    "You are not the first, {who}, to come away from it with nothing.",
    "It was well meant, {who}, and no more than that.",
    "It was a good way of going about it, {who}, and it is not enough.",
];
/// One sentence for all of it: what the material says came of the failure.
pub(super) const NOTED_FAILURE: &[&str] = &["{Cap note}."];
pub(super) const GAIN: &[&str] = &[
    "That is one thing less to do, {who}.",
    "It brings you a good step further, {who}.",
    "{npc} has seen it, {who}, and thinks better of you.",
    "The others look at {who} with new respect.",
];
pub(super) const NOTED_SUCCESS: &[&str] = &["{Cap note}."];
pub(super) const SEEN: &[&str] = &[
    "{npc} saw it, {who}.",
    "Somebody laughs. {npc} does not.",
    "Somebody asks {npc} who {who} is.",
    "The others look away, {who}, to be kind.",
    "It will take a while to live that down, {who}.",
    "You stand there, {who}, and {npc} is kind enough to look away.",
];
pub(super) const HURT: &[&str] = &[
    "It has cost you some skin, {who}.",
    "You will feel that one tomorrow, {who}.",
    "That hurts, {who}, and goes on hurting.",
    "You bite your tongue over it, {who}, and taste it.",
    "You come away from it on one good leg, {who}.",
    "You hold your wrist for a while, {who}, as one holds somebody else's.",
];
/// A wound that shows, whatever dealt it.
pub(super) const HURT_BADLY: &[&str] = &[
    "It has cost you a good deal, {who}, and you hold on to the nearest thing.",
    "You stand crooked after that, {who}, and breathe through your teeth.",
    "You have to sit down for it, {who}, if only for a breath.",
    "Something in your side has an opinion of it, {who}.",
    "Your hands shake, {who}, and do not stop when you tell them to.",
    "It takes you two tries to straighten up, {who}.",
    "There is no hurry in your legs any more, {who}.",
];
/// Whom a check has cost the last hit point.
pub(super) const DOWN: &[&str] = &[
    "Then your knees give, {who}, and you are down.",
    "You go down, {who}, and hear the rest from a long way off.",
    "It is too much at once for you, {who}.",
    "You have nothing left to stand on, {who}. You are down.",
    "That was the last of it, {who}. Everything goes on above your head.",
    "Your legs have had enough, {who}, and fold up without asking you.",
    "It gets dark from the edges, {who}, and you are down.",
    "You mean to stay on your feet, {who}, and do not.",
];
/// Who is still down when it is over.
pub(super) const CARRIED: &[&str] = &[
    "They carry {who} in by the arms and the feet, and somebody finds a blanket.",
    "{who} hears how it ended from somebody who was standing.",
    "Two people have {who} between them, and nobody lets go before there is a bed.",
    "{who} comes round to a wet cloth and a good many faces.",
    "Somebody stays with {who}, who asks three times how it went.",
    "{who} is lifted like something that might spill, and grumbles, which is a good sign.",
];
/// Who was taken away until it was over.
pub(super) const TAKEN_AWAY: &[&str] = &[
    "{who} is brought back by strangers, in somebody else's coat, and has to be told all of it.",
    "{who} has missed the end, and is told it three times, each time a little better.",
    "Somebody carried {who} into a kitchen and put a bowl there, and the end is heard through an open door.",
    "{who} wakes in a bed that belongs to nobody here, and asks who won.",
];
/// Whom somebody has helped to their feet.
pub(super) const UP_AGAIN: &[&str] = &[
    "{up} is upright again, grey in the face, and looks round for what was missed.",
    "{up} stands, with one hand on whatever is nearest.",
    "It takes a while, and then {up} knows everybody's name again.",
    "{up} is back on both feet, and asks how long that was.",
    "With a good deal of help {up} gets up, and counts limbs.",
    "{up} comes round, and is ashamed of it, and is told not to be.",
];
/// Where somebody has shown others what they noticed, and it is about somebody who is there.
pub(super) const CLUE_HEARD: &[&str] = &[
    "{heard} has seen where you look, {who}, and finds something to look at.",
    "{who}, you were quick, but {heard} has stopped in the middle of a word.",
    "{heard} looks at {who} a moment longer than before.",
    "{heard} has seen it, {who}, and says nothing for rather a long time.",
    "{heard} would like to know, {who}, since when you look at people like that.",
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

pub(super) const ASKED: &[&str] = &[
    "I want {npc_want}, {who}. So now you know.",
    "You ask me, {who}? I fear {npc_fear}.",
    "I want {npc_want}, {who}. Help me to it, and I help you.",
    "I am not asking for much, {who}: {npc_want}.",
    "Try somebody who sleeps better than I do, {who}.",
    "If I knew that, {who}, I should be somewhere else.",
    "You will have to see that for yourself, {who}.",
    "Ask somebody who was there, {who}.",
    "Why do you come to me with that, {who}?",
    "Not in front of everybody, {who}.",
    "I have said what I mean to say, {who}.",
    "That depends on who wants to know, {who}.",
    "You do not give up, {who}, do you?",
    "What does it matter to you, {who}?",
];
pub(super) const KNOWING: &[&str] = &[
    "I want {npc_want}, {who}, and I am nearer to it now.",
    "There was a time when I could do that, {who}.",
    "So it can be done, {who}.",
    "I had not thought of that, {who}.",
    "You have done that before, {who}.",
    "Well. I would have gone about it otherwise, {who}.",
    "That was more than I could have done.",
    "If you can do that, {who}, then perhaps the rest can be done too.",
    "You have surprised me, {who}. Few people do.",
    "Then it has begun, {who}.",
    "Nobody has ever managed that in front of me.",
    "I see, {who}. I had you down for somebody else.",
];
pub(super) const AFTER_FAILURE: &[&str] = &[
    "You tried to {failing}. I had hoped for better.",
    "It looked easier than that, {who}.",
    "There must be another way, {who}.",
    "You are not the first to try that, {who}.",
    "People will talk about this, {who}.",
    "Ask me first, the next time.",
    "I could have told you that, {who}.",
    "That was clumsy, {who}.",
    "Have you done that before, {who}?",
    "Let somebody else have a go, {who}.",
    "I shall pretend that I did not see it.",
];
pub(super) const LAST_WORDS: &[&str] = &[
    "Then let us end it, {who}, here and now.",
    "I did not think that you would get so far.",
    "Everybody is here. Do it now.",
    "I want {npc_want}, {who}, and you can see to that now.",
    "Well, {who}? We are waiting.",
    "I shall not stop you, {who}.",
];
pub(super) const SPOKEN: &[&str] = &[
    "\"{line}\" says {npc}.",
    "{npc} says it quietly: \"{line}\"",
    "{npc} has been listening. \"{line}\"",
    "{npc} {body}. \"{line}\"",
    "{npc} {body}. \"{line}\"",
    "\"{line}\" {npc} {body}.",
    "Then {npc}, to {who}: \"{line}\"",
    "{npc} comes a step nearer. \"{line}\"",
];
/// What the material lets somebody say has its own tone: no gesture beside it.
pub(super) const SAID: &[&str] =
    &["\"{line}\" says {npc}.", "{npc} turns to {who}. \"{line}\"", "{npc} says: \"{line}\""];
/// What the DM says to whoever has looked about and seen nothing.
pub(super) const UNSEEN: &[&str] = &[
    "{who}, you look about, and somebody's hat is in the way.",
    "You look round, {who}, a moment after there was something to see.",
    "{who}, whatever there is to be seen here, it is behind you.",
    "Something moves at the edge of your eye, {who}, and is gone when you turn.",
    "You keep your eyes open, {who}, and get dust in them.",
];
pub(super) const PRESSURE: &[&str] = &[
    "It is getting late.",
    "Nobody is working any more.",
    "{npc} looks up to see how late it is.",
    "There is not much time left, {who}.",
];
pub(super) const SCENES: &[&str] =
    &["{npc} is here, and it is time to {task}.", "The party is about to {task}; {npc} looks on."];

pub(super) const LAST_DEED: &[&str] = &[
    "{who}, you {deed}.",
    "So it is {who}: you {deed}, and nobody stops you.",
    "You step forward, {who}, and you {deed}.",
    "You {deed}, {who}, with everybody looking on.",
    "Then {who} does not wait any longer: you {deed}.",
];
/// The same where the deed is all that the goal says: it is told once, as what comes of it.
pub(super) const LAST_STEP: &[&str] = &[
    "So it is {who}, and nobody stops you.",
    "You step forward, {who}, with everybody looking on.",
    "Then {who} does not wait any longer.",
    "It takes one more breath, {who}, and then you are in the middle of it.",
    "{npc} begins to say something, {who}, and lets it be. You go on.",
];
pub(super) const PERSON_END: &[&str] = &[
    "{person} looks at {who}, and {does}.",
    "{person} waits for {who} to nod, and {does}.",
    "With {who} at hand, {person} {does}.",
];
pub(super) const LATE: &[&str] =
    &["Then the time is up.", "It has taken too long, {who}, and others have decided it."];
pub(super) const LOST: &[&str] = &[
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
    "{who} goes back for a dropped glove.",
    "{who} starts a sentence and lets it be.",
];
/// What the DM asks while one of the party lies on the ground.
pub(super) const FALLEN: &[&str] = &[
    "{fallen} is down, {next}. What do you do?",
    "{next}, {fallen} does not get up. What now?",
    "{next}, you are the nearest to {fallen}.",
    "{next}, nobody has seen to {fallen} yet.",
];
pub(super) const HELPED: &[&str] = &[
    "I get {other} by the shoulders and up. \"Stay with me.\"",
    "I kneel down beside {other} until {other} can stand again.",
    "Everything else can wait. I see to {other} first.",
    "I slap {other}'s cheeks, not hard, and say the name until somebody answers to it.",
    "My coat goes under {other}'s head, and then {other} goes under my arm, and we get up together.",
    "\"Not here, {other},\" I say. \"Anywhere but here.\" And I haul.",
    "I hold two fingers up to {other}, and we go on when the answer is two.",
];
pub(super) const ENDS: &[&str] =
    &["{Cap label}.", "So it ends: {label}.", "And that is how it ends: {label}."];
pub(super) const COST_NONE: &[&str] = &[
    "Nothing went wrong on the way.",
    "It cost nobody anything but time.",
    "Nobody will believe how easy it was.",
];
pub(super) const COST: &[&str] = &[
    "Nobody mentions how {loser} failed to {missed}.",
    "They will tell longest how {loser} failed to {missed}.",
    "How {loser} failed to {missed} is forgotten already, except by {loser}.",
    "It had not looked like that when {loser} failed to {missed}.",
];
pub(super) const FATES: &[&str] = &[
    "{who} still wants to {wish}, but that is for another day.",
    "{who} has not given up the wish to {wish}.",
    "{who} thinks about how to {wish}, and whether it matters as much as it did.",
    "{who} says nothing for a while.",
    "{who} laughs, for the first time today.",
    "{who} counts the others, to be sure.",
    "{who} would do it again, and says so.",
    "{who} would not do it again, and says that too.",
    "{who} walks a little way off, [to be alone|to breathe|and comes back].",
    "Nobody thanks {who} in so many words. It is meant kindly.",
    "{who} sits down on the nearest thing that holds.",
    "{who} looks for {npc}, and nods.",
    "{who} asks whether there is anything to eat.",
];
pub(super) const LAST_IMAGES: &[&str] = &[
    "For a while nobody speaks.",
    "That is how they will tell it.",
    "{who} is the last to go.",
    "Somebody laughs, and then it is over.",
    "{who} whistles, and stops.",
    "The rest can wait until tomorrow.",
    "It will be told otherwise by those who were not there.",
    "{npc} is still standing there when the others have gone.",
    "A little later nobody would know that anything had happened here.",
    "{who} means to turn round once more, and then does not.",
];
/// The same where it was lost.
pub(super) const LOST_IMAGES: &[&str] = &[
    "For a while nobody speaks.",
    "People go, one after another, without a word.",
    "Nobody wants to be the first to leave.",
    "{npc} is still standing there when the others have gone.",
    "It will be told otherwise by those who were not there.",
    "There is nothing to be heard but steps.",
    "Nobody will speak of it tomorrow, and everybody will know.",
];
/// Where somebody was promised that nobody hears of it.
pub(super) const KEPT: &[&str] = &[
    "{promiser} has told nobody what {owed} said, and {owed} knows it.",
    "{owed} looks at {promiser}, who shakes a head: nobody has heard it.",
    "What {owed} said to {promiser} is still between the two of them.",
];
/// Where somebody was promised something in a talk: what is still to be done, whatever the end was.
pub(super) const OWED: &[&str] = &[
    "{promiser} looks across at {owed}, to whom something was promised, and {owed} looks back.",
    "What {promiser} promised {owed} is still to be done, and both of them know it.",
    "{owed} has not forgotten what {promiser} promised, and says so without a word, by waiting.",
    "Between {promiser} and {owed} there is a promise now, and neither of them mentions it.",
    "{promiser} goes over to {owed} last of all, because of a promise, and they settle on a day.",
];
