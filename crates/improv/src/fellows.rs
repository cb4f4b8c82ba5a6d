//! What a player says to another: to what that one has just done, or has just seen.

use super::carried::has_history;
use super::clue::{just_said, points_to};
use super::grammar::{Scribe, made_after};
use super::lines::BOND;
use super::pick::Pick;
use super::player::turned;
use super::read::{names, short};
use super::request::Request;
use super::story::remarks;

/// Of a hundred turns after another's deed so many begin with a word about it.
const PERCENT: usize = 24;
/// In one of so many messages, from this one on, somebody speaks of what there is between two,
const BOND_FROM: i64 = 2;
const BOND_WITHIN: usize = 7;
/// and so long it may wait for its turn.
const BOND_OPEN: i64 = 8;
/// So early in a campaign it is said: what was said long ago is not to be seen any more, and would be said again.
const BOND_TURNS: usize = 46;
/// So far back a deed may lie that is spoken of.
const NEAR: usize = 8;

/// What another of the party did last.
struct Deed<'r> {
    who: &'r str,
    check: &'r str,
    succeeded: bool,
    hurt: bool,
}

/// The last check that another has made, when nothing else was done since.
fn last_deed<'r>(request: &'r Request<'_>, me: &str) -> Option<Deed<'r>> {
    let near = request.lines.len().saturating_sub(NEAR);
    let recent = request.lines.get(near..)?;
    let at = recent.iter().rposition(|line| line.text.starts_with("[check] "))?;
    let told = recent.get(at)?.text.strip_prefix("[check] ")?;
    let (who, rest) = told.split_once(": ")?;
    let (check, _) = rest.split_once(" (")?;
    let wound = format!("[hp] {who}: -");
    let hurt = recent.iter().skip(at).any(|line| line.text.starts_with(&wound));
    let is_other = who != me && request.state.player(who).is_some();
    // What was done in the last encounter has been talked about on the way.
    let is_here = request.state.checks.iter().any(|row| row.head == check);
    (is_other && is_here).then_some(Deed { who, check, succeeded: told.ends_with("success"), hurt })
}

/// What the material lets somebody say of what another has just done, once; nobody says anything of it a second time.
pub(super) fn remark(request: &Request<'_>, scribe: &mut Scribe, me: &str) -> String {
    let Some(deed) = last_deed(request, me).filter(|deed| deed.succeeded) else { return String::new() };
    let remarks = remarks(request, deed.check);
    let is_said = |remark: &&str| request.lines.iter().any(|line| line.text.contains(remark));
    if remarks.iter().any(is_said) {
        return String::new();
    }
    scribe.draw().choose(&remarks).map(|remark| (*remark).to_owned()).unwrap_or_default()
}

/// A word to whoever has just said what it noticed, or has just done something; mostly none of the latter.
pub(super) fn word(request: &Request<'_>, scribe: &mut Scribe, me: &str, tried: &str) -> String {
    if let Some(clue) = just_said(request).filter(|clue| clue.who != me) {
        scribe.set("fellow", short(clue.who));
        let is_here = points_to(request, clue.text) == Some(tried);
        return scribe.say(&turned(request, if is_here { CLUE_FOLLOWED } else { CLUE_HEARD }));
    }
    let answer = answer(request, scribe, me);
    if !answer.is_empty() {
        return answer;
    }
    let bond = bond(request, scribe, me);
    if !bond.is_empty() {
        return bond;
    }
    let state = &request.state;
    let stable = Pick::new(
        request.seed,
        &["fellows", state.seat(), &state.encounter.head, &state.messages.done.to_string()],
    );
    if !stable.draw("speaks").chance(PERCENT) {
        return String::new();
    }
    // To whoever lies there nothing clever is said.
    let lies = |who: &str| state.fallen.iter().any(|row| row.head == who);
    let Some(deed) = last_deed(request, me).filter(|deed| !lies(deed.who)) else { return String::new() };
    scribe.set("fellow", short(deed.who));
    let patterns = match (deed.hurt, deed.succeeded, deed.check == tried) {
        (true, ..) => HURT,
        (_, true, _) => DONE,
        (_, false, true) => FAILED_IT,
        (_, false, false) => FAILED,
    };
    scribe.say(&turned(request, patterns))
}

