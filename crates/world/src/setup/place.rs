//! Where in a TOML file something stands.

use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// One step from a value of a file to a value in it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step<'a> {
    /// Into a table.
    Key(&'a str),
    /// Into an array, from 0.
    At(usize),
}

/// The bytes of the value to which these steps lead, or of the last value on the way that is there; none when the text is no
/// TOML or not even the first step can be taken.
pub fn locate(text: &str, steps: &[Step<'_>]) -> Option<(usize, usize)> {
    let root = DeTable::parse(text).ok()?;
    let (first, rest) = steps.split_first()?;
    let Step::Key(first) = first else { return None };
    let mut value: &Spanned<DeValue<'_>> = root.get_ref().get(*first)?;
    for step in rest {
        let next = match (step, value.get_ref()) {
            (Step::Key(key), DeValue::Table(table)) => table.get(*key),
            (Step::At(place), DeValue::Array(array)) => array.get(*place),
            _ => None,
        };
        match next {
            Some(next) => value = next,
            None => break,
        }
    }
    let span = value.span();
    Some((span.start, span.end))
}

#[cfg(test)]
mod tests {
    use super::Step::{At, Key};
    use super::*;

    const TEXT: &str =
        "title = \"x\"\n\n[[npc]]\nid = \"a\"\n\n[[npc]]\nid = \"b\"\nitems = [\"rope\", \"bell\"]\n";

    fn found(steps: &[Step<'_>]) -> &'static str {
        let (start, end) = locate(TEXT, steps).unwrap();
        &TEXT[start..end]
    }

    #[test]
    fn a_value_is_found_by_keys_and_places() {
        assert_eq!(found(&[Key("npc"), At(1), Key("id")]), "\"b\"");
        assert_eq!(found(&[Key("npc"), At(1), Key("items"), At(1)]), "\"bell\"");
    }

    #[test]
    fn what_is_not_there_is_looked_for_as_far_as_the_way_goes() {
        let (start, _) = locate(TEXT, &[Key("npc"), At(1), Key("persona")]).unwrap();
        assert_eq!(TEXT[..start].matches('\n').count(), 5, "the second [[npc]] is on the sixth line");
        assert_eq!(locate(TEXT, &[Key("goal"), At(0)]), None);
        assert_eq!(locate("no = [", &[Key("no")]), None);
    }
}
