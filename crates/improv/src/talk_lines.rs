//! What is said in conversations and fights: patterns for the person who is spoken to, for players, and for the DM around them.

pub(super) const WELCOME: &[&str] = &[
    "I wondered when one of you would come, {who}.",
    "You have a few minutes, {who}, and no more.",
    "Not so loud, {who}. Sit down.",
    "So it is you they send, {who}.",
    "I was hoping for somebody else, {who}. But go on.",
    "Here nobody hears us, {who}.",
];
pub(super) const WELCOME_BACK: &[&str] =
    &["You are back, {who}.", "What is it this time, {who}?", "I have not gone anywhere, {who}."];
pub(super) const RUMOUR: &[&str] = &["I have heard that {rumour}.", "They say that {rumour}."];
pub(super) const OWN_WANT: &[&str] = &[
    "I want {npc_want}, {who}, and nobody has asked me until now.",
    "{who}, I want {npc_want}. Write it down, if you like.",
    "What I want is simple, {who}. I want {npc_want}.",
    "Since you ask, {who}: I want {npc_want}.",
    "I want {npc_want}. You can laugh, {who}.",
];
pub(super) const PLAIN_WANT: &[&str] =
    &["What I want is no business of yours.", "Ask me that when it is over."];
pub(super) const OWN_FEAR: &[&str] = &[
    "I will not say it twice, {who}: I fear {npc_fear}.",
    "What do I fear? Well, {who}: I fear {npc_fear}.",
    "You would laugh at me, {who}. I fear {npc_fear}.",
    "There is one thing to know of me, {who}: I fear {npc_fear}.",
];
pub(super) const ASK_BACK: &[&str] = &[
    "And you, {who}? What is it to you?",
    "Why should I trust you of all people?",
    "What would you do in my place?",
    "Who else knows that you are here?",
    "Does anybody tell you things, {who}?",
];
pub(super) const WARMED: &[&str] = &[
    "That is more than I had expected, {who}.",
    "I believe you mean that.",
    "You are kinder than you sound, {who}.",
    "I shall hold you to that, {who}.",
    "One does not hear that often, in my position.",
];
pub(super) const COOLED: &[&str] = &[
    "That does not make me like you.",
    "I shall have to think about that.",
    "Worse people have asked me that.",
];
pub(super) const REVEAL: &[&str] = &[
    "{secret}. I have told nobody but you.",
    "Very well, {who}. {secret}.",
    "{secret}, {who}. There, I have said it.",
    "I say it once, {who}: {secret}.",
    "Look somewhere else, {who}, while I say it. {secret}.",
    "{who}, {secret}.",
];
pub(super) const REFUSE: &[&str] = &[
    "More than that I cannot tell you.",
    "No. That one stays with me.",
    "I would rather not say, {who}.",
    "There is more, but it is not for you.",
    "I have said enough, and too much.",
    "Ask me tomorrow, {who}.",
];
pub(super) const GIVES: &[&str] = &[
    "Take my {gift}, {who}. It may come in useful where you are going.",
    "Here, {who}, so that you do not go with empty hands: my {gift}.",
];
pub(super) const TAKES: &[&str] = &[
    "Your {gift}? I shall take good care of that.",
    "You would part with your {gift} for me? Thank you. I shall know whose it was.",
];
pub(super) const FAREWELL: &[&str] = &[
    "That is all. Goodbye, {who}.",
    "Now go, {who}. Goodbye.",
    "I have to get back. Goodbye, {who}.",
    "Goodbye, {who}. Do not make me sorry.",
    "Go with care, {who}. Goodbye.",
];

