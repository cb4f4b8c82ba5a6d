//! What a player says to another: to what that one has just done, or has just seen.

use super::clue::{just_said, points_to};
use super::grammar::Scribe;
use super::pick::Pick;
use super::player::turned;
use super::read::short;
use super::request::Request;

/// Of a hundred turns after another's deed so many begin with a word about it.
const PERCENT: usize = 38;
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

/// A word to whoever has just said what it noticed, or has just done something; mostly none of the latter.
pub(super) fn word(request: &Request<'_>, scribe: &mut Scribe, me: &str, tried: &str) -> String {
    if let Some(clue) = just_said(request).filter(|clue| clue.who != me) {
        scribe.set("fellow", short(clue.who));
        let is_here = points_to(request, clue.text) == Some(tried);
        return scribe.say(&turned(request, if is_here { CLUE_FOLLOWED } else { CLUE_HEARD }));
    }
    let state = &request.state;
    let stable = Pick::new(
        request.seed,
        &["fellows", state.seat(), &state.encounter.head, &state.messages.done.to_string()],
    );
    if !stable.draw("speaks").chance(PERCENT) {
        return String::new();
    }
    let Some(deed) = last_deed(request, me) else { return String::new() };
    scribe.set("fellow", short(deed.who));
    let patterns = match (deed.hurt, deed.succeeded, deed.check == tried) {
        (true, ..) => HURT,
        (_, true, _) => DONE,
        (_, false, true) => FAILED_IT,
        (_, false, false) => FAILED,
    };
    scribe.say(&turned(request, patterns))
}

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
    "I would have walked past it, if {fellow} had said nothing.",
    "\"Stand by me, {fellow}, since you saw it first.\"",
    "What {fellow} saw is worth a try.",
    "\"{fellow}, if you have seen right, it will show now.\"",
];
const DONE: &[&str] = &[
    "\"That was well done, {fellow}. Rest a minute.\"",
    "I touch {fellow} on the shoulder in passing.",
    "After what {fellow} has done, I cannot very well stand about.",
    "\"Where did you learn that, {fellow}?\" I ask, and do not wait to hear.",
    "\"{fellow} has done the hard part,\" I say. \"I hope.\"",
    "\"Stay as you are, {fellow}. I do the next one.\"",
    "I nod to {fellow}, and it is my turn.",
    "\"Good,\" I say to {fellow}, and mean it.",
    "I wait until {fellow} has drawn breath.",
];
const FAILED: &[&str] = &[
    "\"It was worth trying, {fellow},\" I say.",
    "\"Never mind, {fellow}. I should have come with you.\"",
    "\"We leave that for now, {fellow}. There is another way round.\"",
    "\"Nobody could have done it better, {fellow}.\" It may even be true.",
    "\"Get your breath, {fellow}. I have an idea.\"",
    "I give {fellow} the look that means: later.",
    "\"It did not go well, {fellow}. It is not over.\"",
    "\"That would have happened to me too, {fellow}, only louder.\"",
];
const FAILED_IT: &[&str] = &[
    "\"You nearly had it, {fellow}. Let me.\"",
    "\"Move over, {fellow}. Two heads.\"",
    "\"You have worn it down for me, {fellow},\" I say.",
    "\"Tell me what you would do otherwise, {fellow}, and I do that.\"",
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
