//! Reads the body of a chat-completions request as leniently as a model would.

use std::borrow::Cow;

use serde::Deserialize;
use serde_json::value::RawValue;

use super::state::{Row, TableState};

/// So many checks are pointed to at most: the steps of an encounter.
const CHECKS_CITED: usize = 3;

#[derive(Deserialize)]
struct RawRequest<'a> {
    #[serde(borrow, default)]
    model: Option<&'a RawValue>,
    #[serde(borrow, default)]
    messages: Vec<RawMessage<'a>>,
    #[serde(borrow, default)]
    tools: Option<Vec<RawTool<'a>>>,
    #[serde(borrow, default)]
    seed: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct RawMessage<'a> {
    #[serde(borrow, default)]
    role: Cow<'a, str>,
    #[serde(borrow, default)]
    content: Option<&'a RawValue>,
    #[serde(borrow, default)]
    tool_calls: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct RawTool<'a> {
    #[serde(borrow)]
    function: RawFunction<'a>,
}

#[derive(Deserialize)]
struct RawFunction<'a> {
    #[serde(borrow)]
    name: Cow<'a, str>,
    #[serde(borrow, default)]
    parameters: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Part {
    #[serde(default)]
    text: String,
}

/// A tool that the request offers: its name and its schema as JSON text.
pub(super) struct Offer<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) schema: &'a str,
}

/// Something said at the table, oldest first.
pub(super) struct Line {
    /// A name, or empty for effects in square brackets.
    pub(super) speaker: String,
    /// Whether the seat that is asked said it.
    pub(super) own: bool,
    /// The number by which it can be cited.
    pub(super) label: Option<u32>,
    pub(super) text: String,
}

/// What the seat is asked.
pub(super) struct Request<'a> {
    pub(super) model: String,
    pub(super) seed: i128,
    /// The system messages and everything else that is no line of the table.
    pub(super) material: String,
    pub(super) lines: Vec<Line>,
    /// The last message of the user without its table state.
    pub(super) asked: String,
    pub(super) tools: Vec<Offer<'a>>,
    /// Answers of tools since anybody last spoke.
    pub(super) results: Vec<String>,
    /// Answers of tools since anybody else last spoke.
    pub(super) answers: Vec<String>,
    /// Every answer of a tool that is still before the model's eyes.
    pub(super) records: Vec<String>,
    pub(super) state: TableState,
    /// Those of the DM's people who came up in play.
    pub(super) newcomers: Vec<Row>,
}

