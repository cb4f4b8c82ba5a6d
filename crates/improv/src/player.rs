//! A player: pitches a character, ties it to the others, and declares what it does.

use serde_json::json;

use super::aside::{aside, has_mended, has_whispered, help, helped, used};
use super::clue::{ours, unsaid};
use super::combat;
use super::deed::WHOLE;
use super::fellows;
use super::grammar::Scribe;
use super::narration::HELPED;
use super::nouns::quarry;
use super::persona::Persona;
use super::pick::Pick;
use super::read::{Person, last_quote, lower, names, proper, sentences, shift, short};
use super::reply::{Reply, call};
use super::request::{Line, Request};
use super::sheet::sheet;
use super::state::Row;
use super::story::{check_told, scene_before, ways};
use super::talk::talk;
use super::talk_lines::USES;
use super::touches::touched;
use super::words::Approach;

/// What the player's seat says.
pub(super) fn player(request: &Request<'_>, scribe: &mut Scribe) -> Reply {
    let persona = Persona::of(request);
    scribe.set("me", short(&persona.name));
    scribe.set("name", persona.name.as_str());
    scribe.set("class", persona.class.to_lowercase());
    scribe.set("want", persona.want.is);
    scribe.set("wish", shift(persona.want.is, Person::Third));
    scribe.set("fear", persona.fear.is);
    scribe.set("flaw", persona.flaw.is);
    scribe.set("keepsake", persona.keepsake.is);
    scribe.set("past", persona.past.is);
    match request.state.phase.as_str() {
        "pitch" => pitch(request, scribe),
        "converge" => Reply::words(converge(request, scribe, &persona)),
        "lock" => Reply::words(lock(request, scribe, &persona)),
        _ => play(request, scribe, &persona),
    }
}

fn pitch(request: &Request<'_>, scribe: &mut Scribe) -> Reply {
    let first = request.own_lines().next().is_none();
    if first && request.results.is_empty() && scribe.chance(25) {
        let guide = json!({"path": "guides/interesting-characters", "detail": "summary"});
        if let Some(call) = call(request, "lookup_rules", guide) {
            return Reply::call(call);
        }
    }
    if !first {
        return Reply::words(paragraph([
            scribe.say(PITCH_AGAIN),
            scribe.say(PITCH_FLAW),
            scribe.say(PITCH_END),
        ]));
    }
    let intro = if scribe.has("class") { PITCH_INTRO } else { PITCH_INTRO_PLAIN };
    let intro = scribe.say(intro);
    let want = scribe.say(PITCH_WANT);
    // Whoever is asked for a fear names one.
    let is_asked = request.last_other().is_some_and(|line| line.text.contains("afraid"));
    let is_of_things = request.last_other().is_some_and(|line| line.text.contains("in their pockets"));
    // The sheet says both.
    let more = match (is_of_things, is_asked) {
        (true, _) => scribe.say(PITCH_THING),
        (false, true) => scribe.say(PITCH_FEAR),
        (false, false) => String::new(),
    };
    Reply::words(paragraph([intro, want, more, scribe.say(PITCH_FLAW)]))
}

/// Names of the other characters as far as the player has heard them.
fn others(request: &Request<'_>, own: &str) -> Vec<String> {
    let state = &request.state;
    let mut found: Vec<String> = state.players.iter().map(|player| player.name.clone()).collect();
    for line in request.lines.iter().filter(|line| !line.own) {
        let words: Vec<&str> = line.text.split_whitespace().collect();
        for pair in words.windows(2) {
            let [first, second] = pair else { continue };
            let second = second.trim_end_matches("'s").trim_end_matches(|c: char| !c.is_alphanumeric());
            if super::words::GIVEN.contains(first) && super::words::SURNAMES.contains(&second) {
                found.push(format!("{first} {second}"));
            }
        }
    }
    found.retain(|name| !name.is_empty() && name != own);
    found.sort();
    found.dedup();
    found
}

