//! A streamed answer as the body that the same answer would have without streaming.

use serde::Deserialize;
use serde_json::value::RawValue;
use twicetold_model::Fault;

use super::decode::is_blocked;
use super::part::Part;
use crate::ended::Estimate;
use crate::push_json_string;
use crate::raw::{events_of, fault_of, is_something, object, text_of, truncated, unreadable};

#[derive(Deserialize)]
struct Chunk<'a> {
    #[serde(borrow)]
    error: Option<&'a RawValue>,
    #[serde(borrow)]
    candidates: Option<Vec<Candidate<'a>>>,
    #[serde(rename = "promptFeedback", borrow)]
    prompt_feedback: Option<&'a RawValue>,
    #[serde(rename = "usageMetadata", borrow)]
    usage_metadata: Option<&'a RawValue>,
    #[serde(rename = "modelVersion", borrow)]
    model_version: Option<&'a RawValue>,
    #[serde(rename = "responseId", borrow)]
    response_id: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Candidate<'a> {
    index: Option<u64>,
    #[serde(borrow)]
    content: Option<Content<'a>>,
    #[serde(rename = "finishReason", borrow)]
    finish_reason: Option<&'a RawValue>,
}

#[derive(Deserialize)]
struct Content<'a> {
    #[serde(borrow)]
    parts: Option<Vec<&'a RawValue>>,
}

/// A part as far as it came.
enum Piece<'a> {
    /// Words or thoughts, to which more may come.
    Words { text: String, is_thought: bool, signature: Option<&'a RawValue> },
    /// A part that comes whole, such as a call.
    Whole(&'a RawValue),
}

/// What the chunks so far amount to.
#[derive(Default)]
struct Whole<'a> {
    pieces: Vec<Piece<'a>>,
    finish_reason: Option<&'a RawValue>,
    prompt_feedback: Option<&'a RawValue>,
    usage_metadata: Option<&'a RawValue>,
    model_version: Option<&'a RawValue>,
    response_id: Option<&'a RawValue>,
}

/// The body of the answer that a stream of server-sent events amounts to, each of which is a whole answer with a piece of it; so
/// are the elements of a list, in which servers answer that know no such events. Any other answer is returned as it is: a server
/// that does not stream answers with the whole body.
///
/// The vendor marks no end: the reply is whole when it says why it ended.
pub(crate) fn assemble(stream: &str) -> Result<String, Fault> {
    let mut chunks: Vec<&str> =
        events_of(stream).take_while(|data| *data != "[DONE]").filter(|data| !data.is_empty()).collect();
    if chunks.is_empty() {
        let list: Option<Vec<&RawValue>> = serde_json::from_str(stream).ok();
        chunks.extend(list.unwrap_or_default().into_iter().map(RawValue::get));
    }
    if chunks.is_empty() {
        return Ok(stream.to_owned());
    }
    let mut whole = Whole::default();
    for data in &chunks {
        let unreadable = |error: String| unreadable("a piece of an answer with candidates", &error, data);
        let chunk: Chunk<'_> = object(data).map_err(unreadable)?;
        if chunk.error.is_some_and(|error| fault_of(error).is_some()) {
            return Ok((*data).to_owned());
        }
        whole.add(chunk).map_err(unreadable)?;
    }
    if whole.finish_reason.is_none() && !is_blocked(whole.prompt_feedback) {
        return Err(truncated(chunks.len()));
    }
    Ok(whole.body())
}

impl<'a> Whole<'a> {
    fn add(&mut self, chunk: Chunk<'a>) -> Result<(), String> {
        self.model_version = self.model_version.or(chunk.model_version);
        self.response_id = self.response_id.or(chunk.response_id);
        self.prompt_feedback = chunk.prompt_feedback.filter(is_something).or(self.prompt_feedback);
        // Counts are those of the whole answer so far.
        self.usage_metadata = chunk.usage_metadata.filter(is_something).or(self.usage_metadata);
        let candidates = chunk.candidates.into_iter().flatten();
        for candidate in candidates.filter(|candidate| candidate.index.unwrap_or_default() == 0) {
            let says_why = |reason: &&RawValue| {
                text_of(reason)
                    .is_some_and(|reason| !reason.is_empty() && reason != "FINISH_REASON_UNSPECIFIED")
            };
            self.finish_reason = candidate.finish_reason.filter(says_why).or(self.finish_reason);
            for raw in candidate.content.and_then(|content| content.parts).into_iter().flatten() {
                self.add_part(raw)?;
            }
        }
        Ok(())
    }

    /// Words go on in the next chunk; where they have a signature, they have ended. A signature may come with no words, behind them.
    fn add_part(&mut self, raw: &'a RawValue) -> Result<(), String> {
        let part: Part<'a> = object(raw.get())?;
        let text = part.text.and_then(text_of).filter(|_| part.call().is_none());
        let Some(more) = text else {
            self.pieces.push(Piece::Whole(raw));
            return Ok(());
        };
        if more.is_empty() && part.signature().is_none() {
            return Ok(());
        }
        match self.pieces.last_mut() {
            Some(Piece::Words { text, is_thought, signature: signature @ None })
                if *is_thought == part.is_thought() && !more.is_empty() =>
            {
                text.push_str(&more);
                *signature = part.signature();
            }
            _ => self.pieces.push(Piece::Words {
                text: more,
                is_thought: part.is_thought(),
                signature: part.signature(),
            }),
        }
        Ok(())
    }

    fn body(&self) -> String {
        let mut out = String::with_capacity(1_024);
        out.push('{');
        if let Some(reason) = self.finish_reason {
            out.push_str("\"candidates\":[{\"content\":{\"parts\":[");
            for (index, piece) in self.pieces.iter().enumerate() {
                out.push_str(if index == 0 { "" } else { "," });
                piece.push(&mut out);
            }
            out.push_str("],\"role\":\"model\"},\"finishReason\":");
            out.push_str(reason.get());
            out.push_str(",\"index\":0}]");
        }
        for (name, raw) in [
            ("\"promptFeedback\":", self.prompt_feedback),
            ("\"usageMetadata\":", self.usage_metadata),
            ("\"modelVersion\":", self.model_version),
            ("\"responseId\":", self.response_id),
        ] {
            let Some(raw) = raw else { continue };
            out.push_str(if out.len() > 1 { "," } else { "" });
            out.push_str(name);
            out.push_str(raw.get());
        }
        out.push('}');
        out
    }
}

impl Piece<'_> {
    fn push(&self, out: &mut String) {
        match self {
            Piece::Words { text, is_thought, signature } => {
                out.push_str("{\"text\":");
                push_json_string(out, text);
                out.push_str(if *is_thought { ",\"thought\":true" } else { "" });
                if let Some(signature) = signature {
                    out.push_str(",\"thoughtSignature\":");
                    out.push_str(signature.get());
                }
                out.push('}');
            }
            Piece::Whole(raw) => out.push_str(raw.get()),
        }
    }
}

/// The end of a stream that was given up.
pub(crate) fn end(Estimate { prompt, reply }: Estimate) -> String {
    format!(
        "data: {{\"candidates\":[{{\"index\":0,\"finishReason\":\"MAX_TOKENS\"}}],\"usageMetadata\":\
         {{\"promptTokenCount\":{prompt},\"candidatesTokenCount\":{reply},\"estimated\":true}}}}\n\n"
    )
}