/// What is said to another who has just spoken to this one; nothing where nobody has.
pub(super) fn answer(request: &Request<'_>, scribe: &mut Scribe, me: &str) -> String {
    // Nor is what was said in another encounter answered in this one.
    let here = usize::try_from(request.state.messages.done).unwrap_or(0);
    let spoken = request.lines.iter().rev().filter(|line| !line.speaker.is_empty()).take(here);
    let since = spoken.take_while(|line| !line.own);
    // What was said before somebody else has spoken is over.
    let spoken = since.filter_map(|line| Some((line, request.state.player(&line.speaker)?.called())));
    let mut spoken = spoken.take(1).filter(|_| request.state.messages.done > 1);
    let Some((line, who)) = spoken.find(|(line, _)| names(&line.text, short(me))) else {
        return String::new();
    };
    // What is only thought of somebody is no word to them.
    let is_spoken = |said: &[&str]| {
        let place = made_after(&line.text, said).and_then(|place| said.get(place));
        place.is_some_and(|pattern| pattern.starts_with('"'))
    };
    let lead = format!("[check] {who}: ");
    let last = request.lines.iter().rev().find(|line| line.text.starts_with(&lead));
    let tried =
        if last.is_some_and(|line| line.text.ends_with("success")) { TO_MENDED } else { TO_FAILED_TOO };
    let kinds =
        [(HURT, TO_HURT), (DONE, TO_DONE), (FAILED, TO_FAILED), (FAILED_IT, tried), (BONDS, TO_BONDS)];
    let Some((_, answers)) = kinds.into_iter().find(|(said, _)| is_spoken(said)) else {
        return String::new();
    };
    scribe.set("fellow", short(who));
    scribe.say(&turned(request, answers))
}

/// A word about what there is between the two, once in an encounter, to whoever has just spoken.
fn bond(request: &Request<'_>, scribe: &mut Scribe, me: &str) -> String {
    let state = &request.state;
    let stable = Pick::new(request.seed, &["bond", state.seat(), &state.encounter.head]);
    let when = BOND_FROM + i64::try_from(stable.draw("when").below(BOND_WITHIN)).unwrap_or(0);
    let is_said = request.own_lines().any(|line| made_after(&line.text, BONDS).is_some());
    let is_late = state.turn().is_some_and(|turn| turn > BOND_TURNS) || has_history(request);
    if is_said || is_late || !(when..when + BOND_OPEN).contains(&state.messages.done) {
        return String::new();
    }
    let lead = format!("{me} says it like this: ");
    let told = request.tagged("party_document").lines().find_map(|line| line.split_once(&lead));
    let last = request.lines.iter().rev().find_map(|line| request.state.player(&line.speaker));
    let fellow = last.map(|player| short(player.called())).filter(|name| *name != short(me));
    let (Some((_, told)), Some(fellow)) = (told, fellow) else { return String::new() };
    let pattern = made_after(told, BOND).filter(|_| names(told, fellow)).and_then(|place| BONDS.get(place));
    scribe.set("fellow", fellow);
    pattern.map(|pattern| scribe.say(&[*pattern])).unwrap_or_default()
}

