//! What all findings together say: which seats a model is fit for, and what to change so that it is fit for more.

use schemars::JsonSchema;
use serde::Serialize;
use twicetold_model::FaultKind;

use crate::{Finding, LONG_WORDS, Probe, Verdict};

/// What is known of a model so far.
#[derive(Clone, Debug, Default, Serialize, JsonSchema)]
#[serde(transparent)]
pub struct Findings(Vec<Finding>);

impl Findings {
    /// Takes in what a probe found.
    pub fn add(&mut self, finding: Finding) {
        self.0.push(finding);
    }

    /// What a probe found, if it was made.
    pub fn verdict(&self, probe: Probe) -> Option<Verdict> {
        self.of(probe).map(|finding| finding.verdict)
    }

    /// Did it answer at all?
    pub fn answers(&self) -> bool {
        self.verdict(Probe::Answers) == Some(Verdict::Yes)
    }

    fn of(&self, probe: Probe) -> Option<&Finding> {
        self.0.iter().find(|finding| finding.probe == probe)
    }

    /// For each seat whether the model is fit for it, and what is to be said of that.
    pub fn fitness(&self) -> [(&'static str, bool, &'static str); 3] {
        let tools = self.verdict(Probe::CallsTools) == Some(Verdict::Yes);
        let cut = self.verdict(Probe::Context) == Some(Verdict::No);
        let common = match (self.answers(), cut) {
            (false, _) => Some("it does not answer"),
            (true, true) => Some("its context is too short"),
            (true, false) => None,
        };
        let dm = common.or((!tools)
            .then_some("it does not call tools, so its narration would have no effect on the game state"));
        let player = if tools { "" } else { "text only, without dice rolls of its own" };
        [
            ("dm", dm.is_none(), dm.unwrap_or_default()),
            ("player", common.is_none(), common.unwrap_or(player)),
            ("memory", common.is_none(), common.unwrap_or_default()),
        ]
    }

    /// Lines for `[model.NAME]`: what was found to help, and the compat that was there before. Where it was measured in which mode the model
    /// plays best, that takes the place of what one call showed.
    pub fn settings(&self, mut compat: toml::Table, best: Option<&str>) -> Vec<String> {
        const MODE: &str = "tool_calls";
        let (mut lines, mut changed) = (Vec::new(), false);
        let found = self.0.iter().filter_map(|finding| finding.remedy.clone());
        for (field, value) in found.filter(|(field, _)| *field != MODE || best.is_none()) {
            if field == "tokens_max" {
                lines.push(format!("{field} = {value}"));
            } else {
                changed |= compat.insert(field.to_owned(), value.clone()) != Some(value);
            }
        }
        let own = compat.get(MODE).and_then(toml::Value::as_str).unwrap_or("native");
        if let Some(best) = best.filter(|best| *best != own) {
            compat.insert(MODE.to_owned(), best.into());
            changed = true;
        }
        if changed {
            lines.push(format!("compat = {}", toml::Value::Table(compat)));
        }
        lines
    }

    /// What is to be done outside of models.toml. `path` is that of the protocol, `key_variable` where the key comes from.
    pub fn advice(&self, path: &str, key_variable: Option<&str>) -> Vec<String> {
        let mut advice = Vec::new();
        if self.verdict(Probe::Reachable) == Some(Verdict::No) {
            advice.push(format!("Is the server running? base_url must be the address before {path}."));
        }
        let fault = |probe| self.of(probe).and_then(|finding| finding.fault);
        if fault(Probe::Answers) == Some(FaultKind::Unauthorized) {
            advice.push(match key_variable {
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
        let words = self.of(Probe::CallsToolsPrompted);
        if self.answers() && words.is_some_and(|finding| finding.verdict == Verdict::No) {
            advice.push(
                "The model did not call tools natively or by prompt. Use another model for the DM.".into(),
            );
        }
        advice
    }
}
