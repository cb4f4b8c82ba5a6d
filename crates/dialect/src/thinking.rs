//! Thinking that a server left among the words of a reply.
//!
//! What a model thinks may hold what it keeps from the others. It is kept beside the words, so that a person can ask for it, and is
//! never among them. A block that is not closed was cut: all that follows is thinking.

/// Names of the tags around thinking, as models are trained to write them.
const TAGS: [&str; 4] = ["think", "thinking", "thought", "reasoning"];

/// The words without the thinking among them, and that thinking; nothing where there is none. The words begin and end where
/// something is said.
pub(crate) fn split(text: &str) -> Option<(String, String)> {
    let (mut words, mut thinking) = (Vec::new(), Vec::new());
    let mut rest = text;
    while let Some(tag) = next_tag(rest) {
        let before = &rest[..tag.start];
        rest = &rest[tag.end..];
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
    text.match_indices('<').find_map(|(start, _)| {
        let after = &text[start + 1..];
        let (opens, after) = after.strip_prefix('/').map_or((true, after), |after| (false, after));
        let close = after.find('>')?;
        let name = TAGS.into_iter().find(|tag| tag.eq_ignore_ascii_case(&after[..close]))?;
        Some(Tag { start, end: text.len() - after.len() + close + 1, name, opens })
    })
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
        ] {
            assert_eq!(split(text), Some((words.to_owned(), thinking.to_owned())), "{text}");
        }
    }

    #[test]
    fn words_without_thinking_stay_as_they_are() {
        for text in ["", " Good. ", "a < b", "<thinker>", "</b>", "<think", "<think me>", "<"] {
            assert_eq!(split(text), None, "{text}");
        }
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
