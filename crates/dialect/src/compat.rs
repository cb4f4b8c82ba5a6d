//! What one endpoint supports and what it does not: switches as plain data.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

use crate::acceptable::is_object;

/// What one endpoint takes. The defaults suit OpenAI's older models, OpenRouter, llama.cpp, vLLM, Ollama and LM Studio;
/// a switch is turned where a server refuses or misreads a field. Every field may be left out of configuration.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Compat {
    /// Send `temperature`? Reasoning models refuse it.
    pub temperature: bool,
    /// Send `seed`? OpenAI's Responses have none, so there it means nothing.
    pub seed: bool,
    /// Which field bounds what the model writes.
    pub tokens_field: TokensField,
    /// How the model calls tools. In any form but the native one, the next four switches mean nothing: none of their fields
    /// is sent.
    pub tool_calls: ToolCalls,
    /// Send `tools`? Without them the model can only write words.
    pub tools: bool,
    /// Send `tool_choice`? When not, a request that forbids tools is sent without tools. Ollama's imitation of chat completions
    /// passes the field over without a word; its own protocol has none.
    pub tool_choice: bool,
    /// Send `parallel_tool_calls`? llama.cpp makes several calls only when told that it may.
    pub parallel_tool_calls: bool,
    /// May the history hold tool calls and messages with the role `tool`? If not, both are sent as plain text.
    pub tool_messages: bool,
    /// The role that instructions are sent with.
    pub system_role: SystemRole,
    /// The field in which what the model thought goes back beside its words and calls, as long as its turn lasts. Only chat completions
    /// have a choice: the other protocols know one place for it.
    pub thinking_field: ThinkingField,
    /// Ask for the answer piece by piece? Words then appear as they come, and a slow server is not taken for a silent one.
    pub stream: bool,
    /// The window in tokens that the server is told to use for prompt and reply. Only Ollama's protocol can say it: without a
    /// word Ollama takes 4,096 on small machines, whatever the model could read.
    pub context: Option<u32>,
    /// Texts that end the reply, such as an end mark that the server's template leaves in. OpenAI's Responses know none.
    pub stop: Vec<String>,
    /// Further fields of the body, by name, each as JSON text: `extra_fields = { reasoning_effort = '"low"' }`.
    pub extra_fields: BTreeMap<String, String>,
}

impl Default for Compat {
    fn default() -> Compat {
        Compat {
            temperature: true,
            seed: true,
            tokens_field: TokensField::MaxTokens,
            tool_calls: ToolCalls::Native,
            tools: true,
            tool_choice: true,
            parallel_tool_calls: true,
            tool_messages: true,
            system_role: SystemRole::System,
            thinking_field: ThinkingField::None,
            stream: false,
            context: None,
            stop: Vec::new(),
            extra_fields: BTreeMap::new(),
        }
    }
}

/// Objects to which a request adds members of its own: those of Responses, Anthropic, Gemini and Ollama. What is no object could not be sent with them.
const SHARED_FIELDS: [&str; 4] = ["text", "output_config", "generationConfig", "options"];

impl Compat {
    /// Checks what the types cannot: that every extra field is JSON and none takes the place of a field that the protocol
    /// writes itself, one of `own_fields`.
    ///
    /// # Errors
    /// A sentence that names the field, for whoever wrote the configuration.
    pub(crate) fn check(&self, own_fields: &[&str]) -> Result<(), String> {
        let structured = self.tool_calls == ToolCalls::Structured;
        for (name, text) in &self.extra_fields {
            if own_fields.contains(&name.as_str()) || (structured && name == "response_format") {
                return Err(format!(
                    "extra_fields: `{name}` is a field that every request already decides on"
                ));
            }
            if SHARED_FIELDS.contains(&name.as_str()) && !is_object(text) {
                return Err(format!("extra_fields: the value of `{name}` must be a JSON object"));
            }
            if let Err(error) = serde_json::from_str::<&RawValue>(text) {
                return Err(format!(
                    "extra_fields: the value of `{name}` is not JSON ({error}); a text needs its own quotation marks: \
                     {name} = '\"low\"'"
                ));
            }
        }
        Ok(())
    }
}

