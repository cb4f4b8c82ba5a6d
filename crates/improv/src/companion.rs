//! The person whom a player talks with apart: wants something, gives away a little at a time, and says goodbye.

use serde_json::json;

use super::grammar::Scribe;
use super::pick::Pick;
use super::read::{lower, names, sentences, short};
use super::reply::{Reply, call};
use super::request::Request;
use super::talk_lines::*;
use super::traits::{WANTS, spoken_of};
use super::voice::Voice;

/// Words of somebody who offers something.
const OFFERING: &[&str] = &["promise", "my word", "help you", "Take my", "offer you"];
/// What is said of somebody from whose hand nothing can be taken.
const UNTOUCHED: &[&str] = &["can touch", "be touched", "cannot touch"];
/// Words of somebody who leaves.
const LEAVING: &[&str] = &["oodbye", "arewell", "must go", "have to go"];

/// What has been said so far, as the person sees it.
struct Talk<'r> {
    /// The full name of whoever speaks with this person.
    who: String,
    /// What was said last.
    heard: &'r str,
    /// Answers so far.
    given: i64,
    /// Answers that this person has patience for.
    patience: i64,
    /// What this person has promised itself about telling secrets.
    open: bool,
}

impl<'r> Talk<'r> {
    fn of(request: &'r Request<'_>) -> Talk<'r> {
        let state = &request.state;
        let last = request.last_other();
        let who = last.map(|line| line.speaker.clone()).or_else(|| state.company.first().cloned());
        let talks = request.tagged("who_you_are").len().to_string();
        let stable = Pick::new(request.seed, &["talk", &state.dialogue.head, &talks]);
        let most = state.exchanges.all.max(2);
        let wish = stable.draw("patience").below(4);
        let has_told = !written_words(request.tagged("who_you_are"), "tells").is_empty();
        Talk {
            who: who.unwrap_or_default(),
            heard: last.map_or("", |line| line.text.as_str()),
            given: state.exchanges.done,
            // Who has something to tell hears out what is asked before.
            patience: (2 + i64::try_from(wish).unwrap_or(0)).max(if has_told { 4 } else { 2 }).min(most),
            open: stable.draw("open").chance(75) || state.trust > 0,
        }
    }

    /// Whether this is the last answer.
    fn ends(&self) -> bool {
        let leaves = LEAVING.iter().any(|word| self.heard.contains(word));
        self.given + 1 >= self.patience || (leaves && self.given > 0)
    }

    fn offered(&self) -> bool {
        OFFERING.iter().any(|word| self.heard.contains(word))
    }
}

/// What the person who is spoken to says and does.
pub(super) fn companion(request: &Request<'_>, scribe: &mut Scribe) -> Reply {
    let talk = Talk::of(request);
    let own = request.tagged("who_you_are");
    let voice = Voice::out_of(own, None, "");
    let written = |field: &str| written_words(own, field);
    scribe.set("who", short(&talk.who));
    scribe.set("npc_want", voice.want);
    scribe.set("npc_fear", voice.fear);
    let told: Vec<&str> = request.own_lines().map(|line| line.text.as_str()).collect();
    let told = told.join("\n");
    scribe.set_all("secret", voice.secrets.into_iter().filter(|secret| !told.contains(secret)).collect());
    scribe.set("rumour", rumour(request).unwrap_or_default());
    if request.results.is_empty() && talk.given == 0 && scribe.chance(20) {
        let asked = json!({"query_type": "important_events"});
        if let Some(call) = call(request, "query_session_memory", asked) {
            return Reply::call(call);
        }
    }
    let mut said = Vec::new();
    let mut calls = Vec::new();
    // What the material lets somebody say comes first; nobody says it twice.
    let says =
        |scribe: &mut Scribe, field: &str, wanted: &[&'static str], plain: &[&'static str]| match written(
            field,
        ) {
            "" => first_said(scribe, wanted, plain),
            text if told.contains(text) => scribe.say(plain),
            text => text.to_owned(),
        };
    // Whoever has had words with the party already greets nobody.
    let spoke = |text: &str| text.contains('"') && names(text, short(&request.state.you));
    // So has whoever was told of by the DM before the two went apart.
    let before = |text: &str| {
        sentences(text).into_iter().rev().skip(1).any(|told| names(told, short(&request.state.you)))
    };
    let mut told_of = request.lines.iter().rev().filter(|line| line.speaker == "DM");
    let has_met = told_of.next().is_some_and(|line| before(&line.text));
    let has_spoken = has_met || request.lines.iter().any(|line| line.speaker == "DM" && spoke(&line.text));
    if talk.given == 0 {
        said.push(match told.is_empty() {
            true if has_spoken => String::new(),
            true => says(scribe, "greets", WELCOME, WELCOME),
            false => scribe.say(WELCOME_BACK),
        });
        said.push(scribe.say(RUMOUR));
        said.push(says(scribe, "wants", OWN_WANT, PLAIN_WANT));
    }
    if talk.given > 0 || talk.ends() {
        calls.extend(moved(request, scribe, &talk, &mut said));
        calls.extend(hand_over(request, scribe, &talk, &mut said));
        let fears = talk.given == 1 && !talk.ends();
        said.push(if fears { says(scribe, "fears", OWN_FEAR, &[]) } else { String::new() });
    }
    // Whoever has told what nobody knew has no more to say.
    let has_said = |field: &str| !written(field).is_empty() && told.contains(written(field));
    // So has whoever would not.
    let is_spent = has_said("tells") || has_said("refuses");
    if (talk.ends() || talk.given >= 2) && !is_spent {
        // Whoever has taken something for it owes an answer; whoever was not won over gives none.
        let is_paid =
            request.told(&["[item] "]).any(|line| line.ends_with(&format!(" to {}", request.state.you)));
        let is_cold = COOLED.iter().any(|line| told.contains(line));
        let shares = (talk.open && !is_cold) || is_paid || talk.offered();
        said.push(if shares {
            says(scribe, "tells", REVEAL, REFUSE)
        } else {
            says(scribe, "refuses", REFUSE, REFUSE)
        });
    }
    if talk.ends() || is_spent {
        said.push(says(scribe, "parts", FAREWELL, FAREWELL));
        calls.extend(call(request, "end_dialogue", json!({})));
    } else if written("wants").is_empty() {
        said.push(scribe.say(ASK_BACK));
    }
    said.retain(|part| !part.is_empty());
    Reply { text: said.join(" "), calls, cut: false }
}