fn converge(request: &Request<'_>, scribe: &mut Scribe, persona: &Persona) -> String {
    let others = others(request, &persona.name);
    let asked = request.last_other().map(|line| line.text.as_str()).unwrap_or("");
    let question = sentences(asked).into_iter().rfind(|sentence| sentence.ends_with('?')).unwrap_or("");
    let meant: Vec<String> =
        others.iter().map(|name| short(name).to_owned()).filter(|name| names(question, name)).collect();
    let all: Vec<String> = others.iter().map(|name| short(name).to_owned()).collect();
    let other =
        scribe.draw().choose(if meant.is_empty() { &all } else { &meant }).cloned().unwrap_or_default();
    scribe.set("other", other.as_str());
    if other.is_empty() {
        return paragraph([scribe.say(BOND_ALONE), scribe.say(BOND_SCENARIO)]);
    }
    // Two people have one story between them, told once.
    let me = short(&persona.name);
    // Whoever named a character first plays it.
    let by = request.lines.iter().find(|line| names(&line.text, &other)).map(|line| line.speaker.as_str());
    let is_theirs = |line: &&Line| Some(line.speaker.as_str()) == by;
    let is_told = request.lines.iter().filter(is_theirs).any(|line| names(&line.text, me));
    if is_told {
        return scribe.say(BOND_SCENARIO);
    }
    let more = if scribe.chance(40) { BOND_SCENARIO } else { BOND_AFTER };
    paragraph([scribe.say(BOND), scribe.say(more)])
}

fn lock(request: &Request<'_>, scribe: &mut Scribe, persona: &Persona) -> String {
    if request.state.sheet == "accepted" {
        return paragraph([scribe.say(LOCKED), scribe.say(BOND_END)]);
    }
    let opening = if request.state.problems.is_empty() { SHEET_OPEN } else { SHEET_MENDED };
    format!("{}\n\n{}", scribe.say(opening), sheet(request, persona))
}

/// What the DM asks for, as after "to".
struct Task {
    text: String,
    /// Whether nothing is left but this, so that no dice decide it.
    last: bool,
}

/// The task in the DM's last question.
fn task(heard: &str) -> Option<Task> {
    let asked = sentences(heard).into_iter().rfind(|sentence| sentence.ends_with('?'))?;
    let last = [" is left is to ", " is left, which is to ", " is left but to "];
    let leads =
        [" has to ", " must ", " have to ", " is to ", " turn to ", " mean to ", " do to ", " free to "];
    let found = |leads: &[&str]| {
        let (at, lead) = leads.iter().filter_map(|lead| asked.find(lead).map(|at| (at, *lead))).min()?;
        let rest = asked.get(at + lead.len()..)?;
        let end = rest.find([':', '?']).unwrap_or(rest.len());
        let text = rest.get(..end)?.trim_end_matches(" now").trim();
        (2..=30).contains(&text.split(' ').count()).then(|| text.to_owned())
    };
    let only = found(&last).map(|text| Task { text, last: true });
    only.or_else(|| found(&leads).map(|text| Task { text, last: false }))
}

