//! A value of a request and where it stands, so that a rejection can name the place.

use std::fmt::Display;

use serde_json::{Map, Value};

/// What a check finds, or why the request is refused.
pub(super) type Checked<T = ()> = Result<T, String>;

/// A value of a body and its place.
#[derive(Clone)]
pub(super) struct Look<'a> {
    place: String,
    pub(super) value: &'a Value,
}

impl<'a> Look<'a> {
    /// A whole body.
    pub(super) fn new(value: &'a Value) -> Look<'a> {
        Look { place: "body".to_owned(), value }
    }

    pub(super) fn refuse<T>(&self, why: impl Display) -> Checked<T> {
        Err(format!("{}: {why}", self.place))
    }

    /// Refuses for this reason where the condition does not hold.
    pub(super) fn must(&self, holds: bool, why: &str) -> Checked {
        if holds { Ok(()) } else { self.refuse(why) }
    }

    pub(super) fn object(&self) -> Checked<&'a Map<String, Value>> {
        self.value.as_object().ok_or_else(|| format!("{}: no object", self.place))
    }

    /// An object with all of `required`, and of other members only `optional`.
    pub(super) fn members(&self, required: &[&str], optional: &[&str]) -> Checked {
        let object = self.object()?;
        let unknown =
            |name: &&String| !required.contains(&name.as_str()) && !optional.contains(&name.as_str());
        if let Some(name) = object.keys().find(unknown) {
            return self.refuse(format!("unknown field `{name}`"));
        }
        match required.iter().find(|name| !object.contains_key(**name)) {
            Some(name) => self.refuse(format!("no field `{name}`")),
            None => Ok(()),
        }
    }

    /// A member, if it is there.
    pub(super) fn get(&self, name: &str) -> Option<Look<'a>> {
        let value = self.value.get(name)?;
        Some(Look { place: format!("{}.{name}", self.place), value })
    }

    /// A member that must be there.
    pub(super) fn at(&self, name: &str) -> Checked<Look<'a>> {
        self.object()?;
        self.get(name).map_or_else(|| self.refuse(format!("no field `{name}`")), Ok)
    }

    /// The items of a list.
    pub(super) fn items(&self) -> Checked<Vec<Look<'a>>> {
        let Some(items) = self.value.as_array() else { return self.refuse("no list") };
        let item = |(index, value)| Look { place: format!("{}[{index}]", self.place), value };
        Ok(items.iter().enumerate().map(item).collect())
    }

    /// The items of a list that is not empty.
    pub(super) fn some_items(&self) -> Checked<Vec<Look<'a>>> {
        let items = self.items()?;
        if items.is_empty() { self.refuse("an empty list") } else { Ok(items) }
    }

    pub(super) fn text(&self) -> Checked<&'a str> {
        self.value.as_str().ok_or_else(|| format!("{}: no text", self.place))
    }

    /// A text that is not blank.
    pub(super) fn words(&self) -> Checked<&'a str> {
        let text = self.text()?;
        if text.trim().is_empty() { self.refuse("a blank text") } else { Ok(text) }
    }

    pub(super) fn one_of(&self, allowed: &[&str]) -> Checked<&'a str> {
        let text = self.text()?;
        if allowed.contains(&text) {
            Ok(text)
        } else {
            self.refuse(format!("{text:?} is none of {allowed:?}"))
        }
    }

    pub(super) fn boolean(&self) -> Checked<bool> {
        self.value.as_bool().ok_or_else(|| format!("{}: neither true nor false", self.place))
    }

    /// An integer from `least` to `most`.
    pub(super) fn integer(&self, least: i64, most: i64) -> Checked<i64> {
        match self.value.as_i64() {
            Some(number) if (least..=most).contains(&number) => Ok(number),
            _ => self.refuse(format!("{} is no integer from {least} to {most}", self.value)),
        }
    }

    /// A number from 0 to `most`.
    pub(super) fn number_to(&self, most: f64) -> Checked {
        let holds = self.value.as_f64().is_some_and(|number| (0.0..=most).contains(&number));
        self.must(holds, &format!("no number from 0 to {most}"))
    }

    /// The name of a tool, or a call's id: letters, digits, `_` and `-`, at most 64 of them.
    pub(super) fn name(&self) -> Checked<&'a str> {
        let text = self.text()?;
        let holds = (1..=64).contains(&text.len())
            && text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
        self.must(holds, &format!("{text:?} is no name of up to 64 letters, digits, `_` and `-`"))?;
        Ok(text)
    }

    /// The id of a call: nine letters and digits, the only form that Mistral's servers take.
    pub(super) fn call_id(&self) -> Checked<&'a str> {
        let text = self.text()?;
        let holds = text.len() == 9 && text.bytes().all(|byte| byte.is_ascii_alphanumeric());
        self.must(holds, &format!("{text:?} is no id of nine letters and digits"))?;
        Ok(text)
    }

    /// A text that is a JSON object: llama.cpp answers 500 to every later request for any other arguments.
    pub(super) fn object_as_text(&self) -> Checked {
        let text = self.text()?;
        let is_object = serde_json::from_str::<Map<String, Value>>(text).is_ok();
        self.must(is_object, &format!("{text:?} is no JSON object"))
    }

    /// At most so many texts that end a reply, none of them blank.
    pub(super) fn stops(&self, most: usize) -> Checked {
        let stops = self.some_items()?;
        self.must(stops.len() <= most, &format!("more than {most} texts"))?;
        stops.iter().try_for_each(|stop| stop.words().map(drop))
    }
}
