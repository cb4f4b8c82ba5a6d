//! The double brackets in texts of SRD 5.2, which stand for numbers and names.

/// A text with every `[[…]]` filled in: by `known`, by the words in braces behind it, or by what is left of it.
pub fn filled(text: &str, known: &dyn Fn(&str) -> Option<String>) -> String {
    // Words in braces may have brackets of their own; none has more.
    let once = pass(text, known);
    let out = references_plain(&embeds_left_out(&pass(&once, known)));
    out.replace('\u{ad}', "").replace("&lt;", "<").replace("&gt;", ">").trim().to_owned()
}

fn pass(text: &str, known: &dyn Fn(&str) -> Option<String>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(start) = rest.find("[[") {
        let inner = &rest[start + 2..];
        let Some(end) = inner.find("]]") else { break };
        out += &rest[..start];
        let (words, after) = (&inner[..end], &inner[end + 2..]);
        let braces = after.strip_prefix('{').and_then(|after| after.split_once('}'));
        rest = braces.map_or(after, |(_, after)| after);
        let behind = || braces.map(|(words, _)| words.to_owned());
        out += &known(words).or_else(behind).unwrap_or_else(|| plain(words));
    }
    out + rest
}

/// `&Reference[prone apply=false]` as `prone`.
fn references_plain(text: &str) -> String {
    let text = text.replace("&amp;", "&").replace("&reference[", "&Reference[");
    let mut pieces = text.split("&Reference[");
    let mut out = pieces.next().unwrap_or_default().to_owned();
    for piece in pieces {
        let end = piece.find([']', '}']).unwrap_or(piece.len());
        let words = piece[..end].split_whitespace().filter(|word| !word.contains('='));
        out += &words.collect::<Vec<_>>().join(" ");
        out += piece.get(end + 1..).unwrap_or("");
    }
    out
}

/// What a reader can make of a macro without what it refers to.
fn plain(words: &str) -> String {
    let (name, rest) = words.split_once(' ').unwrap_or((words, ""));
    let known = |word: &&str| {
        !["average", "extended", "lowercase", "capitalize"].contains(word) && !word.contains('=')
    };
    let rest: Vec<&str> = rest.split_whitespace().filter(known).collect();
    let rest = rest.join(" ");
    match name {
        "lookup" if rest.contains("template") => "area".to_owned(),
        "lookup" if rest.contains("affects") => "the target".to_owned(),
        "lookup" if rest.contains("save") => "(see its numbers)".to_owned(),
        "lookup" => "…".to_owned(),
        "/attack" => "Attack roll".to_owned(),
        "/damage" if rest.is_empty() => "its".to_owned(),
        _ => rest,
    }
}

/// Pages of other books that a text would show in the middle of itself are not there.
fn embeds_left_out(text: &str) -> String {
    text.split("\n\n")
        .filter(|paragraph| !paragraph.trim_start().starts_with("@Embed["))
        .collect::<Vec<_>>()
        .join("\n\n")
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn what_stands_in_brackets_is_filled_in_or_told_plainly() {
        let known = |words: &str| words.starts_with("/attack").then(|| "+4 to hit".to_owned());
        let text = "[[/attack extended]]. The [[lookup @name lowercase]]{imp} pricks: [[/damage 1d4 fire average]], in an \
                    [[lookup @x.template]]. [[open";
        let wanted = "+4 to hit. The imp pricks: 1d4 fire, in an area. [[open";
        assert_eq!(filled(text, &known), wanted);
        assert_eq!(filled("It is &amp;Reference[Prone apply=false] now.", &|_| None), "It is Prone now.");
        assert_eq!(filled("One.\n\n@Embed[x inline]\n\nTwo.", &|_| None), "One.\n\nTwo.");
    }
}