pub(super) const ASKS_FIRST: &[&str] = &[
    "I am here to listen, {npc}.",
    "Tell me how it looks from where you stand, {npc}.",
    "{npc}, what is it that you did not want to say in front of the others?",
    "{other} thinks that you know something, {npc}. So do I.",
    "You have been looking at us all this time, {npc}. What is it?",
    "I should like to hear it from you, {npc}, and not from the others.",
    "Nobody is listening now, {npc}, but me.",
    "It is about {quarry}, {npc}. What do you know?",
    "We are here for {quarry}, {npc}. Where would you begin?",
    "What would you do in our place, {npc}?",
    "{other} is keeping watch, {npc}. We have a minute.",
    "Begin where you like, {npc}. I am in no hurry.",
    "I have come over to hear it from you, and not from the others.",
];
pub(super) const PROMISES: &[&str] = &[
    "I promise: nobody hears it from me.",
    "Help me, and I promise to help you.",
    "You have my word, {npc}. Ask {other} what that is worth.",
    "What I want is to {want}. I promise you my help for yours.",
    "I give you my word, {npc}: nothing that you tell me shall hurt you.",
];
pub(super) const OFFERS: &[&str] = &[
    "I have nothing better to offer you than my {thing}. Take it, {npc}.",
    "Take my {thing}, {npc}, as a sign that I mean it.",
];
pub(super) const PRESSES: &[&str] = &[
    "That is not all, {npc}, is it?",
    "What have you not told anybody?",
    "You need not name anybody, {npc}. Only tell me.",
    "And the rest of it, {npc}?",
    "You have left something out, {npc}. I can wait.",
    "What is it that keeps you awake, {npc}?",
    "What would you tell {other}, if it were {other} who asked?",
];
pub(super) const LEAVES: &[&str] = &[
    "Thank you, {npc}. {other} is waiting. Goodbye.",
    "I shall not forget this, {npc}. Goodbye.",
    "Goodbye, {npc}, and thank you.",
    "That was worth coming over for. Goodbye.",
    "I must go back to {other}. Goodbye, {npc}.",
];

/// The same to whoever has just told what nobody knew.
pub(super) const LEAVES_TOLD: &[&str] = &[
    "I do not know what one says to that, {npc}. I am glad that you said it. Goodbye.",
    "That is a good deal to have kept by oneself, {npc}. It is safe with me. Goodbye.",
    "There is somebody to whom you might say that, {npc}, and it is not me. Goodbye, and thank you.",
    "I shall say nothing to that, {npc}, and you need not either. Goodbye.",
    "You have carried that about with you all day, {npc}, and held doors for people. Goodbye.",
    "I shall think of that, {npc}, longer than I should like to. Goodbye.",
];

pub(super) const GOES_APART: &[&str] = &[
    "{npc} looks round. \"Not here, {who},\" and goes a few steps apart with you.",
    "{npc} nods towards a quiet place, {who}, and waits for you there.",
    "{npc} has something to say, {who}, and not to everybody. You are drawn a little to one side.",
    "\"One moment,\" says {npc} to the others, and then speaks to {who} alone.",
    "{npc} waits until the others look elsewhere, {who}, and comes close enough to speak low.",
    "{npc} begins to walk, {who}, slowly, and it is plain that you are meant to come along.",
];
/// The same where the two have just had something to do with each other.
pub(super) const STAYS: &[&str] = &[
    "The others have gone on a few steps. {npc} has not, {who}, and neither have you.",
    "You stay where you are, {who}, and so does {npc}, until nobody else is near.",
    "{npc} has not done looking at you, {who}, and the others find something else to look at.",
    "You let the others go first, {who}. {npc} waits as well, as people do who have not said all of it.",
];
/// The same where it is somebody of the party who has gone up to the other.
pub(super) const GOES_OVER: &[&str] = &[
    "{who}, you go over to {npc}, out of the hearing of the others.",
    "You turn to {npc}, {who}, and speak so low that nobody else has any of it.",
    "{who}, you come and stand beside {npc}, and for a while the others look elsewhere.",
    "{who}, you wait until nobody looks, and walk up to {npc}.",
];
/// A talk in which something came out.
pub(super) const CAME_WITH_NEWS: &[&str] = &[
    "{who}, you come back from {talked} with something to carry that weighs nothing.",
    "When you come back from {talked}, {who}, nobody asks you anything, but you are looked at.",
    "You come back from {talked}, {who}, and are told that you look cold.",
    "{who}, you have to be spoken to twice when you are back among the others.",
    "{talked} lets you go first, {who}, and stays behind for a moment.",
    "You come back, {who}, and it takes you a while to listen to anybody else.",
    "{talked} has not told that to many, {who}, and you walk back more slowly than you went.",
];
pub(super) const CAME_TO_NOTHING: &[&str] = &[
    "{who}, you come back from {talked}, and the others ask you nothing.",
    "What {talked} has told you, {who}, opens no door yet.",
    "You talked with {talked}, {who}, and there is still all of it to do.",
    "{talked} has said what there was to say, {who}, and so have you.",
];
pub(super) const NEWCOMER: &[&str] = &[
    "And somebody has come up to look on, who gives the name of {newcomer}.",
    "A stranger has stopped to listen. \"{newcomer},\" says the stranger, when you look.",
];