impl<'a> Request<'a> {
    /// The request in this body, or nothing when it is no such request.
    pub(super) fn read(body: &'a str) -> Option<Request<'a>> {
        let raw: RawRequest<'a> = serde_json::from_str(body).ok()?;
        let messages: Vec<(&str, String, bool)> = raw
            .messages
            .iter()
            .map(|message| (&*message.role, content(message.content), message.tool_calls.is_some()))
            .collect();
        let says = |text: &str| !split_state(text).0.trim().is_empty();
        let last_user = messages.iter().rposition(|(role, text, _)| *role == "user" && says(text));
        let mut state = TableState::default();
        if let Some((_, text, _)) = messages.iter().rev().find(|(_, text, _)| text.contains(OPEN)) {
            state = TableState::read(split_state(text).1);
        }
        let speakers = state.speakers();
        let mut request = Request {
            model: raw.model.map(|model| content(Some(model))).unwrap_or_default(),
            seed: raw.seed.and_then(|seed| seed.get().parse().ok()).unwrap_or(0),
            material: String::new(),
            lines: Vec::new(),
            asked: String::new(),
            tools: raw.tools.map(offers).unwrap_or_default(),
            results: Vec::new(),
            answers: Vec::new(),
            records: Vec::new(),
            state,
            newcomers: Vec::new(),
        };
        for (index, (role, text, _)) in messages.iter().enumerate() {
            match *role {
                "system" | "developer" => request.add_material(split_state(text).0),
                "assistant" => {
                    request.results.clear();
                    let own = text.trim();
                    if !own.is_empty() {
                        let speaker = request.state.you.clone();
                        request.lines.push(Line { speaker, own: true, label: None, text: own.to_owned() });
                    }
                }
                "tool" => {
                    request.results.push(text.clone());
                    request.answers.push(text.clone());
                    request.records.push(text.clone());
                }
                // The table state alone says nothing: what a tool answered before it is still the last word.
                _ if !says(text) => {}
                _ => {
                    request.results.clear();
                    request.answers.clear();
                    let spoken = split_state(text).0;
                    request.add_lines(spoken, &speakers);
                    if Some(index) == last_user {
                        request.asked = spoken.trim().to_owned();
                    }
                }
            }
        }
        request.state.take_missing(&request.material);
        // What was registered in an earlier encounter is still told in the history.
        let told = "[TOOL] New hidden goal registered on the fly: - ";
        let told = request
            .results
            .iter()
            .flat_map(|result| result.lines())
            .filter_map(|line| line.strip_prefix(told));
        for line in told.map(goal).collect::<Vec<_>>() {
            if request.state.goals.iter().all(|known| known.head != line.head) {
                request.state.goals.push(line);
            }
        }
        let checks: Vec<Row> = request.results.iter().filter_map(|result| checked(result)).collect();
        request.state.last_checks.extend(checks);
        request.part_newcomers();
        Some(request)
    }

    /// Those who came up in play stand among the DM's people, but the material was written without them.
    fn part_newcomers(&mut self) {
        let came_up = self.tagged("supporting_npcs").to_owned();
        let told: Vec<String> = self.told(&["[new] "]).map(str::to_owned).collect();
        let is_new = |row: &Row| {
            let id = format!(", id {}", row.head);
            came_up.contains(&id) || told.iter().any(|told| told.ends_with(&id))
        };
        let (newcomers, npcs) = std::mem::take(&mut self.state.npcs).into_iter().partition(is_new);
        self.state.npcs = npcs;
        self.newcomers = newcomers;
    }

    fn add_material(&mut self, text: &str) {
        self.material.push_str(text);
        self.material.push('\n');
    }

    /// Takes a user message apart into what people said, effects, and material in tags.
    fn add_lines(&mut self, text: &str, speakers: &[String]) {
        let mut open = false;
        // A summary may well begin a line with a name and a colon; only the passage to summarise is said.
        let mut within: Option<&str> = None;
        for paragraph in text.split('\n').map(str::trim).filter(|paragraph| !paragraph.is_empty()) {
            let (label, paragraph) = labelled(paragraph);
            let tag = paragraph.strip_prefix('<').and_then(|rest| rest.strip_suffix('>'));
            if let Some(name) = within {
                self.add_material(paragraph);
                within = Some(name).filter(|name| tag.and_then(|tag| tag.strip_prefix('/')) != Some(name));
            } else if paragraph.starts_with('<') || paragraph.starts_with('#') {
                open = false;
                within = tag.filter(|tag| !tag.starts_with('/') && *tag != "passage");
                within = within.filter(|name| text.contains(&format!("</{name}>")));
                self.add_material(paragraph);
            } else if paragraph.starts_with('[') && paragraph.contains("] ") {
                open = false;
                let text = paragraph.to_owned();
                self.lines.push(Line { speaker: String::new(), own: false, label, text });
            } else if let Some((speaker, said)) = spoken_by(paragraph, speakers) {
                open = true;
                self.lines.push(Line { speaker, own: false, label, text: said.to_owned() });
            } else if let (true, Some(line)) = (open, self.lines.last_mut()) {
                line.text.push('\n');
                line.text.push_str(paragraph);
            } else {
                self.add_material(paragraph);
            }
        }
    }

    /// The text between `<tag>` and `</tag>`, wherever it stands; empty when it is absent.
    pub(super) fn tagged(&self, tag: &str) -> &str {
        let open = format!("<{tag}");
        let close = format!("</{tag}>");
        let Some(start) = self.material.find(&open) else { return "" };
        let rest = self.material.get(start + open.len()..).unwrap_or("");
        let Some(end_of_tag) = rest.find('>') else { return "" };
        let inner = rest.get(end_of_tag + 1..).unwrap_or("");
        inner.find(&close).and_then(|end| inner.get(..end)).unwrap_or("").trim()
    }

    /// The numbers of the lines that show how something came about: the newest checks that ended so, and what was done and said last.
    pub(super) fn citable(&self, succeeded: bool) -> Vec<u32> {
        let labelled = self.lines.iter().filter(|line| line.label.is_some());
        let end = if succeeded { "success" } else { "failure" };
        let is_check = |line: &&Line| line.text.starts_with("[check]") && line.text.ends_with(end);
        let checks = labelled.clone().rev().filter(is_check).take(CHECKS_CITED);
        let mut labels: Vec<u32> =
            checks.chain(labelled.rev().take(1)).filter_map(|line| line.label).collect();
        labels.sort_unstable();
        labels.dedup();
        labels
    }

    /// What the last other person said, and who.
    pub(super) fn last_other(&self) -> Option<&Line> {
        self.lines.iter().rev().find(|line| !line.own && !line.speaker.is_empty())
    }

    /// What happened since the asked seat last said something: effects in square brackets, oldest first.
    pub(super) fn effects(&self) -> impl Iterator<Item = &str> {
        let from = self.lines.iter().rposition(|line| line.own).map_or(0, |at| at + 1);
        let fresh = self.lines.get(from..).unwrap_or(&[]);
        fresh.iter().filter(|line| line.speaker.is_empty()).map(|line| line.text.as_str())
    }

    /// All that the asked seat said, newest first.
    pub(super) fn own_lines(&self) -> impl Iterator<Item = &Line> {
        self.lines.iter().rev().filter(|line| line.own)
    }

    /// All that this speaker said, newest first; the speaker may go by several names.
    pub(super) fn lines_by<'b>(&'b self, names: [&'b str; 2]) -> impl Iterator<Item = &'b Line> {
        self.lines
            .iter()
            .rev()
            .filter(move |line| !line.speaker.is_empty() && names.contains(&line.speaker.as_str()))
    }

    /// Whether a tool of this name is offered, and may be used now as far as the table says.
    pub(super) fn offers(&self, name: &str) -> bool {
        self.tools.iter().any(|tool| tool.name == name) && !self.state.not_now.iter().any(|one| one == name)
    }

    /// What was noted down, oldest first: what the memory holds, then what still stands in the history.
    pub(super) fn noted(&self) -> impl Iterator<Item = &str> {
        let memory = self.tagged("memory").lines().filter_map(|line| line.strip_prefix("- "));
        memory.chain(self.told(&["[event] ", "[important] ", "[milestone] "]))
    }

    /// The names of those who are noted as met.
    pub(super) fn met(&self) -> impl Iterator<Item = &str> {
        let memory = self.tagged("memory").split_once("Met:").map_or("", |(_, met)| met);
        memory.lines().chain(self.told(&["[met] "]))
    }

    /// What effects in the history say after one of these beginnings: those told to everybody, then answers of tools.
    pub(super) fn told<'b>(&'b self, heads: &'b [&str]) -> impl Iterator<Item = &'b str> {
        let effects = self.lines.iter().filter(|line| line.speaker.is_empty()).map(|line| line.text.as_str());
        let lines = effects.chain(self.records.iter().flat_map(|record| record.lines()));
        lines.filter_map(|line| heads.iter().find_map(|head| line.strip_prefix(head)))
    }
}

/// A registered goal as it is told: `id: label (primary)`.
fn goal(told: &str) -> Row {
    let (id, rest) = told.split_once(": ").unwrap_or((told, ""));
    let (label, rank) = rest.rsplit_once(" (").unwrap_or((rest, ""));
    Row::read(&format!("{id} | {} | label={label}", rank.trim_end_matches(')')))
}

/// A check as its result tells it: `[check] NAME: WHAT (ABILITY): 5+1 = 6 against 11: failure`.
fn checked(told: &str) -> Option<Row> {
    let told = told.lines().find_map(|line| line.strip_prefix("[check] "))?;
    let (name, rest) = told.split_once(": ")?;
    let (what, rest) = rest.rsplit_once(" (")?;
    let (numbers, outcome) = rest.rsplit_once(": ")?;
    let total = numbers.split_once(" = ")?.1.split(' ').next()?;
    Some(Row::read(&format!("{name} | {what} | {outcome} | total={total}")))
}

const OPEN: &str = "<table_state";

/// A message without its table state, and the table state.
fn split_state(text: &str) -> (&str, &str) {
    match text.rfind(OPEN) {
        Some(start) => text.split_at(start),
        None => (text, ""),
    }
}

/// The number that a line can be cited by, and the rest of the line.
fn labelled(paragraph: &str) -> (Option<u32>, &str) {
    let label = paragraph.strip_prefix('#').and_then(|rest| rest.split_once(' '));
    match label.and_then(|(label, rest)| Some((label.parse().ok()?, rest))) {
        Some((label, rest)) => (Some(label), rest),
        None => (None, paragraph),
    }
}

fn spoken_by<'p>(paragraph: &'p str, speakers: &[String]) -> Option<(String, &'p str)> {
    let (head, said) = paragraph.split_once(": ")?;
    let head = head.trim_matches('*');
    speakers.iter().find(|name| *name == head).map(|name| (name.clone(), said.trim()))
}

fn offers(tools: Vec<RawTool<'_>>) -> Vec<Offer<'_>> {
    tools
        .into_iter()
        .map(|tool| Offer {
            name: tool.function.name,
            schema: tool.function.parameters.map_or("", |schema| schema.get()),
        })
        .collect()
}

/// The text of a message's content: a string, or the texts of its parts.
fn content(raw: Option<&RawValue>) -> String {
    let Some(raw) = raw else { return String::new() };
    if let Ok(text) = serde_json::from_str::<String>(raw.get()) {
        return text;
    }
    match serde_json::from_str::<Vec<Part>>(raw.get()) {
        Ok(parts) => parts.into_iter().map(|part| part.text).collect::<Vec<_>>().join("\n"),
        Err(_) => String::new(),
    }
}