/// What the material lets this person say here; empty where it says nothing.
fn written_words<'o>(own: &'o str, field: &str) -> &'o str {
    own.lines().find_map(|line| line.strip_prefix(field)?.strip_prefix(": ")).unwrap_or("")
}

/// A sentence after the first patterns that can be said.
fn first_said(scribe: &mut Scribe, wanted: &[&'static str], plain: &[&'static str]) -> String {
    let said = scribe.say(wanted);
    if said.is_empty() { scribe.say(plain) } else { said }
}

/// What was said changes what this person feels, once in a talk.
fn moved(
    request: &Request<'_>,
    scribe: &mut Scribe,
    talk: &Talk<'_>,
    said: &mut Vec<String>,
) -> Option<(String, String)> {
    if talk.given != 1 || !request.results.is_empty() {
        return None;
    }
    let warm = talk.offered();
    // A question that the material has written offends nobody.
    if !warm && !written_words(request.tagged("who_you_are"), "fears").is_empty() {
        return None;
    }
    // Whoever has been told what somebody wants has something to say to that.
    let want = spoken_of(WANTS, talk.heard).map_or("", |want| want.heard);
    said.push(match want {
        "" => scribe.say(if warm { WARMED } else { COOLED }),
        heard => heard.to_owned(),
    });
    let step = i64::try_from(scribe.draw().below(4)).unwrap_or(0) * 5;
    let feeling = if warm { "hope" } else { "unease" };
    let change = match scribe.chance(60) {
        true => json!({"trait": "trust", "change": if warm { 10 + step } else { -5 - step }}),
        false => json!({"trait": feeling, "change": 15 + step, "duration": 20}),
    };
    call(request, "update_relationship", change)
}

/// What nobody gives to somebody whom they have only just met, as the names of things say.
const ARMS: &[&str] = &[
    "sword",
    "longsword",
    "dagger",
    "knife",
    "axe",
    "bow",
    "longbow",
    "crossbow",
    "spear",
    "mace",
    "hammer",
    "shield",
    "mail",
    "armour",
];

/// A thing that changes hands: what was offered, or something of one's own.
fn hand_over(
    request: &Request<'_>,
    scribe: &mut Scribe,
    talk: &Talk<'_>,
    said: &mut Vec<String>,
) -> Option<(String, String)> {
    let state = &request.state;
    let me = state.dialogue.head.as_str();
    let carried = state.carried(&talk.who);
    let folded = talk.heard.to_lowercase();
    let offered = carried.iter().find(|item| folded.contains(&format!("my {}", item.to_lowercase())));
    // What the rules know by a name is anybody's; what has an article is the story's.
    let is_arms = |item: &str| ARMS.iter().any(|word| names(&item.to_lowercase(), word));
    let own = state.items.iter().find(|item| item.starts_with(char::is_uppercase) && !is_arms(item));
    let (item, giver, receiver, patterns) = match (offered, own) {
        (Some(item), _) if folded.contains("take ") => (item, talk.who.as_str(), me, TAKES),
        (_, Some(item)) if talk.offered() && scribe.chance(45) => (item, me, talk.who.as_str(), GIVES),
        _ => return None,
    };
    // Whom nobody can touch takes nothing, and gives nothing.
    let own = request.tagged("who_you_are");
    if UNTOUCHED.iter().any(|words| own.contains(words)) {
        return None;
    }
    let exchange = json!({"item_name": item, "quantity": 1, "giver_id": giver, "receiver_id": receiver});
    let call = call(request, "exchange_item", exchange)?;
    let bare = ["a ", "an ", "the "].iter().find_map(|article| item.strip_prefix(article));
    scribe.set("gift", lower_first(bare.unwrap_or(item)));
    said.push(scribe.say(patterns));
    Some(call)
}

/// A thing's name within a sentence: names that are written in capitals throughout stay.
pub(super) fn lower_first(item: &str) -> String {
    let mut letters = item.chars();
    match (letters.next(), letters.next()) {
        (Some(first), Some(second)) if second.is_lowercase() || second == ' ' => {
            format!("{}{}", first.to_lowercase(), item.get(first.len_utf8()..).unwrap_or(""))
        }
        _ => item.to_owned(),
    }
}

/// The last thing that the records say, when it can be passed on as a rumour.
fn rumour(request: &Request<'_>) -> Option<String> {
    let answer = request.results.iter().find(|result| result.contains("Important events:"))?;
    let last = answer.lines().rfind(|line| line.starts_with(|c: char| c.is_ascii_digit()))?;
    let (_, text) = last.split_once(". ")?;
    let own = super::read::names(text, short(&request.state.you));
    let plain = (20..140).contains(&text.len()) && text.ends_with('.') && !own;
    plain.then(|| lower(text.trim_end_matches('.'), &[]))
}
