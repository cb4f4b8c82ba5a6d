//! Which numbers a page points to, and which of them it does not hold.

use std::collections::BTreeSet;

/// Numbers that some link of the page leads to and no element of it bears. Text cannot be mistaken for a tag: every `<` of it is escaped.
pub(super) fn missing(page: &str) -> BTreeSet<u64> {
    let (mut borne, mut wanted) = (BTreeSet::new(), BTreeSet::new());
    for tag in page.split('<').skip(1).filter_map(|rest| rest.split('>').next()) {
        borne.extend(number(tag, " id=\"n"));
        wanted.extend(number(tag, " href=\"#n"));
    }
    wanted.retain(|number| !borne.contains(number));
    wanted
}

/// The page with each link to a missing number leading to that number behind `base`.
pub(super) fn led(page: &str, missing: &BTreeSet<u64>, base: &str) -> String {
    let mut pieces = page.split(" href=\"#n");
    let mut led = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let number = piece.split('"').next().and_then(|number| number.parse().ok());
        let is_missing = number.is_some_and(|number: u64| missing.contains(&number));
        led += if is_missing { " href=\"" } else { " href=\"#n" };
        led += if is_missing { base } else { "" };
        led += piece;
    }
    led
}

fn number(tag: &str, attribute: &str) -> Option<u64> {
    let (_, rest) = tag.split_once(attribute)?;
    rest.split('"').next()?.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_pointed_to_and_not_there_is_missing() {
        let page = r##"<a href="#n1">1</a><b id="n1">&lt;i id="n2"></b><a class="x" href="#n2">"##;
        assert_eq!(missing(page), BTreeSet::from([2]));
        let wanted = r##"<a href="#n1">1</a><b id="n1">&lt;i id="n2"></b><a class="x" href="/why/2">"##;
        assert_eq!(led(page, &missing(page), "/why/"), wanted);
    }
}
