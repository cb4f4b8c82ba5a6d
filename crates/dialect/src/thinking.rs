//! Thinking that a server left among the words of a reply.
//!
//! What a model thinks may hold what it keeps from the others. It is kept beside the words, so that a person can ask for it, and is
//! never among them. A block that is not closed was cut: all that follows is thinking.

use twicetold_model::is_invisible;

/// Names of the tags around thinking, as models are trained to write them: `<think>`, also with a space of names, `<seed:think>`.
const TAGS: [&str; 11] = [
    "think",
    "thinking",
    "thought",
    "thoughts",
    "reason",
    "reasoning",
    "analysis",
    "scratchpad",
    "reflection",
    "internal",
    "inner_monologue",
];
/// Other beginnings and ends of thinking, as they stand.
const MARKS: [(&str, &str); 4] = [
    ("[THINK]", "[/THINK]"),
    ("\u{25c1}think\u{25b7}", "\u{25c1}/think\u{25b7}"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    (ANALYSIS, "<|end|>"),
];
/// How some models begin it, which end all that they say alike.
const ANALYSIS: &str = "<|channel|>analysis<|message|>";
/// A tag has no more characters between its brackets: so far is looked for its end, and no farther.
const TAG_CHARACTERS_MAX: usize = 40;

/// The words without the thinking among them, and that thinking; nothing where there is none. The words begin and end where
/// something is said.
pub(crate) fn split(text: &str) -> Option<(String, String)> {
    // Most replies have none of these, and a search for one byte is fast.
    if !['<', '[', '\u{25c1}'].into_iter().any(|begin| text.contains(begin)) {
        return None;
    }
    let (mut words, mut thinking) = (Vec::new(), Vec::new());
    let mut rest = text;
    while let Some(tag) = next_tag(rest) {
        let before = &rest[..tag.start];
        rest = &rest[tag.end..];
        if !tag.opens && tag.name == ANALYSIS {
            // The same mark ends what is said: alone it says nothing of what stands before it.
            words.push(before);
            continue;
        }
        if !tag.opens {
            // Templates of chats may open the block in the prompt: what comes before the end is thinking.
            thinking.append(&mut words);
            thinking.push(before);
            continue;
        }
        words.push(before);
        let closing = std::iter::successors(next_tag(rest), |tag| {
            next_tag(&rest[tag.end..]).map(|next| Tag {
                start: next.start + tag.end,
                end: next.end + tag.end,
                ..next
            })
        });
        let close = closing.into_iter().find(|closing| !closing.opens && closing.name == tag.name);
        let (inside, after) = close.map_or((rest, ""), |close| (&rest[..close.start], &rest[close.end..]));
        thinking.push(inside);
        rest = after;
    }
    if thinking.is_empty() {
        return None;
    }
    words.push(rest);
    Some((joined(&words), joined(&thinking)))
}

/// Pieces that say something, as paragraphs.
fn joined(pieces: &[&str]) -> String {
    let pieces: Vec<&str> =
        pieces.iter().map(|piece| piece.trim()).filter(|piece| !piece.is_empty()).collect();
    pieces.join("\n\n")
}

/// The beginning or the end of a block of thinking.
struct Tag {
    start: usize,
    end: usize,
    name: &'static str,
    opens: bool,
}

fn next_tag(text: &str) -> Option<Tag> {
    text.match_indices(['<', '[', '\u{25c1}']).find_map(|(start, _)| tag_at(text, start))
}

fn tag_at(text: &str, start: usize) -> Option<Tag> {
    let here = text.get(start..)?;
    for (begin, end) in MARKS {
        for (mark, opens) in [(begin, true), (end, false)] {
            if here.starts_with(mark) {
                return Some(Tag { start, end: start + mark.len(), name: begin, opens });
            }
        }
    }
    let (opens, after) = match here.strip_prefix('<')? {
        after if after.starts_with('/') => (false, &after[1..]),
        after => (true, after),
    };
    let close = after.char_indices().take(TAG_CHARACTERS_MAX).find(|(_, c)| *c == '>')?.0;
    let shown: String = after[..close].chars().filter(|c| !c.is_whitespace() && !is_invisible(*c)).collect();
    let bare = shown.rsplit_once(':').map_or(shown.as_str(), |(_, name)| name);
    let name = TAGS.into_iter().find(|tag| tag.eq_ignore_ascii_case(bare))?;
    Some(Tag { start, end: text.len() - after.len() + close + 1, name, opens })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thinking_is_taken_out_of_the_words_wherever_it_stands() {
        for (text, words, thinking) in [
            ("<think>He lies.</think>Good evening.", "Good evening.", "He lies."),
            ("<think>\nHe lies.\n</think>\n\nGood evening.", "Good evening.", "He lies."),
            ("<Thinking>He <b>lies</b>.</THINKING> Good.", "Good.", "He <b>lies</b>."),
            ("<think>One.</think>Good <reasoning>two</reasoning>evening.", "Good\n\nevening.", "One.\n\ntwo"),
            ("He lies.\n</think>\nGood evening.", "Good evening.", "He lies."),
            ("Good. <think>He lies, and", "Good.", "He lies, and"),
            ("<think>He lies", "", "He lies"),
            ("<think></think>Good.", "Good.", ""),
            ("<thought>a</think>b</thought>c", "c", "a</think>b"),
            ("<think >He lies.</ think\n>Good.", "Good.", "He lies."),
            ("<seed:think>He lies.</seed:think>Good.", "Good.", "He lies."),
            ("<thi\u{200b}nk>He lies.</think>Good.", "Good.", "He lies."),
            ("[THINK]He [lies].[/THINK]Good.", "Good.", "He [lies]."),
            ("\u{25c1}think\u{25b7}He lies.\u{25c1}/think\u{25b7}Good.", "Good.", "He lies."),
            ("<|begin_of_thought|>He lies.<|end_of_thought|>Good.", "Good.", "He lies."),
            ("<|channel|>analysis<|message|>He lies.<|end|>Good.", "Good.", "He lies."),
            ("<scratchpad>He lies.</scratchpad>Good.", "Good.", "He lies."),
        ] {
            assert_eq!(split(text), Some((words.to_owned(), thinking.to_owned())), "{text}");
        }
    }

    #[test]
    fn words_without_thinking_stay_as_they_are() {
        for text in [
            "",
            " Good. ",
            "a < b",
            "<thinker>",
            "</b>",
            "<think",
            "<think me>",
            "<",
            "[think]",
            "[/b] <|end",
            "Good.<|end|>",
        ] {
            assert_eq!(split(text), None, "{text}");
        }
    }

    #[test]
    fn a_text_of_brackets_is_read_once() {
        // A search to the end for each of them would take minutes.
        let brackets = "<".repeat(400_000);
        assert_eq!(split(&brackets), None);
    }

    #[test]
    fn wherever_it_is_cut_no_thinking_is_among_the_words() {
        let text = "Good. <think>SECRET SECRET</think> Evening. <reasoning>SECRET</reasoning> Night.";
        for end in 0..=text.len() {
            let words = split(&text[..end]).map_or(text[..end].to_owned(), |(words, _)| words);
            assert!(!words.contains('S'), "{words}");
        }
    }
}
