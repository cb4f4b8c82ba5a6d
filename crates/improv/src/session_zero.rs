//! The DM before play: a premise, ties between characters, and the papers that close Session Zero.

use serde_json::json;

use super::grammar::{Scribe, capital, made_after};
use super::lines::{BOND, BOND_SCENARIO};
use super::read::{Person, action, clause_after, lower, sentences, shift, short};
use super::reply::{Reply, call};
use super::request::Request;
use super::state::Player;
use super::traits::{FEARS, FLAWS, KEEPSAKES, Trait, WANTS, spoken_of};

/// Sentences of a scenario that are told before a player speaks: so many of its beginning, and of its last paragraph.
const PREMISE_BEGINS: usize = 2;
const PREMISE_ENDS: usize = 6;

/// What the DM says in the pitch, converge and lock phases.
pub(super) fn dm(request: &Request<'_>, scribe: &mut Scribe) -> Reply {
    let first = request.own_lines().next().is_none();
    if first && request.results.is_empty() && scribe.chance(75) {
        let guide = json!({"path": "guides/interesting-campaigns", "detail": "summary"});
        if let Some(call) = call(request, "lookup_rules", guide) {
            return Reply::call(call);
        }
    }
    let text = match request.state.phase.as_str() {
        "pitch" => pitch(request, scribe, first),
        "converge" => converge(request, scribe),
        _ => lock(request, scribe),
    };
    Reply::words(text)
}

/// The player who shall speak next: silent ones first, then the one who waited longest.
fn next<'r>(request: &'r Request<'_>) -> Option<&'r Player> {
    let last = request.last_other().map(|line| line.speaker.as_str()).unwrap_or("");
    let lasting = |player: &Player| player.seat == last || player.name == last;
    request
        .state
        .players
        .iter()
        .enumerate()
        .min_by_key(|(index, player)| (player.spoken, lasting(player), -player.waited, *index))
        .map(|(_, player)| player)
}

/// Whether nobody has spoken in this phase yet: the DM's own words are the last.
fn opens(request: &Request<'_>) -> bool {
    request.lines.last().is_some_and(|line| line.own)
}

/// A character as far as the table has heard of it.
struct Heard<'r> {
    player: &'r Player,
    /// The character's name when it is known, else the seat's.
    name: String,
    want: Option<String>,
    fear: Option<&'static str>,
    flaw: Option<&'static str>,
    keepsake: Option<&'static str>,
    secret: Option<String>,
}

fn heard<'r>(request: &'r Request<'_>, player: &'r Player) -> Heard<'r> {
    let said: Vec<&str> = request
        .lines
        .iter()
        .filter(|line| {
            line.speaker == player.seat || (!player.name.is_empty() && line.speaker == player.name)
        })
        .map(|line| line.text.as_str())
        .collect();
    let said = said.join("\n");
    let find = |list: &'static [Trait]| spoken_of(list, &said).map(|found| found.is);
    let want = find(WANTS)
        .map(str::to_owned)
        .or_else(|| clause_after(&said, &["I want to ", "wants to "]).map(str::to_owned));
    let secret =
        said.lines().find_map(|line| line.trim().strip_prefix("Secret:")).map(|text| text.trim().to_owned());
    Heard {
        name: if player.name.is_empty() {
            name_in(&said).unwrap_or_else(|| player.seat.clone())
        } else {
            player.name.clone()
        },
        player,
        want,
        fear: find(FEARS),
        flaw: find(FLAWS),
        keepsake: find(KEEPSAKES),
        secret,
    }
}

/// The first pair of capitalised words that looks like a character's name.
fn name_in(said: &str) -> Option<String> {
    if let Some(line) = said.lines().find_map(|line| line.trim().strip_prefix("Name:")) {
        return Some(line.trim().to_owned());
    }
    let words: Vec<&str> = said.split_whitespace().collect();
    words.windows(2).find_map(|pair| {
        let [first, second] = pair else { return None };
        let second = second.trim_end_matches(|c: char| !c.is_alphanumeric()).trim_end_matches("'s");
        let named = super::words::GIVEN.contains(first) && super::words::SURNAMES.contains(&second);
        named.then(|| format!("{first} {second}"))
    })
}

