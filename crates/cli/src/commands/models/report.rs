//! What was found out about a model, for people or as JSON: each probe as it ends, then what the model is fit for.

use serde_json::json;
use twicetold_model::FaultKind;

use super::probes::{Finding, LONG_WORDS, Probe, Verdict};
use crate::failure::Failure;
use crate::seats::Profile;
use crate::terminal::{BOLD, DIM, GOOD, TROUBLE, json_line, paragraphs, print, safe, short};

/// What is known of a model so far.
pub struct Report<'a> {
    name: &'a str,
    profile: &'a Profile,
    json: bool,
    findings: Vec<Finding>,
}

/// A model that could not be tried, among all that are.
pub fn passed_over(name: &str, problem: &str, json: bool) -> String {
    match json {
        true => json_line(&json!({"model": name, "problem": problem})),
        false => {
            format!("{BOLD}{}{BOLD:#}\n{}\n", safe(name), paragraphs(&format!("not tried: {problem}"), "  "))
        }
    }
}

impl<'a> Report<'a> {
    /// Nothing is known yet.
    pub fn new(name: &'a str, profile: &'a Profile, json: bool) -> Report<'a> {
        Report { name, profile, json, findings: Vec::new() }
    }

    /// Says which model is tried.
    pub fn begin(&self) -> Result<(), Failure> {
        if self.json {
            return Ok(());
        }
        let of = match self.address() {
            Some(address) => {
                format!("{}, {} at {address}", self.profile.setup.provider, self.profile.setup.model)
            }
            None => format!("{}, embedded", self.profile.setup.provider),
        };
        print(&format!("{BOLD}{}{BOLD:#}  {}\n\n", safe(self.name), safe(&of)))
    }

    /// Takes in what a probe found, and shows it.
    pub fn found(&mut self, finding: Finding) -> Result<(), Failure> {
        let line = line(&finding);
        self.findings.push(finding);
        if self.json { Ok(()) } else { print(&line) }
    }

    /// Says what the model is fit for.
    pub fn end(&self) -> Result<(), Failure> {
        print(&if self.json { self.object() } else { self.verdicts() })
    }

    /// What a probe found, if it was made.
    pub fn verdict(&self, probe: Probe) -> Option<Verdict> {
        self.finding(probe).map(|finding| finding.verdict)
    }

    /// Did it answer at all?
    pub fn answers(&self) -> bool {
        self.verdict(Probe::Answers) == Some(Verdict::Yes)
    }

    fn finding(&self, probe: Probe) -> Option<&Finding> {
        self.findings.iter().find(|finding| finding.probe == probe)
    }

    fn address(&self) -> Option<String> {
        let is_server = self.profile.setup.provider == "openai";
        is_server.then(|| self.profile.reach.address().ok()).flatten()
    }

    /// For each seat whether the model is fit for it, and what is to be said of that.
    fn fitness(&self) -> [(&'static str, bool, &'static str); 3] {
        let tools = self.verdict(Probe::CallsTools) == Some(Verdict::Yes);
        let cut = self.verdict(Probe::Context) == Some(Verdict::No);
        let common = match (self.answers(), cut) {
            (false, _) => Some("it does not answer"),
            (true, true) => Some("its context is too short"),
            (true, false) => None,
        };
        let dm = common.or((!tools).then_some("it calls no tool, so nothing it tells would come about"));
        let player = if tools { "" } else { "in words alone, without dice of its own" };
        [
            ("dm", dm.is_none(), dm.unwrap_or_default()),
            ("player", common.is_none(), common.unwrap_or(player)),
            ("memory", common.is_none(), common.unwrap_or_default()),
        ]
    }

    /// Lines for `[model.NAME]`: what was found to help, and the quirks that were there before.
    fn settings(&self) -> Vec<String> {
        let mut quirks = self.profile.setup.quirks.clone();
        let (mut lines, mut changed) = (Vec::new(), false);
        for (field, value) in self.findings.iter().filter_map(|finding| finding.remedy.clone()) {
            if field == "tokens_max" {
                lines.push(format!("{field} = {value}"));
            } else {
                changed |= quirks.insert(field.to_owned(), value.clone()) != Some(value);
            }
        }
        if changed {
            lines.push(format!("quirks = {}", toml::Value::Table(quirks)));
        }
        lines
    }

    /// What is to be done outside of models.toml.
    fn advice(&self) -> Vec<String> {
        let mut advice = Vec::new();
        if self.verdict(Probe::Reachable) == Some(Verdict::No) {
            advice.push(
                "Is the server running? base_url must be the address before /chat/completions.".to_owned(),
            );
        }
        let fault = |probe| self.finding(probe).and_then(|finding| finding.fault);
        if fault(Probe::Answers) == Some(FaultKind::Unauthorized) {
            let variable = self.profile.reach.api_key_env.as_deref();
            advice.push(match variable {
                Some(variable) => format!("Check the key in the environment variable {variable}."),
                None => "The server wants a key: put it into an environment variable, and name that in api_key_env.".into(),
            });
        }
        if self.verdict(Probe::Context) == Some(Verdict::No) {
            advice.push(format!(
                "The longest prompts of a short campaign are some {LONG_WORDS} tokens, those of a long one twice that: give \
                 the server more context (llama.cpp: --ctx-size; Ollama: num_ctx)."
            ));
        }
        let words = self.finding(Probe::CallsToolsInWords);
        if self.answers() && words.is_some_and(|finding| finding.verdict == Verdict::No) {
            advice.push("It calls tools in no form: let another model play the DM.".into());
        }
        advice
    }

    fn verdicts(&self) -> String {
        let mut out = "\n".to_owned();
        for (seat, fit, why) in self.fitness() {
            let why = if why.is_empty() { String::new() } else { format!(": {why}") };
            out += &match fit {
                true => format!("  {GOOD}fit{GOOD:#}      {seat}{why}\n"),
                false => format!("  {TROUBLE}not fit{TROUBLE:#}  {seat}{why}\n"),
            };
        }
        let settings = self.settings();
        if !settings.is_empty() {
            out += &format!("\n  To put into models.toml, under [model.{}]:\n", quoted(self.name));
            out.extend(settings.iter().map(|line| format!("    {}\n", safe(line))));
        }
        for advice in self.advice() {
            out += &format!("\n{}\n", paragraphs(&advice, "  "));
        }
        out
    }

    fn object(&self) -> String {
        let fitness = self.fitness().map(|(seat, fit, why)| json!({"seat": seat, "fit": fit, "why": why}));
        json_line(&json!({
            "model": self.name, "provider": self.profile.setup.provider, "served_as": self.profile.setup.model,
            "address": self.address(), "probes": self.findings, "seats": fitness,
            "settings": self.settings(), "advice": self.advice(),
        }))
    }
}

/// A name as TOML wants it in a header.
fn quoted(name: &str) -> String {
    let bare = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_' || c == '-');
    if bare { name.to_owned() } else { safe(&toml::Value::from(name).to_string()) }
}

/// A probe on one line.
fn line(finding: &Finding) -> String {
    const BEFORE: usize = 31;
    let width = textwrap::termwidth().clamp(60, 100) - BEFORE;
    let (style, word) = match finding.verdict {
        Verdict::Yes => (GOOD, "yes"),
        Verdict::No => (TROUBLE, "no"),
        Verdict::Unknown => (DIM, "unknown"),
    };
    let (name, seen) = (finding.probe.name(), short(&finding.seen, width.saturating_sub(1)));
    format!("  {name:<19} {style}{word:<7}{style:#}  {seen}\n")
}
