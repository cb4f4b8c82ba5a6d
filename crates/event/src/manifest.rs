//! What a request was made of: every piece of text with the place it lies at and the event that it comes from.

use std::sync::Arc;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use smol_str::SmolStr;

use crate::{BlobId, CallId, Number};

/// A request as references, written as a difference to the same seat's last request.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Manifest {
    /// The request that this one differs from; `None`: written whole.
    pub base: Option<CallId>,
    /// What to do, in order. Shared, because a fold keeps it until somebody needs the whole request.
    pub edits: Arc<Vec<Edit>>,
}

/// One step from the base's items to this request's.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Edit {
    /// Take `count` items of the base from place `from` on.
    Keep {
        /// First place.
        from: u32,
        /// How many.
        count: u32,
    },
    /// Take this item.
    Add(Item),
}

/// A piece of a request, in order.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Item {
    /// A message begins: 0 system, 1 user, 2 assistant, 3 tool.
    Message(u8),
    /// Text.
    Span(Span),
    /// A tool call of an earlier reply, under the id that the seat knows it by.
    ToolCall {
        /// The reply.
        call: CallId,
        /// Which of its tool calls.
        index: u16,
        /// The seat's own counter: `c1, c2, …`.
        id: u32,
    },
    /// A tool's result begins; spans follow.
    ToolResult {
        /// The id of the tool call that it answers.
        id: u32,
    },
    /// A tool on offer: the index of its schema among the charter's files.
    Tool(u16),
    /// A vendor's block that was sent back unchanged: the index of it in an earlier reply.
    Opaque {
        /// The reply.
        call: CallId,
        /// Which of its blocks.
        index: u16,
    },
    /// The JSON Schema that the reply is held to begins; spans follow.
    ReplySchema,
    /// The tools may not be called in this request.
    NoTools,
}

/// A piece of text.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct Span {
    /// Where its bytes lie.
    pub place: Place,
    /// Its length in bytes.
    pub length: u32,
    /// Where it comes from.
    pub source: Source,
}

/// Where a span's bytes lie.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Place {
    /// In a blob, from this byte on.
    Blob(BlobId, u32),
    /// In the words of a reply, from this byte on.
    Reply(CallId, u32),
    /// Here: short texts that a blob would only make longer.
    Inline(SmolStr),
}

/// Where a span comes from: the edge that `why` walks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub enum Source {
    /// A file of the charter.
    Charter,
    /// What was said or decided at this number.
    Event(Number),
    /// What the state shows at the request.
    State,
}

/// How far ahead in the base a difference looks for the item that comes next: the longest block that a window drops.
const LOOK_AHEAD: usize = 512;

impl Manifest {
    /// `items` as a difference to `base`; whole when there is no base.
    pub fn difference(base: Option<(CallId, &[Item])>, items: &[Item]) -> Manifest {
        let old = base.map_or(&[][..], |(_, items)| items);
        let mut pairs = None;
        let mut edits: Vec<Edit> = Vec::new();
        let (mut cursor, mut place) = (0, 0);
        while place < items.len() {
            let Some(from) = next_match(old, &mut pairs, cursor, &items[place..]) else {
                edits.push(Edit::Add(items[place].clone()));
                place += 1;
                continue;
            };
            let count = old[from..].iter().zip(&items[place..]).take_while(|(old, new)| old == new).count();
            edits.push(Edit::Keep { from: from as u32, count: count as u32 });
            cursor = from + count;
            place += count;
        }
        Manifest { base: base.map(|(call, _)| call), edits: Arc::new(edits) }
    }

    /// The whole list of items, given the base's.
    ///
    /// # Errors
    /// The base has fewer items than are kept: the manifest cannot belong to it.
    pub fn resolve(&self, base: &[Item]) -> Result<Vec<Item>, ManifestError> {
        let mut items = Vec::new();
        for edit in self.edits.iter() {
            match edit {
                Edit::Keep { from, count } => {
                    let (from, count) = (*from as usize, *count as usize);
                    let kept = base.get(from..from.saturating_add(count)).ok_or(ManifestError)?;
                    items.extend_from_slice(kept);
                }
                Edit::Add(item) => items.push(item.clone()),
            }
        }
        Ok(items)
    }
}

/// The place from which the base goes on like `new`. Far away, two equal items in a row are asked for: a lone `Message` is
/// equal to any other and would skip what is still to come.
fn next_match(old: &[Item], pairs: &mut Option<Pairs>, cursor: usize, new: &[Item]) -> Option<usize> {
    if old.get(cursor) == new.first() && cursor < old.len() {
        return Some(cursor);
    }
    let end = old.len().min(cursor + LOOK_AHEAD);
    let two = new.get(..2)?;
    let pairs = pairs.get_or_insert_with(|| Pairs::of(old));
    pairs
        .places(two, cursor + 1)
        .take_while(|place| *place < end)
        .find(|place| old[*place..*place + 2] == *two)
}