fn pitch(request: &Request<'_>, scribe: &mut Scribe, first: bool) -> String {
    let mut said = Vec::new();
    if first {
        said.push(scribe.say(WELCOME));
        let scenario = request.tagged("scenario");
        let public = scenario.split("[DM ONLY]").next().unwrap_or("");
        said.extend(premise(public));
        said.push(scribe.say(PREMISE_TURN));
    } else {
        said.push(comment(request, scribe));
    }
    if request.state.may_close && !request.state.marker.is_empty() {
        said.push(scribe.say(PITCH_CLOSE));
        return closing(said, &request.state.marker);
    }
    if let Some(next) = next(request) {
        scribe.set("next", next.called());
        said.push(scribe.say(PITCH_ASK));
    }
    join(said)
}

/// How the scenario begins, and what somebody wants from the party, which stands in its last paragraph.
fn premise(public: &str) -> Vec<String> {
    let public = public.trim();
    let (before, last) = public.rsplit_once("\n\n").unwrap_or(("", public));
    let begins = sentences(before).into_iter().take(PREMISE_BEGINS);
    begins.chain(sentences(last).into_iter().take(PREMISE_ENDS)).map(str::to_owned).collect()
}

/// A remark on what the last player said.
fn comment(request: &Request<'_>, scribe: &mut Scribe) -> String {
    let Some(player) = request.last_other().and_then(|line| request.state.player(&line.speaker)) else {
        return scribe.say(PITCH_BRIDGE);
    };
    let heard = heard(request, player);
    scribe.set("who", short(&heard.name));
    scribe.say(PITCH_BRIDGE)
}

fn converge(request: &Request<'_>, scribe: &mut Scribe) -> String {
    let state = &request.state;
    let mut said = Vec::new();
    if opens(request) || request.last_other().is_none() {
        said.push(scribe.say(CONVERGE_OPEN));
    }
    if state.may_close && !state.marker.is_empty() {
        let names: Vec<String> =
            state.players.iter().map(|player| short(&heard(request, player).name).to_owned()).collect();
        scribe.set("party", list(&names));
        said.push(scribe.say(CONVERGE_CLOSE));
        return closing(said, &state.marker);
    }
    if let Some(next) = next(request) {
        let me = heard(request, next);
        // Everybody is asked about the one who sits next: so each two have one story between them.
        let place = state.players.iter().position(|player| player.seat == next.seat).unwrap_or(0);
        let neighbours =
            state.players.iter().cycle().skip(place + 1).take(state.players.len().saturating_sub(1));
        let known =
            neighbours.map(|other| heard(request, other)).find(|other| other.name != other.player.seat);
        scribe.set("next", next.called());
        scribe.set("mine", short(&me.name));
        // Two people have one story between them, told once.
        let is_told = |other: &Heard<'_>| {
            let mut told = request.lines_by([&other.player.seat, other.player.called()]);
            told.any(|line| line.text.contains(short(&me.name)))
        };
        let ask = if known.as_ref().is_some_and(is_told) { CONVERGE_WHY } else { CONVERGE_ASK };
        scribe.set("other", known.map(|other| short(&other.name).to_owned()).unwrap_or_default());
        let asked = scribe.say(ask);
        said.push(if asked.is_empty() { scribe.say(CONVERGE_ASK_ALONE) } else { asked });
    }
    join(said)
}

fn lock(request: &Request<'_>, scribe: &mut Scribe) -> String {
    let state = &request.state;
    let lacking = state
        .players
        .iter()
        .filter(|player| {
            state.missing.iter().any(|line| {
                line.contains("character")
                    && (line.ends_with(&player.seat) || line.ends_with(player.called()))
            })
        })
        .max_by_key(|player| player.waited);
    let Some(player) = lacking else { return papers(request, scribe) };
    let mut said = Vec::new();
    let last = request.last_other().filter(|_| !opens(request)).and_then(|line| state.player(&line.speaker));
    if let Some(last) = last {
        scribe.set("who", short(&heard(request, last).name));
        said.push(scribe.say(if last.seat == player.seat { LOCK_AGAIN } else { LOCK_THANKS }));
    }
    scribe.set("next", player.called());
    scribe.set("mine", short(&heard(request, player).name));
    said.push(scribe.say(LOCK_ASK));
    join(said)
}