/// How a model calls tools.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ToolCalls {
    /// As the protocol says.
    #[default]
    Native,
    /// For servers and models without tool calling: the prompt describes the tools, and the model writes each call as a
    /// fenced block of JSON among its words.
    Prompted,
    /// For servers that hold a reply to a schema (in chat completions `response_format` with `json_schema`): the model writes
    /// one JSON object with its words and its calls.
    Structured,
    /// For small models: a request asks for one choice, or for the words of one thing, as a JSON object that the server holds to a
    /// schema. The engine makes the tool calls.
    Guided,
}

/// Which field bounds what the model writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TokensField {
    /// `max_tokens`: every server but OpenAI's newer models.
    #[default]
    MaxTokens,
    /// `max_completion_tokens`: OpenAI's reasoning models, which refuse the other.
    MaxCompletionTokens,
    /// Neither: the server's own bound.
    None,
}

/// The field in which a server takes back what its model thought.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum ThinkingField {
    /// None: many servers refuse a field that they do not know.
    #[default]
    None,
    /// `reasoning_content`: DeepSeek, which refuses a call without it, and templates of llama.cpp.
    ReasoningContent,
    /// `reasoning`: vLLM.
    Reasoning,
    /// `reasoning_details`: OpenRouter, which needs it for models that refuse a call without their signature.
    ReasoningDetails,
}

impl ThinkingField {
    /// Its name in a message.
    pub(crate) fn name(self) -> Option<&'static str> {
        match self {
            ThinkingField::None => None,
            ThinkingField::ReasoningContent => Some("reasoning_content"),
            ThinkingField::Reasoning => Some("reasoning"),
            ThinkingField::ReasoningDetails => Some("reasoning_details"),
        }
    }

    /// Does a server that takes it refuse a call that comes without it?
    pub(crate) fn is_demanded(self) -> bool {
        matches!(self, ThinkingField::ReasoningContent | ThinkingField::ReasoningDetails)
    }
}

/// The role that instructions are sent with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum SystemRole {
    /// `system`.
    #[default]
    System,
    /// `developer`: OpenAI's reasoning models.
    Developer,
    /// `user`: templates that know no instructions, such as Gemma's.
    User,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_empty_table_is_the_default_and_unknown_switches_are_refused() {
        assert_eq!(toml::from_str::<Compat>("").unwrap(), Compat::default());
        let error = toml::from_str::<Compat>("sead = false").unwrap_err().to_string();
        assert!(error.contains("sead") && error.contains("seed"), "{error}");
    }

    #[test]
    fn every_switch_can_be_read_from_toml() {
        let text = "temperature = false\nseed = false\ntokens_field = \"max_completion_tokens\"\ntools = false\n\
                    tool_choice = false\nparallel_tool_calls = false\ntool_messages = false\n\
                    tool_calls = \"prompted\"\nsystem_role = \"developer\"\nthinking_field = \"reasoning_content\"\ncontext = 16384\nstop = [\"<|im_end|>\"]\nextra_fields = { cache_prompt = \"false\" }\n";
        let compat: Compat = toml::from_str(text).unwrap();
        assert_eq!(compat.tokens_field, TokensField::MaxCompletionTokens);
        assert_eq!(compat.system_role, SystemRole::Developer);
        assert_eq!(compat.tool_calls, ToolCalls::Prompted);
        assert_eq!(compat.thinking_field, ThinkingField::ReasoningContent);
        assert_eq!(compat.context, Some(16_384));
        assert_eq!(compat.extra_fields["cache_prompt"], "false");
        assert_eq!(compat.check(&["model"]), Ok(()));
        assert_eq!(toml::from_str::<Compat>(&toml::to_string(&compat).unwrap()).unwrap(), compat);
    }

    #[test]
    fn an_extra_field_that_is_not_json_or_not_free_is_refused_by_name() {
        for (name, text) in
            [("reasoning_effort", "low"), ("x", ""), ("model", "\"m\""), ("x", "1, \"stream\": true")]
        {
            let compat = Compat { extra_fields: [(name.into(), text.into())].into(), ..Compat::default() };
            assert!(compat.check(&["model"]).unwrap_err().contains(name));
        }
        let extra_fields = [("response_format".to_owned(), "{}".to_owned())].into();
        let free = Compat { extra_fields, ..Compat::default() };
        assert_eq!(free.check(&["model"]), Ok(()));
        assert!(Compat { tool_calls: ToolCalls::Structured, ..free }.check(&["model"]).is_err());
    }
}
