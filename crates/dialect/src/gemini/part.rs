//! A part of an answer: words, a thought, a call or something else.

use serde::Deserialize;
use serde_json::value::RawValue;

use crate::raw::{is_something, text_of};

#[derive(Deserialize)]
pub(super) struct Part<'a> {
    #[serde(borrow)]
    pub(super) text: Option<&'a RawValue>,
    #[serde(borrow)]
    thought: Option<&'a RawValue>,
    #[serde(rename = "functionCall", borrow)]
    function_call: Option<&'a RawValue>,
    #[serde(rename = "thoughtSignature", borrow)]
    thought_signature: Option<&'a RawValue>,
}

#[derive(Deserialize)]
pub(super) struct Call<'a> {
    #[serde(borrow)]
    pub(super) id: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) name: Option<&'a RawValue>,
    #[serde(borrow)]
    pub(super) args: Option<&'a RawValue>,
}

impl<'a> Part<'a> {
    /// Is it thought and not said?
    pub(super) fn is_thought(&self) -> bool {
        self.thought.is_some_and(|thought| thought.get() == "true")
    }

    pub(super) fn call(&self) -> Option<&'a RawValue> {
        self.function_call.filter(is_something)
    }

    /// The server wants it back on the very part that it came with.
    pub(super) fn signature(&self) -> Option<&'a RawValue> {
        self.thought_signature.filter(|signature| text_of(signature).is_some_and(|text| !text.is_empty()))
    }
}