fn play(request: &Request<'_>, scribe: &mut Scribe, persona: &Persona) -> Reply {
    let heard = request
        .lines
        .iter()
        .rev()
        .find(|line| line.speaker == "DM")
        .or_else(|| request.last_other())
        .map(|line| line.text.as_str())
        .unwrap_or("");
    let apart = request.state.mode == "dialogue";
    // What the DM has shown last is what there is to do.
    let told = || request.lines.iter().rev().filter(|line| line.speaker == "DM");
    let shown = || told().find_map(|line| check_told(request, &line.text));
    let scene = || Some(Task { text: shown()?.to_owned(), last: false });
    let task = task(heard).or_else(scene).filter(|_| !apart);
    scribe.set("task", task.as_ref().map(|task| task.text.as_str()).unwrap_or(""));
    scenery(request, scribe, persona, heard);
    if apart {
        return talk(request, scribe, &persona.name);
    }
    if let Some(other) = helped(request) {
        scribe.set("other", short(&other));
        return Reply::words(scribe.say(HELPED));
    }
    if request.results.is_empty()
        && (scribe.chance(75) || !combat::is_fought(request))
        && let Some(call) = help(request)
    {
        return Reply::call(call);
    }
    if combat::is_fought(request) {
        return combat::player(request, scribe, &persona.name, &persona.class);
    }
    // Whoever has seen to a wound first, or had a word in one ear, still does what there is to do.
    let has_mended = has_mended(request);
    let has_begun = has_mended || has_whispered(request);
    if !request.results.is_empty() && !has_begun {
        return Reply::words(attempt(request, scribe, persona));
    }
    if let Some(task) = task.as_ref().filter(|task| task.last) {
        return Reply::words(last_deed(scribe, &task.text));
    }
    if let Some(call) = aside(request, scribe, persona).filter(|_| !has_begun) {
        return Reply::call(call);
    }
    let is_known = task.as_ref().is_some_and(|task| !ways(request, &task.text).is_empty());
    let percent = if is_known {
        100
    } else if task.is_some() {
        88
    } else {
        62
    };
    let wanted = request.offers("ability_check") && scribe.chance(percent);
    if wanted && let Some(check) = choose_check(request, scribe, persona, task.as_ref()) {
        let arguments = json!({
            "character": persona.name,
            "ability": check.get("ability"),
            "check": check.head,
            "reason": reason(request, persona, &check.head, task.as_ref()),
        });
        if let Some(call) = call(request, "ability_check", arguments) {
            return Reply::call(call);
        }
    }
    if has_mended {
        return Reply::words(attempt(request, scribe, persona));
    }
    let answer = fellows::answer(request, scribe, &persona.name);
    let reaction = if answer.is_empty() { reaction(scribe) } else { answer };
    let act = deed(scribe, persona.approach);
    Reply::words(paragraph([reaction, act, said(scribe), inward(request, scribe, persona)]))
}

/// Why the dice are asked.
fn reason(request: &Request<'_>, persona: &Persona, check: &str, task: Option<&Task>) -> String {
    let tried = format!("{} tries to {}", short(&persona.name), with_names(request, check));
    match task.filter(|task| !task.text.eq_ignore_ascii_case(check)) {
        Some(task) => format!("{tried}, to {}", task.text),
        None => tried,
    }
}

/// The deed that everything was for.
fn last_deed(scribe: &mut Scribe, task: &str) -> String {
    let deed = scribe.say(if task.starts_with(WHOLE) { FINAL_STEP } else { FINAL });
    let named = task.split_once("'s name").map(|(before, _)| {
        let names: Vec<&str> =
            before.rsplit(' ').take_while(|word| word.starts_with(char::is_uppercase)).collect();
        names.into_iter().rev().collect::<Vec<_>>().join(" ")
    });
    let line = match named.filter(|name| !name.is_empty()) {
        Some(name) => format!("{name}."),
        None => scribe.say(FINAL_LINES),
    };
    scribe.set("line", line);
    paragraph([deed, scribe.say(&["\"{line}\""]), scribe.say(FINAL_INWARD)])
}

/// A deed without dice, and what it is for.
fn deed(scribe: &mut Scribe, approach: Approach) -> String {
    let act = scribe.say(acts(approach));
    let act = if act.is_empty() { scribe.say(PLAIN) } else { act };
    scribe.set("act", act);
    let told = scribe.say(PURPOSE);
    if told.is_empty() { scribe.say(&["{act}."]) } else { told }
}

/// What is said along with a deed.
fn said(scribe: &mut Scribe) -> String {
    if scribe.chance(30) { scribe.say(TO_OTHERS) } else { scribe.say(SPEECH_FRAMES) }
}

/// What only the character knows, every other time.
fn inward(request: &Request<'_>, scribe: &mut Scribe, persona: &Persona) -> String {
    if request.state.turn().is_some() || scribe.chance(50) { persona.shows(request) } else { String::new() }
}

