//! Markdown of models as HTML: their emphasis, lists and quotes, and none of their HTML, links and pictures.

use pulldown_cmark::{Event, Parser, Tag, TagEnd};

/// The HTML of a text. Line breaks stay, since models write tables of values in lines. Nothing in it links or loads anything.
pub fn html(text: &str) -> String {
    let events = Parser::new(text).filter_map(|event| match event {
        Event::Html(markup) | Event::InlineHtml(markup) => Some(Event::Text(markup)),
        Event::SoftBreak => Some(Event::HardBreak),
        Event::Start(Tag::Link { .. } | Tag::Image { .. } | Tag::HtmlBlock)
        | Event::End(TagEnd::Link | TagEnd::Image | TagEnd::HtmlBlock) => None,
        // A page has headings of its own: a model's are paragraphs that stand out.
        Event::Start(Tag::Heading { .. }) => Some(Event::InlineHtml("<p class=\"loud\">".into())),
        Event::End(TagEnd::Heading(_)) => Some(Event::InlineHtml("</p>".into())),
        // Its class would be the model's.
        Event::Start(Tag::CodeBlock(_)) => Some(Event::InlineHtml("<pre><code>".into())),
        Event::End(TagEnd::CodeBlock) => Some(Event::InlineHtml("</code></pre>".into())),
        other => Some(other),
    });
    let mut out = String::with_capacity(text.len() + text.len() / 4);
    pulldown_cmark::html::push_html(&mut out, events);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_shown_and_never_obeyed() {
        for text in [
            "<script>alert(1)</script>",
            "a <img src=x onerror=alert(1)> b",
            "<div onclick='x'>\n\nb",
            "[a](javascript:alert(1)) ![b](https://example.org/c.png) <https://example.org>",
            "# <b onmouseover=x>\n\n```\"><script>\nx\n```",
            "[a]: https://example.org\n\n[a] &lt;script&gt;",
        ] {
            let shown = html(text);
            for tag in shown.split('<').skip(1) {
                let known = ["p>", "/p>", "p class=\"loud\">", "br />", "pre>", "code>", "/code>", "/pre>"];
                assert!(known.iter().any(|known| tag.starts_with(known)), "{text:?} became {shown:?}");
            }
        }
    }

    #[test]
    fn emphasis_and_line_breaks_stay() {
        assert_eq!(html("*a*\nb").replace('\n', ""), "<p><em>a</em><br />b</p>");
    }
}
