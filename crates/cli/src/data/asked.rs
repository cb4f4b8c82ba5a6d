//! Causes: what `why` and `why-not` answer.

use serde::Serialize;
use twicetold_session::{self as session, Chain, GoalWhy, ReplyWhy, Shown, Trace};

use crate::names::Name;

forms! {
    Why: "why", "the causes of an event: why";
    WhyGoal: "why-goal", "why a goal exists: why ID goal NAME";
    WhyReply: "why-reply", "a reply, and what became of it: why ID reply N";
    WhyWords: "why-words", "where words come from: why --words";
    WhyShown: "why-shown", "whether a prompt showed an event: why --shown";
    WhyNames: "why-names", "what can be explained: why ID, why ID KIND";
    WhyNot: "why-not", "why a goal does not exist: why-not ID goal NAME";
    WhyNotNames: "why-not-names", "the goals that were rejected: why-not ID goal";
}

/// The causes of an event.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct Why(pub Chain);

/// Why a goal exists.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct WhyGoal(pub GoalWhy);

/// A reply, and what became of it.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct WhyReply(pub ReplyWhy);

/// Where words come from.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct WhyWords(pub Trace);

/// Whether a prompt showed an event.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct WhyShown(pub Shown);

/// Kinds of things that can be explained, or the names of one kind.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WhyNames {
    pub names: Vec<Name>,
}

/// Why a goal does not exist.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(transparent)]
pub struct WhyNot(pub session::WhyNot);

/// The goals that were proposed and rejected.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct WhyNotNames {
    pub names: Vec<Name>,
}