const TO_HURT: &[&str] = &[
    "\"Later, {fellow}. It looks worse than it is.\" It does not.",
    "\"I can stand, {fellow}. Ask me again when I cannot.\"",
    "\"Do not fuss, {fellow},\" I say, and am glad of it.",
    "\"It is only the one side, {fellow}. I have another.\"",
    "\"Look at me like that, {fellow}, and I shall feel it.\"",
    "\"I have had worse from a mule, {fellow}.\"",
    "\"Count my fingers for me, {fellow}. Five? Then go on.\"",
];
const TO_DONE: &[&str] = &[
    "\"Practice, {fellow}, and no witnesses.\"",
    "\"You would have done it quicker, {fellow}.\"",
    "\"Thank me when we are home, {fellow}.\"",
    "\"My hands did it, {fellow}. I only watched.\"",
    "\"Say that again tomorrow, {fellow}, where people can hear it.\"",
    "\"It was luck, {fellow}. Do not tell anybody.\"",
    "\"I was afraid the whole time, {fellow}.\"",
];
/// To whoever has tried the same after all, and done it;
const TO_MENDED: &[&str] = &[
    "\"So that is how it goes, {fellow}.\"",
    "\"I had loosened it for you, {fellow}.\"",
    "\"I had my laugh ready, {fellow}. You may keep it.\"",
    "\"Show me that again one day, {fellow}, slowly.\"",
    "\"You began at the other end, {fellow}. I never thought of the other end.\"",
];
/// or has fared no better.
const TO_FAILED_TOO: &[&str] = &[
    "\"Then it was not only me, {fellow}.\"",
    "\"That makes two of us, {fellow}.\"",
    "\"I shall not say a word, {fellow}, if you do not.\"",
    "\"It is a hard one, {fellow}. Nobody will say that it was not.\"",
    "\"We were both so sure, {fellow}.\"",
];
const TO_FAILED: &[&str] = &[
    "\"Say that again when it has worked, {fellow}.\"",
    "\"Do not be nice to me now, {fellow}. It makes it worse.\"",
    "\"I shall laugh about it next year, {fellow}.\"",
    "\"Next time I listen to you first, {fellow}.\" We both know better.",
    "\"I heard you, {fellow}. I am not done yet.\"",
    "\"Remind me to learn that from you, {fellow}.\"",
];
/// What there is between two who met as the pattern of the same place in `BOND` tells.
const BONDS: &[&str] = &[
    "\"We have shared one blanket, {fellow}. We can share this.\"",
    "\"You never mention the river, {fellow}, and I never forget it.\"",
    "\"I still owe you, {fellow}. Put this on the same slate.\"",
    "\"Lie for me again if it comes to that, {fellow}. Better, this time.\"",
    "\"It is like your card trick, {fellow}: I know how it goes, and I lose.\"",
    "\"You and I have been witnesses to worse, {fellow}.\"",
    "\"I never did tell you about the cat, {fellow}. Remind me.\"",
    "\"I wrote you a letter once, {fellow}, and it worked on the wrong person. Mind what you ask of me.\"",
    "\"You have kept one secret of mine, {fellow}. There may be two by tonight.\"",
    "\"If we are locked up again, {fellow}, you do not snore and I do not sing.\"",
    "\"You paid my fare once, {fellow}, and I have never asked why. I am asking soon.\"",
    "\"Our mule had more sense than this, {fellow}.\"",
    "\"For once wear your own coat, {fellow}. There may be trouble.\"",
    "\"Do not undercut me here, {fellow}. Today we sell the same thing.\"",
    "\"They once asked both of us at the same time, {fellow}, and look how that went.\"",
    "\"You know where I was, {fellow}, and I know where you were. This is not worse.\"",
    "\"You walked nine miles for me once, {fellow}. This is shorter.\"",
    "\"You had the front half of that horse, {fellow}. I take the front this time.\"",
    "\"Stand behind me, {fellow}. You need not bring the shovel.\"",
    "\"They will say that we turned up, {fellow}. It is all they ever say of us.\"",
    "\"I swore for you once, {fellow}. Do not make an honest witness of me now.\"",
    "\"You had the scissors last time, {fellow}. I go first.\"",
    "\"What would our godfather say, {fellow}? He would say that he does not know us.\"",
    "\"Mind the corner, {fellow}.\"",
    "\"I come down from things better than you do, {fellow}. Only just.\"",
];
const TO_BONDS: &[&str] = &[
    "\"I was waiting for you to say that, {fellow}. It could have waited longer.\"",
    "\"You remember it your way, {fellow}.\"",
    "\"That was another time, {fellow}, and we were worse at it.\"",
    "\"I had hoped that you had forgotten, {fellow}.\"",
    "I look at {fellow}, and have to laugh, and stop.",
    "\"One day you must tell it from the beginning, {fellow}.\"",
];
const CLUE_HEARD: &[&str] = &[
    "\"I would have walked past that, {fellow},\" I say.",
    "\"You have good eyes, {fellow}. Keep them open.\"",
    "I have looked where {fellow} looked, and I do not like it either.",
    "\"{fellow}, I am still thinking about what you saw.\"",
    "What {fellow} saw goes round in my head.",
    "\"Go on looking, {fellow}, and tell me everything,\" I say.",
    "\"Keep that in mind for us, {fellow}. I have a bad head for such things.\"",
    "I make a knot in my sleeve for what {fellow} has seen.",
];
const CLUE_FOLLOWED: &[&str] = &[
    "So I begin where {fellow} has pointed.",
    "\"You are right, {fellow}. Then it is here,\" I say.",
    "I would have walked past it, if {fellow} had not stopped.",
    "\"Stand by me, {fellow}, since you saw it first.\"",
    "What {fellow} saw is worth a try.",
    "\"{fellow}, if you have seen right, it will show now.\"",
];
const DONE: &[&str] = &[
    "\"That was well done, {fellow}. Rest a minute.\"",
    "I touch {fellow} on the shoulder in passing.",
    "\"Where did you learn that, {fellow}?\" I ask, and do not wait to hear.",
    "\"{fellow} has done the hard part,\" I say. \"I hope.\"",
    "I wait until {fellow} has drawn breath.",
    "I make room for {fellow}, who has made it look easy.",
    "\"I shall tell that about you, {fellow}, and leave out how long it took.\"",
    "\"Next time do it before I begin to worry, {fellow}.\"",
    "I nod to {fellow}, and {fellow} pretends not to see it.",
    "\"So you can do it, {fellow}. I had money on it.\"",
];
const FAILED: &[&str] = &[
    "\"It was worth trying, {fellow},\" I say.",
    "\"Never mind, {fellow}. I should have come with you.\"",
    "\"We leave that for now, {fellow}. There is another way round.\"",
    "\"Nobody could have done it better, {fellow}.\" It may even be true.",
    "I give {fellow} the look that means: later.",
    "\"It did not go well, {fellow}. It is not over.\"",
    "\"That would have happened to me too, {fellow}, only louder.\"",
];
const FAILED_IT: &[&str] = &[
    "\"You nearly had it, {fellow}. Let me.\"",
    "\"Move over, {fellow}. Two heads.\"",
    "\"You have worn it down for me, {fellow},\" I say.",
    "\"Tell me what you would do differently, {fellow}, and I will.\"",
    "I have watched {fellow}, and begin at the other end.",
    "\"My turn, {fellow}. Laugh afterwards.\"",
    "\"If I make the same mistake, {fellow}, stop me.\"",
    "\"It was not your fault, {fellow}. It may be mine in a minute.\"",
    "I nod to {fellow} to stay close, in case.",
];
const HURT: &[&str] = &[
    "\"Show me that, {fellow}. No? Then later.\"",
    "\"Can you stand, {fellow}? Then stand behind me.\"",
    "I tie my neckcloth round what {fellow} will not let me look at.",
    "\"Sit down, {fellow}. I am not asking.\"",
    "\"That will be blue tomorrow, {fellow},\" I say.",
    "\"I saw that, {fellow}. You need not be brave for me.\"",
    "I put myself where {fellow} need not be the next.",
];
