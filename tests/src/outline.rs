//! What every page must be for somebody who does not see it or has no mouse, as far as its text tells.

/// Panics unless headings follow each other without a gap, and what folds holds nothing that can be pressed: a summary is a button, and
/// what lies within a button is out of reach of a keyboard or a screen reader.
pub fn assert_outlined(place: &str, page: &str) {
    let mut level = 0;
    let mut heads = 0;
    for (tag, rest) in tags(page) {
        let name = tag.split([' ', '\n']).next().unwrap_or_default();
        if name == "summary" {
            let within = rest.split("</summary>").next().unwrap_or_default();
            for pressed in ["a", "button", "input", "select", "textarea"] {
                let found =
                    tags(within).any(|(tag, _)| tag == pressed || tag.starts_with(&format!("{pressed} ")));
                assert!(!found, "{place}: <{pressed}> within a summary: {within}");
            }
        }
        let Some(now) = name.strip_prefix('h').and_then(|level| level.parse::<u32>().ok()) else { continue };
        let text = rest.split("</h").next().unwrap_or_default();
        assert!(now <= level + 1, "{place}: <h{now}> follows <h{level}>: {text:.80}");
        heads += u32::from(now == 1);
        level = now;
    }
    assert_eq!(heads, 1, "{place}: a page has one heading of the first level");
}

/// The opening tags of a page without their brackets, each with what follows it.
fn tags(page: &str) -> impl Iterator<Item = (&str, &str)> {
    page.match_indices('<')
        .filter_map(|(place, _)| page[place + 1..].split_once('>'))
        .filter(|(tag, _)| !tag.starts_with('/'))
}

#[cfg(test)]
mod tests {
    use super::assert_outlined;

    const PAGE: &str = "<h1>A</h1><h2>B</h2><details><summary><b>C</b></summary><a href=\"#d\">D</a></details><h3>E</h3><h2>F</h2>";

    #[test]
    fn a_page_in_order_passes() {
        assert_outlined("a page", PAGE);
    }

    #[test]
    #[should_panic(expected = "<a> within a summary")]
    fn a_link_within_a_summary_does_not_pass() {
        assert_outlined("a page", &PAGE.replace("<b>C</b>", "C <a href=\"#c\">c</a>"));
    }

    #[test]
    #[should_panic(expected = "<h3> follows <h1>")]
    fn a_heading_that_skips_a_level_does_not_pass() {
        assert_outlined("a page", &PAGE.replace("h2>", "p>"));
    }

    #[test]
    #[should_panic(expected = "one heading of the first level")]
    fn a_page_without_a_heading_does_not_pass() {
        assert_outlined("a page", "<p>B</p>");
    }
}
