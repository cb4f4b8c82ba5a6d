//! What tools that record changes share: their events, and lists, numbers and conditions within their limits.

use std::collections::BTreeSet;

use serde::{Deserialize, Deserializer};
use twicetold_event::Event;
use twicetold_world::{State, fold};

use crate::menu::{Field, number, sayable};
use crate::tool::{Accepted, Decision, Rejection, clean, text};

/// Pieces of one kind that are gained, lost or handed over at once.
const QUANTITY_MAX: i64 = 10_000;

/// The events of one call: all of them or, with the first rejection, none.
pub(crate) struct Changes<'a> {
    state: &'a State,
    events: Vec<Event>,
}

impl<'a> Changes<'a> {
    pub(crate) fn new(state: &'a State) -> Changes<'a> {
        Changes { state, events: Vec::new() }
    }

    pub(crate) fn push(&mut self, event: impl Into<Event>) {
        self.events.push(event.into());
    }

    /// The event of a text that may be left out.
    pub(crate) fn text<E: Into<Event>>(
        &mut self,
        field: &'static str,
        value: Option<String>,
        event: fn(String) -> E,
    ) -> Result<(), Rejection> {
        if let Some(value) = value {
            self.push(event(text(self.state, field, &value)?));
        }
        Ok(())
    }

    pub(crate) fn done(self) -> Decision {
        match self.events.is_empty() {
            true => Err(Rejection::new("nothing_to_update")),
            false => Ok(Accepted { checks: Vec::new(), events: self.events }),
        }
    }
}

// A doc comment would stand in the schema of every field. Models often write a single text without the brackets of a list.
#[derive(Default)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub(crate) struct Texts(Vec<String>);

impl<'de> Deserialize<'de> for Texts {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Texts, D::Error> {
        #[derive(Deserialize)]
        #[serde(untagged, expecting = "neither a text nor a list of texts")]
        enum Written {
            One(String),
            Many(Vec<String>),
        }
        Ok(match Written::deserialize(deserializer)? {
            // A call by marks has texts alone.
            Written::One(text) => Texts(serde_json::from_str(&text).unwrap_or_else(|_| vec![text])),
            Written::Many(texts) => Texts(texts),
        })
    }
}

impl Texts {
    /// The texts, if there are at most so many.
    pub(crate) fn at_most(self, most: usize, field: &'static str) -> Result<Vec<String>, Rejection> {
        if self.0.len() > most {
            let rejection = Rejection::new("list_too_long").with("field", field);
            return Err(rejection.with("entries", self.0.len()).with("most", most));
        }
        Ok(self.0)
    }

    /// The texts, however many there are.
    pub(crate) fn all(self) -> Vec<String> {
        self.0
    }
}

/// A number after a change, never below zero nor above `most`, unless it was there before; what of the change was applied, and the number.
pub(crate) fn clamped(before: i64, asked: i64, most: i64) -> (i64, i64) {
    let now = before.saturating_add(asked).clamp(0, most.max(before));
    (now - before, now)
}

/// How many are meant: one when nothing is said.
pub(crate) fn quantity(asked: Option<i64>) -> Result<u32, Rejection> {
    let quantity = asked.unwrap_or(1);
    match u32::try_from(quantity) {
        Ok(within @ 1..) if quantity <= QUANTITY_MAX => Ok(within),
        _ => {
            let rejection = Rejection::new("quantity_out_of_range").with("quantity", quantity);
            Err(rejection.with("most", QUANTITY_MAX))
        }
    }
}

/// How many can be meant, where so many are there.
pub(crate) fn quantities(there: u32) -> Field {
    number(1, QUANTITY_MAX.min(there.into()))
}

/// The conditions that begin or end, as the state names them.
pub(crate) fn conditions(
    state: &State,
    (field, texts): (&'static str, Option<Texts>),
    most: usize,
) -> Result<Vec<String>, Rejection> {
    let texts = texts.unwrap_or_default().at_most(most, field)?;
    texts.iter().map(|condition| Ok(fold(&text(state, "condition", condition)?))).collect()
}

/// Can a call name this condition?
pub(crate) fn is_found(state: &State, condition: &str) -> bool {
    sayable(state, condition) && fold(condition) == condition
}

/// The conditions that begin, as the menu has them.
pub(crate) fn added(texts: Option<Texts>) -> impl Iterator<Item = String> {
    texts.unwrap_or_default().0.into_iter().map(|text| clean(&text))
}

/// The conditions that end, as the menu has them: what ends twice in one call ends once.
pub(crate) fn removed(texts: Option<Texts>) -> impl Iterator<Item = String> {
    let mut seen = BTreeSet::new();
    let texts = texts.unwrap_or_default().0.into_iter().map(|text| fold(&clean(&text)));
    texts.filter(move |text| seen.insert(text.clone()))
}

/// Somebody does not have the condition that ends.
pub(crate) fn condition_not_there(name: &str, condition: &str) -> Rejection {
    Rejection::new("condition_not_there").with("name", name).quoting("condition", condition, 60)
}