/// Where two neighbours stand in a list, by a number that equal ones share, which rules out most places.
struct Pairs {
    /// The first place of each number's chain; as many as a power of two.
    first: Vec<u32>,
    /// The place after each in its chain.
    next: Vec<u32>,
}

/// Behind the last place of a chain.
const NO_PLACE: u32 = u32::MAX;

impl Pairs {
    fn of(items: &[Item]) -> Pairs {
        let mut pairs = Pairs {
            first: vec![NO_PLACE; items.len().next_power_of_two()],
            next: vec![NO_PLACE; items.len()],
        };
        let numbers: Vec<u64> = items.iter().map(number).collect();
        // From the end, so that chains ascend.
        for (place, two) in numbers.windows(2).enumerate().rev() {
            let chain = pairs.chain(two[0], two[1]);
            pairs.next[place] = std::mem::replace(&mut pairs.first[chain], place as u32);
        }
        pairs
    }

    /// The chain of two neighbours with these numbers.
    fn chain(&self, one: u64, other: u64) -> usize {
        let mixed = one.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29) ^ other;
        (mixed.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 32) as usize & (self.first.len() - 1)
    }

    /// The places from `from` on that may hold these two, in order.
    fn places(&self, two: &[Item], from: usize) -> impl Iterator<Item = usize> {
        let follow = |place: &usize| self.next.get(*place).map(|next| *next as usize);
        let first = self.first[self.chain(number(&two[0]), number(&two[1]))];
        let chain = std::iter::successors(Some(first as usize), follow);
        chain.take_while(|place| *place < self.next.len()).skip_while(move |place| *place < from)
    }
}

/// Equal for equal items.
fn number(item: &Item) -> u64 {
    match item {
        Item::Span(span) => {
            let source = match span.source {
                Source::Event(number) => number.0 << 2,
                Source::Charter => 1,
                Source::State => 2,
            };
            let place = match &span.place {
                Place::Blob(blob, from) => u64::from(blob.0) << 32 | u64::from(*from),
                Place::Reply(call, from) => u64::from(call.0) << 32 | u64::from(*from),
                Place::Inline(text) => {
                    let (mut front, length) = ([0; 8], text.len().min(8));
                    front[..length].copy_from_slice(&text.as_bytes()[..length]);
                    u64::from_le_bytes(front)
                }
            };
            u64::from(span.length) << 40 ^ source ^ place.wrapping_mul(0xff51_afd7_ed55_8ccd)
        }
        Item::Message(role) => 1 << 36 | u64::from(*role),
        Item::ToolCall { id, .. } | Item::ToolResult { id } => 2 << 36 | u64::from(*id),
        _ => 3 << 36,
    }
}

/// A manifest that keeps more of its base than the base has.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the manifest keeps more items than the request it differs from has")]
pub struct ManifestError;

#[cfg(test)]
mod tests {
    use super::*;

    fn items(texts: &[&str]) -> Vec<Item> {
        let span = |text: &&str| {
            let place = Place::Inline((*text).into());
            Item::Span(Span { place, length: text.len() as u32, source: Source::Charter })
        };
        texts.iter().map(span).collect()
    }

    #[test]
    fn a_difference_and_its_base_give_the_whole_request_again() {
        let lists = [
            &["a", "b", "c"][..],
            &["a", "x", "c"],
            &[],
            &["a", "b", "b", "c"],
            &["c"],
            &["a", "b", "c", "d"],
        ];
        for old in lists {
            for new in lists {
                let (old, new) = (items(old), items(new));
                let manifest = Manifest::difference(Some((CallId(1), &old)), &new);
                assert_eq!(manifest.resolve(&old), Ok(new));
            }
        }
    }

    #[test]
    fn unchanged_lines_around_a_changed_one_are_kept() {
        let (old, new) = (items(&["a", "b", "c", "d", "e"]), items(&["a", "x", "c", "d", "y", "e"]));
        let added = Manifest::difference(Some((CallId(1), &old)), &new).edits;
        assert_eq!(added.iter().filter(|edit| matches!(edit, Edit::Add(_))).count(), 2);
    }

    #[test]
    fn a_manifest_for_another_base_is_refused() {
        let manifest =
            Manifest { base: Some(CallId(0)), edits: Arc::new(vec![Edit::Keep { from: 2, count: 2 }]) };
        assert_eq!(manifest.resolve(&items(&["a", "b", "c"])), Err(ManifestError));
    }
}
