//! What the state's digest is taken over: a line `path = value` for everything that is not at its default.
//!
//! So a new field whose default is what it had been without it changes no digest that a journal holds. FROZEN: the paths, their order,
//! the defaults and how a value is written. Names here are no names of Rust fields: those may change. `paths.txt` lists all paths.

mod table;
mod value;

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::fmt::Write;

use twicetold_model::Digest;

pub(super) use value::Key;

/// What has lines in the digest.
pub(super) trait Canon {
    /// Its lines from the path on that `out` is at; none when it is at its default.
    fn lines(&self, out: &mut Lines);

    /// The same for one of many, and for what might not be there: a line says that it is.
    fn element(&self, out: &mut Lines) {
        out.line("{}");
        self.lines(out);
    }

    /// All paths that its lines may have, each with the default for which there is no line.
    #[cfg(test)]
    fn paths(path: &str, is_element: bool, all: &mut Vec<String>);
}

/// The lines of a document.
#[derive(Default)]
pub(super) struct Lines {
    path: String,
    text: String,
}

impl Lines {
    /// The digest of the lines of a document with this name; none when it is at its default.
    pub(super) fn of(name: &str, document: &(impl Canon + ?Sized)) -> Option<Digest> {
        let mut lines = Lines { path: name.to_owned(), text: String::with_capacity(1_024) };
        document.lines(&mut lines);
        (!lines.text.is_empty()).then(|| Digest::of("twicetold document 1", lines.text.as_bytes()))
    }

    /// The digest of a state with these documents.
    pub(super) fn state<'a>(documents: impl IntoIterator<Item = (&'a str, Option<Digest>)>) -> Digest {
        let mut lines = Lines::default();
        for (name, digest) in documents {
            if let Some(digest) = digest {
                lines.below(|path| path.push_str(name), |lines| digest.element(lines));
            }
        }
        Digest::of("twicetold state 1", lines.text.as_bytes())
    }

    /// A field.
    fn field(&mut self, name: &str, value: &impl Canon) {
        self.below(|path| path.extend([".", name]), |lines| value.lines(lines));
    }

    /// One of many.
    fn each(&mut self, key: &(impl Key + ?Sized), value: &impl Canon) {
        let bracketed = |path: &mut String| {
            path.push('[');
            key.write(path);
            path.push(']');
        };
        self.below(bracketed, |lines| value.element(lines));
    }

    fn below(&mut self, step: impl FnOnce(&mut String), inside: impl FnOnce(&mut Lines)) {
        let length = self.path.len();
        step(&mut self.path);
        inside(self);
        self.path.truncate(length);
    }

    /// A line with a value that has no default.
    fn line(&mut self, value: &str) {
        self.text.extend([&self.path, " = ", value, "\n"]);
    }

    /// A line with a value, unless it is the default.
    fn value(&mut self, default: Option<&str>, write: impl FnOnce(&mut String)) {
        let line = self.text.len();
        self.text.extend([&self.path, " = "]);
        let value = self.text.len();
        write(&mut self.text);
        if default == Some(&self.text[value..]) {
            self.text.truncate(line);
        } else {
            self.text.push('\n');
        }
    }
}

/// The lines of types: what they are made of, and for each path what stands there.
macro_rules! canon {
    ($($type:ty = $pattern:pat => { $($(#[$attribute:meta])* $path:literal: $value:expr,)* })*) => {$(
        impl $crate::state::canon::Canon for $type {
            fn lines(&self, out: &mut $crate::state::canon::Lines) {
                let $pattern = self;
                $($(#[$attribute])* out.field($path, &$value);)*
            }

            #[cfg(test)]
            #[allow(unused_variables, reason = "each closure asks for the type of one field")]
            fn paths(path: &str, is_element: bool, all: &mut Vec<String>) {
                if is_element {
                    all.push(path.to_owned());
                }
                $($(#[$attribute])* $crate::state::canon::below(path, $path, all, |$pattern: &$type| $value);)*
            }
        }
    )*};
}
use canon;

/// The paths of a field whose type is that of what the closure, which nobody calls, would give.
#[cfg(test)]
fn below<'a, S: 'a, T: Canon>(path: &str, name: &str, all: &mut Vec<String>, _: impl FnOnce(&'a S) -> T) {
    T::paths(&format!("{path}.{name}"), false, all);
}

impl<T: Canon> Canon for &T {
    fn lines(&self, out: &mut Lines) {
        (**self).lines(out);
    }

    fn element(&self, out: &mut Lines) {
        (**self).element(out);
    }

    #[cfg(test)]
    fn paths(path: &str, is_element: bool, all: &mut Vec<String>) {
        T::paths(path, is_element, all);
    }
}

impl<T: Canon> Canon for Option<T> {
    fn lines(&self, out: &mut Lines) {
        if let Some(value) = self {
            value.element(out);
        }
    }

    #[cfg(test)]
    fn paths(path: &str, _: bool, all: &mut Vec<String>) {
        T::paths(path, true, all);
    }
}

/// Collections: a line at least for each of their elements, in their order.
macro_rules! collections {
    ($(<$($parameter:ident: $bound:ident),+> $type:ty, of $element:ty: $self:ident => $pairs:expr;)*) => {$(
        impl<$($parameter: $bound),+> Canon for $type {
            fn lines(&$self, out: &mut Lines) {
                $pairs.for_each(|(key, value)| out.each(&key, &value));
            }

            #[cfg(test)]
            fn paths(path: &str, is_element: bool, all: &mut Vec<String>) {
                if is_element {
                    all.push(path.to_owned());
                }
                <$element>::paths(&format!("{path}[]"), true, all);
            }
        }
    )*};
}

collections! {
    <T: Canon> Vec<T>, of T: self => self.iter().enumerate();
    <T: Canon> VecDeque<T>, of T: self => self.iter().enumerate();
    <K: Key> BTreeSet<K>, of (): self => self.iter().map(|key| (key, ()));
    <K: Key, V: Canon> BTreeMap<K, V>, of V: self => self.iter();
}

impl Canon for () {
    fn lines(&self, _: &mut Lines) {}

    #[cfg(test)]
    fn paths(path: &str, _: bool, all: &mut Vec<String>) {
        all.push(path.to_owned());
    }
}

/// A text between quotes, on one line.
fn quoted(text: &str, out: &mut String) {
    out.push('"');
    for piece in text.split_inclusive(['"', '\\', '\n']) {
        let plain = piece.trim_end_matches(['"', '\\', '\n']);
        out.push_str(plain);
        match &piece[plain.len()..] {
            "\n" => out.push_str("\\n"),
            escaped if !escaped.is_empty() => out.extend(["\\", escaped]),
            _ => {}
        }
    }
    out.push('"');
}

/// A number in decimal digits.
fn number(number: impl std::fmt::Display, out: &mut String) {
    let _ = write!(out, "{number}");
}

#[cfg(test)]
mod tests;