/// What the scene offers to take up.
fn scenery(request: &Request<'_>, scribe: &mut Scribe, persona: &Persona, heard: &str) {
    let state = &request.state;
    let people: Vec<String> = state.npcs.iter().map(name_of).collect();
    let here = people.iter().filter_map(|name| Some((heard.rfind(name.as_str())?, name))).max();
    // Whoever stands where the task is comes before whoever was named last; where nobody has been named, nobody is spoken to.
    let task = scribe.first("task").unwrap_or_default().to_lowercase();
    let at_task = people
        .iter()
        .find(|name| !task.is_empty() && name.split(' ').any(|part| names(&task, &part.to_lowercase())));
    let npc = at_task.or(here.map(|(_, name)| name)).cloned().unwrap_or_default();
    scribe.set("npc", npc);
    unworn(request, scribe, persona);
    let fellows: Vec<String> = state
        .players
        .iter()
        .map(|player| player.called())
        .filter(|name| *name != persona.name && *name != state.you)
        .map(|name| short(name).to_owned())
        .collect();
    scribe.set_all("other", fellows);
    scribe.set("quote", last_quote(heard).unwrap_or(""));
    scribe.set("quarry", quarry(&state.objective).unwrap_or_default());
    let listed = match persona.approach {
        Approach::Talk => TALK_LINES,
        Approach::Sneak => SNEAK_LINES,
        Approach::Force => FORCE_LINES,
        Approach::Trick => TRICK_LINES,
        Approach::Bargain => BARGAIN_LINES,
        Approach::Mend => MEND_LINES,
        Approach::Sing => SING_LINES,
        Approach::Study => STUDY_LINES,
    };
    let turned = turned(request, &[listed, ANY_LINES].concat());
    let line = scribe.say(&turned);
    let line = if line.is_empty() { scribe.say(ANY_LINES) } else { line };
    scribe.set("line", line);
}

/// Three lines that are due: every seat goes through all of its lines, because the window of what was said is too
/// short to tell that one was said an hour ago.
pub(super) fn turned(request: &Request<'_>, listed: &[&'static str]) -> Vec<&'static str> {
    const STRIDE: usize = 7;
    let stable = Pick::new(request.seed, &["lines", request.state.seat()]);
    let spoken = request.state.spoken();
    let start = stable.draw("first").below(listed.len()) + spoken % listed.len() * STRIDE;
    (start..start + 3).filter_map(|index| listed.get(index % listed.len()).copied()).collect()
}

/// Leaves unsaid for a while what the character has just spoken of: nobody mentions a fear in every breath.
fn unworn(request: &Request<'_>, scribe: &mut Scribe, persona: &Persona) {
    let own: Vec<&str> = request.own_lines().take(6).map(|line| line.text.as_str()).collect();
    let own = own.join("\n");
    for (slot, text) in [
        ("want", persona.want.is),
        ("fear", persona.fear.is),
        ("flaw", persona.flaw.is),
        ("keepsake", persona.keepsake.is),
        ("past", persona.past.is),
    ] {
        if own.contains(text) {
            scribe.set(slot, "");
        }
    }
}

fn name_of(row: &Row) -> String {
    let name = row.get("name");
    if name.is_empty() { row.head.clone() } else { name.to_owned() }
}

fn reaction(scribe: &mut Scribe) -> String {
    let quoted = scribe.has("quote") && scribe.chance(25);
    let said = if quoted { scribe.say(QUOTE_REACTIONS) } else { String::new() };
    if said.is_empty() { scribe.say(REACTIONS) } else { said }
}

