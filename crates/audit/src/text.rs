//! Sentences and words: what every detector of prose needs.

use crate::limits::QUOTE_BYTES_MAX;

/// Words that say nothing about who wrote them or what about: the most frequent words of English, in no order.
const COMMON: &str = "\
the of and to a in is it you that he was for on are with as i his they be at one have this from or had by hot but some what there \
we can out other were all your when up use word how said an each she which do their time if will way about many then them would \
write like so these her long make thing see him two has look more day could go come did my sound no most number who over know \
water than call first people may down side been now find any new work part take get place made live where after back little only \
round man year came show every good me give our under name very through just form much great think say help low line before turn \
cause same mean differ move right boy old too does tell sentence set three want air well also play small end put home read hand \
port large spell add even land here must big high such follow act why ask men change went light kind off need house picture try us \
again animal point mother world near build self earth father head stand own page should country found answer school grow study \
still learn plant cover food sun four thought let keep eye never last door between city tree cross since hard start might story saw \
far sea draw left late run while press close night real life few stop open seem together next white children begin got walk example \
ease paper often always music those both mark book letter until mile river car feet care second group carry took rain eat room friend \
began idea fish mountain north once base hear horse cut sure watch color face wood main enough plain girl usual young ready above \
ever red list though feel talk bird soon body dog family direct pose leave song measure state product black short numeral class wind \
question happen complete ship area half rock order fire south problem piece told knew pass farm top whole king size heard best hour \
better true during hundred am remember step early hold west ground interest reach fast five sing listen six table travel less morning \
ten simple several toward war lay against pattern slow center love person money serve appear road map science rule govern pull cold \
notice voice fall power town fine certain fly unit lead cry dark machine note wait plan figure star box noun field rest correct able \
pound done beauty drive stood contain front teach week final gave green oh quick develop sleep warm free minute strong special mind \
behind clear tail produce fact street inch nothing course stay wheel full force blue object decide surface deep moon island foot yet \
busy test record boat common gold possible plane age dry wonder laugh thousand ago ran check game shape yes miss brought heat snow bed \
bring sit perhaps fill east weight language among not don't didn't won't can't i'm i'll i've it's that's you're they're isn't wasn't \
everybody anybody nobody somebody something anything everything else shall cannot without myself yourself himself herself themselves \
into onto upon being having doing going goes makes takes gets comes says asks gives puts keeps lets tells knows thinks seems looks \
turns moves wants needs its theirs ours yours mine already around away another because maybe quite rather really thank thanks please \
sorry goodbye hello trust promise offer sooner later whether however whoever whatever";

/// Does a word say something about what a text speaks of?
pub(crate) fn is_telling(word: &str) -> bool {
    word.chars().count() > 3 && !is_common(word)
}

/// Is it one of the most frequent words of English, or a form of one?
pub(crate) fn is_common(word: &str) -> bool {
    // Plain forms of the same words: `looked`, `looking`, `looks`.
    let stem = ["ing", "ed", "es", "s", "ly", "er", "e"].iter().find_map(|end| word.strip_suffix(end));
    is_frequent(word) || stem.is_some_and(|stem| is_frequent(stem) || is_frequent(&format!("{stem}e")))
}

/// Is it one of the most frequent words of English itself?
pub(crate) fn is_frequent(word: &str) -> bool {
    use std::collections::BTreeSet;
    use std::sync::OnceLock;
    static WORDS: OnceLock<BTreeSet<&'static str>> = OnceLock::new();
    WORDS.get_or_init(|| COMMON.split_whitespace().collect()).contains(word)
}

/// Words in lower case, without marks; an apostrophe inside a word stays.
pub(crate) fn words(text: &str) -> Vec<String> {
    let text = text.replace('’', "'");
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '\'');
    let words = parts.map(|word| word.trim_matches('\'')).filter(|word| !word.is_empty());
    words.map(|word| word.strip_suffix("'s").unwrap_or(word).to_lowercase()).collect()
}

/// Sentences as they were written, closing quotation marks included.
pub(crate) fn sentences(text: &str) -> Vec<&str> {
    let mut sentences = Vec::new();
    let (mut start, mut ended) = (0, false);
    for (place, letter) in text.char_indices() {
        if letter == '\n' {
            sentences.push(&text[start..place]);
            (start, ended) = (place + 1, false);
            continue;
        }
        ended = match letter {
            '.' if !ended && is_shortened(&text[start..place]) => false,
            '.' | '!' | '?' | '…' => true,
            '"' | '”' | '’' | ')' | '*' | '_' => ended,
            c if c.is_whitespace() && ended => {
                sentences.push(&text[start..place]);
                start = place;
                false
            }
            _ => false,
        };
    }
    sentences.push(&text[start..]);
    sentences.into_iter().map(str::trim).filter(|sentence| !sentence.is_empty()).collect()
}

