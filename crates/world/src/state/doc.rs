//! A part of the state that keeps its digest until it changes.

use std::ops::{Deref, DerefMut};
use std::sync::OnceLock;

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use twicetold_model::Digest;

use super::canon::{Canon, Lines};

/// A value with the digest of its lines. Whoever may change the value makes it forget the digest.
#[derive(Clone, Debug, Default)]
pub(super) struct Doc<T> {
    value: T,
    digest: OnceLock<Option<Digest>>,
}

impl<T: Canon> Doc<T> {
    /// The digest of its lines; none when there is no line.
    pub(super) fn digest(&self, name: &str) -> Option<Digest> {
        *self.digest.get_or_init(|| Lines::of(name, &self.value))
    }
}

impl<T> Doc<T> {
    pub(super) fn into_inner(self) -> T {
        self.value
    }
}

impl<T> From<T> for Doc<T> {
    fn from(value: T) -> Doc<T> {
        Doc { value, digest: OnceLock::new() }
    }
}

impl<T> Deref for Doc<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.value
    }
}

impl<T> DerefMut for Doc<T> {
    fn deref_mut(&mut self) -> &mut T {
        self.digest.take();
        &mut self.value
    }
}

impl<T: Serialize> Serialize for Doc<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.value.serialize(serializer)
    }
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Doc<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Doc<T>, D::Error> {
        T::deserialize(deserializer).map(Doc::from)
    }
}