/// The check that the task names, else one that suits the approach; not one that the character has just tried.
fn choose_check<'r>(
    request: &'r Request<'_>,
    scribe: &mut Scribe,
    persona: &Persona,
    task: Option<&Task>,
) -> Option<&'r Row> {
    let state = &request.state;
    let stale = |row: &&Row| {
        let tried =
            state.last_checks.iter().any(|last| last.head == persona.name && last.flag(0) == row.head);
        let head = row.head.to_lowercase();
        let said =
            request.own_lines().take(1).filter(|line| line.text.to_lowercase().contains(&head)).count();
        tried || said > 0
    };
    // The task may be a check by its name.
    let told = task.map_or(String::new(), |task| task.text.to_lowercase());
    let named = state.checks.iter().find(|row| told.contains(&row.head.to_lowercase()));
    if named.is_some() {
        return named;
    }
    let last = request.lines.iter().rev().filter(|line| line.text.starts_with("[check]")).take(3);
    let recent: Vec<String> = last.map(|line| line.text.to_lowercase()).collect();
    let worth = |row: &Row| {
        let own = persona.approach.abilities().contains(&row.get("ability"));
        // What another has just failed at is worth less.
        let worn = recent.iter().filter(|text| text.contains(&row.head.to_lowercase())).count().min(2);
        (8 + 2 * usize::from(own)).saturating_sub(2 * worn)
    };
    let fresh: Vec<&Row> = state.checks.iter().filter(|row| !stale(row)).collect();
    let pool = if fresh.is_empty() { state.checks.iter().collect() } else { fresh };
    pool.into_iter().max_by_key(|row| worth(row) + scribe.draw().below(4))
}

/// What became of the check, as its result and the table say.
enum Outcome {
    Success(String),
    Failure(String),
    Nothing,
}

fn outcome(request: &Request<'_>, persona: &Persona) -> Outcome {
    let result = request.results.last().map(String::as_str).unwrap_or("");
    let folded = result.to_lowercase();
    let listed =
        request.state.checks.iter().filter(|row| result.contains(&row.head)).max_by_key(|row| row.head.len());
    let tried = listed.map(|row| row.head.clone()).unwrap_or_else(|| {
        let last = request.state.last_checks.iter().rev().find(|last| last.head == persona.name);
        last.map(|last| last.flag(0).to_owned()).unwrap_or_default()
    });
    let refused =
        ["refused", "error", "not offered", "unknown", "invalid"].iter().any(|word| folded.contains(word));
    if refused {
        Outcome::Nothing
    } else if folded.contains("fail") || folded.contains("\"success\":false") {
        Outcome::Failure(tried)
    } else if folded.contains("succe") || folded.contains("pass") {
        Outcome::Success(tried)
    } else {
        Outcome::Nothing
    }
}