pub(super) const FIGHT_BEGINS: &[&str] = &[
    "{foe} looks at {who} for a breath longer than is friendly, and swings.",
    "{foe} gives {who} a shove, and it is not the last.",
    "There is no room for both of you, {who}, and {foe} settles it with both hands.",
];
pub(super) const FOE_HITS: &[&str] = &[
    "{attacker} comes at {target} with {weapon}, and it goes home.",
    "{attacker} is quicker than {target}, and {weapon} finds its mark.",
    "{target} sees it too late: {attacker} strikes with {weapon}.",
    "{attacker} waits until {target} has moved, and is there with {weapon}.",
    "There is no room to step back, and {attacker} has {target} against something.",
    "{attacker} hardly seems to move, and {target} is holding an elbow.",
];
pub(super) const FOE_MISSES: &[&str] = &[
    "{attacker} swings {weapon} at {target}, and misses.",
    "{target} ducks, and {attacker} hits nothing with {weapon} but the air.",
    "{attacker} goes for {target} with {weapon}, and slips.",
    "{attacker} goes past {target}'s ear with {weapon}, and half round after it.",
    "{attacker} strikes, {target} steps aside, and the ground has it.",
    "{attacker} takes too long about it, and {target} is out of reach.",
];
pub(super) const FALLS: &[&str] = &["{target} goes down.", "{target} is on the ground."];
pub(super) const FOES_WAIT: &[&str] =
    &["{attacker} circles, and waits for an opening.", "{attacker} holds back for a moment."];
pub(super) const FIGHT_ENDS: &[&str] = &[
    "Then it is over. People pick up their hats.",
    "They stop, one after another, and look at their knuckles.",
];
/// The same where one of the party has brought it about.
pub(super) const TRUCE: &[&str] = &[
    "{hero} lets both hands sink, in the middle of it, and one after another the others do.",
    "\"Enough,\" says {hero}, not loudly, and is heard.",
    "{hero} says what they all think, which is that nobody here wants to die of this.",
];
pub(super) const FOES_RUN: &[&str] =
    &["{foe} steps back, and holds up an open hand.", "{foe} has had enough of it, and gives way."];
pub(super) const FIGHT_IS_OVER: &[&str] = &[
    "The fight is over, {who}, and it takes a moment until anybody believes it.",
    "It is quiet again, {who}.",
    "That was the fight, {who}.",
];

pub(super) const STRIKES: &[&str] = &[
    "I go for {target} with my {weapon}.",
    "I plant my feet and swing my {weapon} at {target}.",
    "{target} is nearest, so I swing my {weapon}.",
    "I shut my eyes, and {target} gets my {weapon}.",
    "I let {target} come, and bring my {weapon} up.",
    "I go in low, under the arm of {target}, with my {weapon}.",
    "{other} shouts, {target} looks round, and I use my {weapon}.",
    "I have one good swing in me, I think, and {target} gets it, with my {weapon}.",
    "{target} turns to {other}, and I come in with my {weapon}.",
];
pub(super) const STRIKES_BARE: &[&str] = &[
    "I go for {target}, fists first.",
    "I take {target} by the coat with both hands, and pull.",
    "{target} gets my shoulder.",
    "I put my head down and run at {target}.",
    "I catch {target} round the middle, and hang on.",
    "I hit {target} as one hits a door that sticks.",
    "I get between {target} and {other} and push.",
];
pub(super) const CASTS: &[&str] = &[
    "I say the words and point at {target}.",
    "I trust one charm, and {target} gets it.",
    "{other} ducks, and I say my charm at {target}.",
];
pub(super) const HEALS: &[&str] = &[
    "I lay a hand on {target} and say the words.",
    "I say my charm over {target}, slowly, in the middle of it all.",
    "{target} is bleeding, so I say the one charm that I trust.",
];
pub(super) const HEALS_ITSELF: &[&str] =
    &["I lay a hand on my own ribs and say the words.", "I say my charm over myself, between two blows."];
