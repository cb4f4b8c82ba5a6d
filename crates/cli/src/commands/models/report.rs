//! What was found out about a model, for people or as JSON: each probe as it ends, then what the model is fit for.

use twicetold_host::moments::{Mode, Role};
use twicetold_host::seats::{Profile, path};
use twicetold_probe::{Finding, Findings, Probe, Verdict};

use super::moments::Played;
use crate::data::{self, ModelSkipped, document};
use crate::failure::Failure;
use crate::terminal::{BOLD, DIM, GOOD, TROUBLE, hanging, paragraphs, print, safe, short};

/// What is known of a model so far.
pub struct Report<'a> {
    name: &'a str,
    profile: &'a Profile,
    json: bool,
    findings: Findings,
    played: Option<Played>,
    /// Milliseconds of each quick test.
    took: Vec<(Probe, u64)>,
}

/// A model that could not be tried, among all that are.
pub fn passed_over(name: &str, problem: &str, json: bool) -> String {
    match json {
        true => document(ModelSkipped { model: name.to_owned(), problem: problem.to_owned() }),
        false => {
            format!("{BOLD}{}{BOLD:#}\n{}\n", safe(name), paragraphs(&format!("not tried: {problem}"), "  "))
        }
    }
}

impl<'a> Report<'a> {
    /// Nothing is known yet.
    pub fn new(name: &'a str, profile: &'a Profile, json: bool) -> Report<'a> {
        Report { name, profile, json, findings: Findings::default(), played: None, took: Vec::new() }
    }

    /// Says which model is tried.
    pub fn begin(&self) -> Result<(), Failure> {
        if self.json {
            return Ok(());
        }
        let of = match self.profile.address() {
            Some(address) => {
                format!("{}, {} at {address}", self.profile.provider, self.profile.setup.model)
            }
            None => format!("{}, embedded", self.profile.provider),
        };
        print(&format!("{BOLD}{}{BOLD:#}  {}\n\n", safe(self.name), safe(&of)))
    }

    /// Takes in what a probe found, and shows it.
    pub fn found(&mut self, finding: Finding) -> Result<(), Failure> {
        let line = line(&finding);
        self.findings.add(finding);
        if self.json { Ok(()) } else { print(&line) }
    }

    /// A quick test took so long.
    pub fn took(&mut self, probe: Probe, ms: u64) {
        self.took.push((probe, ms));
    }

    /// How long the model took to read the long prompt, if it did.
    pub fn long_ms(&self) -> Option<u64> {
        self.ms_of(Probe::Context)
    }

    /// How long it took to say a sentence.
    pub fn short_ms(&self) -> Option<u64> {
        self.ms_of(Probe::Answers)
    }

    fn ms_of(&self, probe: Probe) -> Option<u64> {
        let answered = self.findings.verdict(probe) == Some(Verdict::Yes);
        self.took.iter().find(|(known, _)| *known == probe && answered).map(|(_, ms)| *ms)
    }

    /// Takes in what came of moments of a campaign.
    pub fn played(&mut self, played: Played) {
        self.played = Some(played);
    }

    /// Says what the model is fit for.
    pub fn end(&self) -> Result<(), Failure> {
        print(&if self.json { document(self.data()) } else { self.verdicts() })
    }

    /// What is known so far.
    pub fn findings(&self) -> &Findings {
        &self.findings
    }

    fn settings(&self) -> Vec<String> {
        let mut compat = self.profile.setup.compat.clone();
        // That answers are streamed is so where nothing is said.
        compat.retain(|name, value| name != "stream" || value.as_bool() != Some(true));
        let own = if self.profile.is_auto() { Some("auto") } else { None };
        if let Some(own) = own {
            compat.insert("tool_calls".into(), own.into());
        }
        let measured = self.played.as_ref().and_then(|played| played.best()).map(Mode::name);
        self.findings.settings(compat, own.or(measured))
    }

    /// For each role whether the model is fit for it, where that is known, and what is to be said of it: by what it played, else by the
    /// quick tests.
    fn seats(&self) -> Vec<(Role, Option<bool>, String)> {
        let played = self.played.as_ref().map(Played::seats).unwrap_or_default();
        let said = self.findings.fitness().into_iter().map(|(seat, fit, why)| {
            let role = [Role::Dm, Role::Player].into_iter().find(|role| role.name() == seat);
            let role = role.unwrap_or(Role::Memory);
            let found = played.iter().find(|(played, ..)| *played == role);
            found.map_or((role, Some(fit), why.to_owned()), |(_, fit, why)| (role, *fit, why.clone()))
        });
        said.collect()
    }

    fn advice(&self) -> Vec<String> {
        self.findings.advice(
            &path(self.profile.protocol, &self.profile.setup),
            self.profile.reach.api_key_env.as_deref(),
        )
    }

    fn verdicts(&self) -> String {
        let mut out = "\n".to_owned();
        if let Some(played) = &self.played {
            out += &format!("{}\n", played.conclusion());
        }
        for (seat, fit, why) in self.seats() {
            let why = if why.is_empty() { String::new() } else { format!(": {why}") };
            let first = match fit {
                Some(true) => format!("  {GOOD}suitable{GOOD:#}      "),
                Some(false) => format!("  {TROUBLE}not suitable{TROUBLE:#}  "),
                None => format!("  {DIM}not known{DIM:#}     "),
            };
            let text = hanging(&format!("{}{why}", seat.name()), &" ".repeat(16), &" ".repeat(16));
            out += &format!("{first}{}\n", text.trim_start());
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

    fn data(&self) -> data::Model {
        let roles = self.seats().into_iter().map(|(role, fit, why)| data::Fit { role, fit, why });
        data::Model {
            model: self.name.to_owned(),
            provider: self.profile.provider.clone(),
            served_as: self.profile.setup.model.clone(),
            address: self.profile.address(),
            probes: self.findings.clone(),
            roles: roles.collect(),
            moments: self.played.as_ref().map(Played::data),
            settings: self.settings(),
            advice: self.advice(),
        }
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
    const SEEN: usize = 400;
    let (style, word) = match finding.verdict {
        Verdict::Yes => (GOOD, "yes"),
        Verdict::No => (TROUBLE, "no"),
        Verdict::Unknown => (DIM, "unknown"),
    };
    // What was seen is told whole: it may be why nothing works.
    let (name, below) = (finding.probe.name(), " ".repeat(BEFORE));
    let seen = hanging(&short(&finding.seen, SEEN), &below, &below);
    format!("  {name:<19} {style}{word:<7}{style:#}  {}\n", seen.trim_start())
}