/// The player's words once the dice have spoken.
fn attempt(request: &Request<'_>, scribe: &mut Scribe, persona: &Persona) -> String {
    let (tried, failed, end) = match outcome(request, persona) {
        Outcome::Success(tried) => (tried, false, scribe.say(&turned(request, CHECK_SUCCESS))),
        Outcome::Failure(tried) => (tried, true, scribe.say(&turned(request, CHECK_FAILURE))),
        Outcome::Nothing => (String::new(), false, deed(scribe, persona.approach)),
    };
    scribe.set("thing", used(request).unwrap_or_default());
    let mended = if scribe.has("thing") { scribe.say(USES) } else { String::new() };
    let row = request.state.checks.iter().find(|row| row.head == tried);
    let ability = row.map_or("", |row| row.get("ability"));
    let ways: Vec<String> = ways(request, &tried).into_iter().map(str::to_owned).collect();
    if let Some(way) = scribe.least_heard(&ways) {
        // The material says what is done; what comes of it, the DM tells.
        let clue = unsaid(request, &tried);
        scribe.set("noticed", clue.as_ref().map(|clue| ours(clue.text)).unwrap_or_default());
        let others = clue.as_ref().map(|clue| clue.who).filter(|who| *who != persona.name);
        scribe.set("seer", others.map(short).unwrap_or_default());
        // Where nobody is to hear anything, only what one has seen oneself is worth a whisper.
        // Nobody speaks of somebody to their face.
        let scene = format!("{tried} {}", scene_before(request, &tried));
        let both =
            |name: &str, text: &str| name.split(' ').any(|part| names(&scene, part) && names(text, part));
        let is_of = |text: &str| request.state.npcs.iter().any(|row| both(&name_of(row), text));
        let is_theirs = clue.as_ref().is_some_and(|clue| is_of(clue.text));
        // What has just come out comes before anything that was noticed.
        let remark = fellows::remark(request, scribe, &persona.name);
        let seen = match (others, is_theirs || ["DEX", "HANDS"].contains(&ability)) {
            _ if !remark.is_empty() => String::new(),
            (Some(_), true) => String::new(),
            (Some(_), false) => scribe.say(&turned(request, NOTICED_BY_ANOTHER)),
            (None, true) => scribe.say(&turned(request, NOTICED_QUIETLY)),
            (None, false) => scribe.say(&turned(request, NOTICED)),
        };
        let quiet = seen.is_empty() && mended.is_empty();
        let word = match quiet && remark.is_empty() {
            true => fellows::word(request, scribe, &persona.name, &tried),
            false => remark,
        };
        let touched = touched(request, persona, &format!("{tried} {way}"));
        // What is said of something else stands by itself.
        let before = paragraph([word, seen]);
        let own = paragraph([mended, way, touched]);
        return if before.is_empty() { own } else { format!("{before}\n\n{own}") };
    }
    let phrase = verb_phrase(&with_names(request, &tried));
    // Whoever fails to win somebody over has not won them over.
    scribe.set("try", if failed && tried.contains(' ') { format!("try to {phrase}") } else { phrase });
    let word = fellows::word(request, scribe, &persona.name, &tried);
    let lead = match mended.is_empty() {
        false => mended,
        true if !word.is_empty() => word,
        true if scribe.chance(45) => reaction(scribe),
        true => String::new(),
    };
    // "To win her over, I win her over" says nothing.
    let verb = |text: &str| text.split(' ').next().unwrap_or("").to_owned();
    let other = scribe.first("task").is_some_and(|task| verb(task) != verb(&tried));
    let act = match (scribe.has("try"), other) {
        (false, _) => String::new(),
        (true, true) => scribe.say(TRY),
        (true, false) => scribe.say(PLAIN_TRY),
    };
    // A line of the character is for whoever is spoken to, and nobody is while a rope is tied.
    let speaks = ability.is_empty() || ["CHA", "HEART", "WIS", "WITS"].contains(&ability);
    let said = if speaks { said(scribe) } else { scribe.say(TO_OTHERS) };
    paragraph([lead, act, end, said, inward(request, scribe, persona)])
}

/// The text with capitals where it names somebody whom the table has spoken of.
fn with_names(request: &Request<'_>, text: &str) -> String {
    let said: Vec<&str> =
        request.lines.iter().filter(|line| !line.speaker.is_empty()).map(|line| line.text.as_str()).collect();
    let met: Vec<String> = request.state.npcs.iter().map(|row| format!("and {}", name_of(row))).collect();
    proper(text, &format!("{}\n{}", said.join("\n"), met.join(" ")))
}

/// The name of a check as something that one does.
fn verb_phrase(name: &str) -> String {
    let one_word = !name.trim().contains(' ');
    if name.is_empty() {
        String::new()
    } else if one_word {
        format!("try my luck at {}", lower(name, &[]))
    } else {
        name.to_owned()
    }
}

fn paragraph<const N: usize>(parts: [String; N]) -> String {
    parts.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

fn acts(approach: Approach) -> &'static [&'static str] {
    use super::lines::*;
    match approach {
        Approach::Talk => TALK,
        Approach::Sneak => SNEAK,
        Approach::Force => FORCE,
        Approach::Trick => TRICK,
        Approach::Bargain => BARGAIN,
        Approach::Mend => MEND,
        Approach::Sing => SING,
        Approach::Study => STUDY,
    }
}

use super::lines::*;