pub(super) const HEALED: &[&str] = &["It closes.", "The worst of it is over.", "That will hold for today."];
pub(super) const STRIKE_HITS: &[&str] = &[
    "It goes home.",
    "That one counts.",
    "It lands, and I am sorry for it at once.",
    "{target} takes it, and then a step back.",
    "Something gives, and for once it is not me.",
    "{target} looks surprised, and so do I.",
    "{target} says a word that I shall remember.",
    "I hear it before I feel it.",
];
pub(super) const STRIKE_MISSES: &[&str] = &[
    "It goes wide.",
    "Too slow, and too high.",
    "I miss, and nearly fall.",
    "{target} is not there any more.",
    "I get mostly sleeve.",
    "It would have been a good one a moment sooner.",
    "I hit something, and it is the ground.",
    "{target} has seen that one before.",
];
pub(super) const CAST_HITS: &[&str] =
    &["It takes.", "For once it does what it says in the book.", "{target} has noticed."];
pub(super) const CAST_MISSES: &[&str] =
    &["Nothing happens, rather loudly.", "It goes wide.", "I have one word of it wrong, and I know which."];
pub(super) const NO_STRIKE: &[&str] =
    &["I keep my hands up and step back.", "I call on everybody to stop.", "I get {other} out of the way."];
pub(super) const USES: &[&str] = &[
    "I use my {thing} first, and breathe.",
    "I see to myself first, with my {thing}.",
    "Before anything else I use my {thing}.",
];
pub(super) const WHISPERS: &[&str] = &[
    "I do not trust {npc}. Do you?",
    "If this goes wrong, look after my {keepsake}.",
    "Watch {npc} for me, will you?",
    "Did you see {npc}'s hands just now?",
    "If I cough twice, begin to sing. Anything.",
    "{npc} has said less than there is.",
    "I have a bad feeling, and it is usually my feet. This time it is not.",
    "Do not look round. Somebody has been counting us.",
    "I am more frightened than I look. Say nothing.",
    "When this is over, I mean to {want}. Remind me.",
    "You know that {flaw}. Stop me, if it begins.",
];

pub(super) const LOOKS: &[&str] = &[
    "Tall and a little stooped, in a coat that was somebody else's.",
    "Small, quick and weather-beaten, with ink on two fingers.",
    "Broad in the shoulder, with a scar through one eyebrow and very clean boots.",
    "Thin as a rake, in three shawls, with bright eyes.",
    "Round-faced and red-handed, and never without an apron.",
];
pub(super) const NATURES: &[&str] = &[
    "Listens longer than is comfortable and then says one thing.",
    "Talks to strangers as if they were late.",
    "Laughs easily, forgives slowly.",
    "Is kind to animals and short with officials.",
    "Counts everything twice and trusts the second number.",
];
pub(super) const ERRANDS: &[&str] = &[
    "to be asked, for once",
    "to see how this ends",
    "to be home before dark",
    "to be paid what is owed",
    "to make up for an old mistake",
    "to find somebody to talk to",
];
pub(super) const HABITS: &[&str] = &[
    "Owes a small sum to almost everybody.",
    "Has a sister in the next village who writes every week.",
    "Knows a way in and out that nobody else uses.",
    "Cannot pass a dog without speaking to it.",
];