/// The scenario, the party document, and the marker.
fn papers(request: &Request<'_>, scribe: &mut Scribe) -> String {
    let state = &request.state;
    let cast: Vec<Heard<'_>> = state.players.iter().map(|player| heard(request, player)).collect();
    let names: Vec<String> = cast.iter().map(|one| one.name.clone()).collect();
    scribe.set("party", list(&names));
    let scenario = request.tagged("scenario");
    let (public, hidden) = scenario.split_once("[DM ONLY]").unwrap_or((scenario, ""));
    let dms = request.tagged("scenario_dm");
    let hidden = if dms.is_empty() { hidden.trim_end_matches("[/DM ONLY]").trim() } else { dms };
    let mut text = join(vec![scribe.say(PAPERS_OPEN)]);
    text.push_str("\n\n[SCENARIO]\n");
    text.push_str(if public.trim().is_empty() {
        "Something has gone missing in a small town, and several people need it back for different reasons."
    } else {
        public.trim()
    });
    text.push_str("\n\n");
    text.push_str(&scribe.say(SCENARIO_PARTY));
    text.push_str("\n[DM ONLY]\n");
    if !hidden.is_empty() {
        text.push_str(hidden);
        text.push('\n');
    }
    for one in &cast {
        scribe.set("who", short(&one.name));
        scribe.set("want", one.want.as_deref().map(|want| shift(want, Person::Third)).unwrap_or_default());
        scribe.set("fear", one.fear.map(|fear| shift(fear, Person::Third)).unwrap_or_default());
        text.push_str(&scribe.say(DM_ONLY));
        text.push('\n');
    }
    text.push_str("[/DM ONLY]\n[/SCENARIO]\n\n[PARTY_DOCUMENT]\n");
    text.push_str(&document(request, scribe, &cast));
    text.push_str("[/PARTY_DOCUMENT]\n\n");
    text.push_str(if state.marker.is_empty() { "SESSION ZERO LOCKED" } else { &state.marker });
    text
}

fn document(request: &Request<'_>, scribe: &mut Scribe, cast: &[Heard<'_>]) -> String {
    let mut parts: [Vec<String>; 5] = Default::default();
    for (index, one) in cast.iter().enumerate() {
        let other = cast.get((index + 1) % cast.len().max(1)).map(|other| other.name.as_str()).unwrap_or("");
        scribe.set("who", one.name.as_str());
        scribe.set("other", if other == one.name { "" } else { other });
        scribe.set("want", one.want.as_deref().map(|want| shift(want, Person::Third)).unwrap_or_default());
        scribe.set("fear", one.fear.map(|fear| shift(fear, Person::Third)).unwrap_or_default());
        scribe.set("keepsake", one.keepsake.map(|thing| shift(thing, Person::Third)).unwrap_or_default());
        scribe.set(
            "flaw",
            one.flaw.map(|flaw| shift(flaw.trim_start_matches("I "), Person::Third)).unwrap_or_default(),
        );
        parts[0].push(tie(request, one, cast).unwrap_or_else(|| scribe.say(RELATIONSHIP)));
        parts[1].push(scribe.say(HOOK));
        parts[2].push(match &one.want {
            Some(want) => format!("{} wants to {}.", one.name, shift(want, Person::Third)),
            None => format!("{} wants to come out of this better than they went in.", one.name),
        });
        parts[3].push(scribe.say(TENSION));
        parts[4].push(match &one.secret {
            Some(secret) => format!("{}: {secret}", one.name),
            None => scribe.say(SECRET),
        });
    }
    let heads = ["Relationships", "Hooks", "Goals", "Tensions", "Secrets"];
    let mut text = String::new();
    for (head, bullets) in heads.iter().zip(&parts) {
        text.push_str(&format!("### {head}\n"));
        for bullet in bullets.iter().filter(|bullet| !bullet.is_empty()) {
            text.push_str(&format!("- {bullet}\n"));
        }
    }
    text
}