/// Does a text end with a title that is written short, behind which a name follows: "Mr", "St"?
fn is_shortened(text: &str) -> bool {
    const SHORT: [&str; 11] = ["Mr", "Mrs", "Ms", "Dr", "St", "Lt", "Sgt", "Capt", "Col", "Prof", "Rev"];
    let last = text.rsplit(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    SHORT.contains(&last)
}

/// The text with every mark of a quotation written as `"`: books put speech between single ones, and apostrophes are none.
pub(crate) fn marked(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (place, paragraph) in text.split('\n').enumerate() {
        if place > 0 {
            out.push('\n');
        }
        let letters: Vec<char> = paragraph.chars().collect();
        let mut closing = None;
        for (at, letter) in letters.iter().enumerate() {
            let before = at.checked_sub(1).and_then(|at| letters.get(at));
            let opens = before.is_none_or(|before| before.is_whitespace() || "([*_—".contains(*before));
            match letter {
                '“' | '”' | '„' | '«' | '»' => out.push('"'),
                '\'' | '’' if closing == Some(at) => {
                    closing = None;
                    out.push('"');
                }
                '\'' | '‘' if closing.is_none() && opens => {
                    closing = closing_of(&letters, at);
                    out.push(if closing.is_some() { '"' } else { '\'' });
                }
                other => out.push(*other),
            }
        }
    }
    out
}

/// Where a quotation in single marks ends that begins at `start`: behind a mark of punctuation, and never within a word.
fn closing_of(letters: &[char], start: usize) -> Option<usize> {
    letters.get(start + 1).filter(|next| next.is_alphanumeric() || **next == '…')?;
    let is_mark = |at: usize| matches!(letters[at], '\'' | '’' | '‘');
    let follows = |at: usize| letters.get(at + 1).is_some_and(|next| next.is_alphanumeric());
    let found = (start + 2..letters.len()).filter(|at| is_mark(*at)).find(|at| {
        let opens = letters[at - 1].is_whitespace() && follows(*at);
        opens || (",.!?…—-".contains(letters[at - 1]) && !follows(*at))
    })?;
    // Another one opens before this one ended: this was an apostrophe.
    (!letters[found - 1].is_whitespace()).then_some(found)
}

/// The text with everything between quotation marks left out: what the narration itself claims.
pub(crate) fn unquoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut inside = false;
    for letter in marked(text).chars() {
        match letter {
            '"' => inside = !inside,
            // A quotation that nobody closed ends with its paragraph.
            '\n' => {
                inside = false;
                out.push('\n');
            }
            _ if !inside => out.push(letter),
            _ => {}
        }
    }
    out
}

/// What stands between quotation marks, each quotation on a line of its own.
pub(crate) fn quoted(text: &str) -> String {
    let mut out = String::new();
    for paragraph in marked(text).split('\n') {
        for (place, part) in paragraph.split('"').enumerate().filter(|(place, _)| place % 2 == 1) {
            out.push_str(if place > 1 || !out.is_empty() { "\n" } else { "" });
            out.push_str(part);
        }
    }
    out
}

/// Where the text first holds this name as whole words.
pub(crate) fn place_of(text: &str, name: &str) -> Option<usize> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    text.match_indices(name).map(|(place, _)| place).find(|place| {
        let before = text[..*place].chars().next_back();
        let after = text[*place + name.len()..].chars().next();
        !name.is_empty() && !before.is_some_and(is_part) && !after.is_some_and(is_part)
    })
}

/// Words to quote in a finding, shortened.
pub(crate) fn quote(text: &str) -> String {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    if line.len() <= QUOTE_BYTES_MAX {
        return line;
    }
    let end = (0..=QUOTE_BYTES_MAX).rev().find(|end| line.is_char_boundary(*end)).unwrap_or(0);
    format!("{}…", line[..end].trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sentences_end_where_a_reader_would_end_them() {
        let text = "You fail. \"Not so fast!\" she says. Dusk falls…\nWho is there?";
        assert_eq!(
            sentences(text),
            ["You fail.", "\"Not so fast!\"", "she says.", "Dusk falls…", "Who is there?"]
        );
    }

    #[test]
    fn a_title_ends_no_sentence() {
        assert_eq!(sentences("Ask Mrs. Orr. She knows."), ["Ask Mrs. Orr.", "She knows."]);
    }

    #[test]
    fn quotations_and_narration_are_told_apart() {
        let text = "“I won,” she says. It is late.\n\"Never closed\nAnd then?";
        assert_eq!(unquoted(text), " she says. It is late.\n\nAnd then?");
        let british = "‘Don’t,’ said Ada. 'Tis the dogs' hour. 'It's late,' she added.";
        assert_eq!(marked(british), "\"Don’t,\" said Ada. 'Tis the dogs' hour. \"It's late,\" she added.");
    }

    #[test]
    fn a_name_inside_a_longer_one_is_not_that_name() {
        let place = |text| place_of(text, "Ada");
        assert!(
            place("Ask Ada, now").is_some() && place("Adamant").is_none() && place_of("Ada", "").is_none()
        );
    }

    #[test]
    fn words_that_everybody_uses_tell_nothing() {
        assert!(!is_telling("looking") && !is_telling("goodbye") && is_telling("margery"));
    }
}