/// A tie as the player told it: a sentence of theirs that names another character.
fn tie(request: &Request<'_>, one: &Heard<'_>, cast: &[Heard<'_>]) -> Option<String> {
    let lines = request.lines_by([&one.player.seat, one.player.called()]);
    for line in lines.filter(|line| !line.text.contains("[CHARACTER]")) {
        for sentence in sentences(&line.text) {
            let tied =
                cast.iter().any(|other| other.name != one.name && sentence.contains(short(&other.name)));
            // A short beginning of a story is no reason to begin in its middle; what the business promises is no tie.
            let begins = made_after(&line.text, BOND).is_some() && sentence.len() > 20;
            let is_long = sentence.len() > 40 || begins;
            let is_plain =
                !sentence.contains(['"', '?', ':']) && made_after(sentence, BOND_SCENARIO).is_none();
            if tied && is_plain && is_long {
                // A story of two is told to its point.
                let whole = made_after(&line.text, BOND).and(line.text.split_once(sentence));
                let rest = whole.and_then(|(_, rest)| sentences(rest.trim()).into_iter().next());
                let is_begun = made_after(sentence, BOND).is_none();
                let sentence = match rest.filter(|_| whole.is_some() && is_begun) {
                    Some(rest) => format!("{sentence} {rest}"),
                    None => sentence.to_owned(),
                };
                let told = lower(&sentence, &[]);
                return Some(format!("{} says it like this: \"{}\"", one.name, capital(&told)));
            }
        }
    }
    action(&request.lines_by([&one.player.seat, one.player.called()]).next()?.text)
        .map(|act| format!("{} has been seen to {}.", one.name, shift(&act, Person::Third)))
}

/// "A, B and C".
pub(super) fn list(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn join(said: Vec<String>) -> String {
    said.into_iter().filter(|part| !part.is_empty()).collect::<Vec<_>>().join(" ")
}

fn closing(said: Vec<String>, marker: &str) -> String {
    format!("{}\n\n{marker}", join(said))
}

const WELCOME: &[&str] = &[
    "Welcome. [Mind the candle|Find a chair with all its legs|Boots off the table]. Here is where we are.",
    "Good, only one of us is eating. [Listen|Let me begin|Here is the place].",
    "Right: [cups down|boots off the table], [ears open|dice away].",
    "First a place for you to stand in.",
    "I promised you [mud and weather|a large problem].",
    "Is the door shut? Then I begin.",
    "Nobody is late but the one who is always late, so I begin.",
    "Put the [cat|hat|cake] on the floor and listen.",
    "You may [knit|shell peas] while I talk. This is how things stand.",
    "[Sit|Sit down], all of you. It goes like this.",
];
const PREMISE_TURN: &[&str] = &[
    "Now it wants [people|you|fools].",
    "[Somebody|One of you] has to walk into that.",
    "I want people who stand to lose something.",
    "That is the place. Now for [the people|you].",
    "So much for the place.",
    "Who would go there?",
];
const PITCH_ASK: &[&str] = &[
    "{next}, who are you bringing?",
    "{next}, who do you want to play?",
    "{next}, who walks in, and [what is in their pockets|what are they afraid of|what do they want]?",
    "{next}, your turn: who is it?",
    "{next}, who have you got for us?",
    "And {next}, who are you: [a name, a want, a fear|somebody for whom something went wrong]?",
    "{next}, tell me: who comes?",
];
const PITCH_BRIDGE: &[&str] = &[
    "[I can work with that|That goes into my notes].",
    "I know a door for that one to knock on.",
    "[Good|Oh, good|Noted].",
    "I shall try to be fair about it.",
    "I have a chair in mind for that one.",
    "Remember that you said that.",
    "That changes my afternoon's work.",
    "I am sharpening a pencil.",
    "{who} will do.",
    "Somebody here knew {who}'s mother.",
];
const PITCH_CLOSE: &[&str] = &[
    "That is everybody. [We have our company|I would not lend any of them money].",
    "So these are the people. They will do.",
    "Nobody sensible came. Good.",
    "Then we are complete.",
];
const CONVERGE_OPEN: &[&str] = &[
    "Strangers make a poor party.",
    "Now, who already owes whom?",
    "A company needs a past, even [a short one|a bad one].",
    "You have met before, I think.",
];
const CONVERGE_ASK: &[&str] = &[
    "{next}, how does {mine} know {other}?",
    "{next}, what did {other} once do that {mine} has [never repaid|not forgiven|told nobody]?",
    "{next}, where were you and {other} when it [all went wrong|rained], and who [paid|apologised]?",
    "{next}, what does {mine} owe {other}, or the other way about?",
];
const CONVERGE_WHY: &[&str] = &[
    "{next}, and why does {mine} come along?",
    "{next}, what is in this for {mine}?",
    "{next}, what does {mine} hope to get out of it?",
];
const CONVERGE_ASK_ALONE: &[&str] =
    &["{next}, what ties {mine} to the others here?", "{next}, whom at this table does {mine} know?"];
const CONVERGE_CLOSE: &[&str] = &[
    "{Cap party}: I would not call it a family, but I have seen families [do worse|with less to talk about].",
    "That will hold. {Cap party} have reasons to walk in side by side, and two or three to [argue on the way|look over their shoulders].",
    "[Enough knots|Enough history]: {party} are tied together, [well or badly|for better or worse], and I can go on.",
];
const LOCK_THANKS: &[&str] = &[
    "Thank you; {who} is on paper now, which is [nearly the same as real|more than most of us can say].",
    "I have {who} in ink. [There is no getting out of it|It suits them].",
    "{who} is written down, [equipment and all|bad habits included].",
    "{who} is done, and [fits on one page|legible, mostly].",
];
const LOCK_AGAIN: &[&str] = &[
    "Nearly, {who}: the rules have [a small objection|cleared their throat], so look at the reasons and mend it.",
    "The numbers for {who} do not [add up yet|sit straight]; it is a small repair.",
];
const LOCK_ASK: &[&str] = &[
    "{next}, may I have the finished sheet?",
    "{next}, may I have {mine} in full?",
    "{next}, what does {mine}'s sheet say?",
    "{next}, who is {mine} in numbers?",
];
const PAPERS_OPEN: &[&str] = &[
    "[Everything|It] is on the table, so here it is in writing.",
    "I have all the sheets.",
    "Good. This is what we start from.",
    "[Here it is, in ink|I read it back to you]: {party}.",
    "That is everything. It stands like this.",
];
const SCENARIO_PARTY: &[&str] = &[
    "Into this walk {party}, each with a reason of their own to care how it ends.",
    "{Cap party} are here when it begins, and not one of them has come by accident.",
    "The people who will have to do something about it are {party}.",
];
const DM_ONLY: &[&str] = &[
    "Put {who}'s wish to {want} [on the scales|within reach] once, and make it cost something.",
    "Somewhere {who}, who wants to {want}, should have to choose between that and the task.",
    "{who} is afraid of {fear}: [let it be in the room once|bring it in when the going is easy].",
    "If somebody offers {who} help to {want}, let it be the wrong person who offers.",
];
const RELATIONSHIP: &[&str] = &[
    "{who} and {other} have worked together before and do not agree on how well it went.",
    "{who} would lend {other} money, which {other} knows.",
    "{who} trusts {other} further than is wise.",
];
const HOOK: &[&str] = &[
    "{who} carries {a keepsake}, which came from somebody who may be nearer than {who} thinks.",
    "{who} hopes that this business will help to {want}.",
    "{who} has to be somewhere else by the end of the week, and has told nobody why.",
    "If this goes well, {who} is owed a favour, and knows what to ask: to {want}.",
    "{who} came in place of somebody else, who [was afraid|would have been better at it].",
    "{who} has been paid half of something already, and has spent it.",
];
const TENSION: &[&str] = &[
    "{who} is afraid of {fear}, and {other} has noticed.",
    "{who} tends to {flaw}, which {other} finds hard to bear.",
    "{who} and {other} want different things from the same business.",
];
const SECRET: &[&str] = &[
    "{who} has not said why they really came.",
    "{who} has told one lie at this table and means to keep it.",
];
