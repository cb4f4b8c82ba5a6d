//! Completion in bash. Its own script, because bash breaks words at `=` and `:`, both of which stand in names of models and in options,
//! and takes what it is answered as it is typed.

use std::ffi::OsString;
use std::io::{Error, Write};
use std::path::Path;

use clap::Command;
use clap_complete::engine::complete;
use clap_complete::env::EnvCompleter;

use super::{INDEX, variable};

/// What stands between two candidates: no name holds it, but names hold spaces.
const BETWEEN: char = '\u{b}';
/// Letters that mean something to bash.
const SPECIAL: &str = " \t'\"\\$`&;|<>()[]{}*?!#~";
/// Letters at which bash begins another word.
const BREAKS: [&str; 2] = ["=", ":"];

const SCRIPT: &str = r#"_NAME() {
    local words=("${COMP_WORDS[@]}")
    # Of the word at the cursor only what stands before the cursor.
    local first="${words[COMP_CWORD]:0:1}"
    [[ "$first" == [=:] ]] || words[COMP_CWORD]="$2"
    # A quotation mark that is open belongs to it.
    [[ "$first" == [\"\'] && "$2" != "$first"* ]] && words[COMP_CWORD]="$first$2"
    COMPREPLY=()
    IFS=$'\013' read -r -d '' -a COMPREPLY < <(INDEX="$COMP_CWORD" VAR=bash COMPLETER -- "${words[@]}" 2>/dev/null)
    if [[ ${#COMPREPLY[@]} -eq 1 && "${COMPREPLY[0]}" == *[=/:.] ]]; then
        compopt -o nospace 2>/dev/null
    fi
    return 0
}
complete -o bashdefault -o default -o nosort -F _NAME BIN 2>/dev/null || complete -o bashdefault -o default -F _NAME BIN
"#;

/// Completion in bash.
pub struct Bash;

impl EnvCompleter for Bash {
    fn name(&self) -> &'static str {
        "bash"
    }

    fn is(&self, name: &str) -> bool {
        name == "bash"
    }

    fn write_registration(
        &self,
        variable: &str,
        name: &str,
        program: &str,
        completer: &str,
        to: &mut dyn Write,
    ) -> Result<(), Error> {
        let completer = format!("'{}'", completer.replace('\'', r"'\''"));
        let script = SCRIPT.replace("NAME", name).replace("BIN", program);
        let script = script.replace("INDEX", INDEX).replace("VAR", variable);
        to.write_all(script.replace("COMPLETER", &completer).as_bytes())
    }

    fn write_complete(
        &self,
        program: &mut Command,
        words: Vec<OsString>,
        folder: Option<&Path>,
        to: &mut dyn Write,
    ) -> Result<(), Error> {
        let at = variable(INDEX).and_then(|index| index.to_str()?.parse().ok()).unwrap_or_default();
        let open_quote = words.get(at).and_then(open_quote);
        let (words, place, before) = joined(&words, at);
        let before = before.to_string_lossy();
        let found = complete(program, words, place, folder)?;
        let typed = found.iter().map(|one| {
            let value = one.get_value().to_string_lossy();
            // Bash replaces no more than its own word.
            let value = value.strip_prefix(&*before).unwrap_or(&value);
            match open_quote {
                Some(quote) => within(value, quote),
                None => quoted(value),
            }
        });
        let typed: Vec<String> = typed.collect();
        to.write_all(typed.join(&BETWEEN.to_string()).as_bytes())
    }
}

/// The words as they were typed, of which bash broke some; the place of the one that is completed; and what of that one stands before the
/// word that bash completes.
pub fn joined(words: &[OsString], at: usize) -> (Vec<OsString>, usize, OsString) {
    let is_break = |word: &OsString| BREAKS.iter().any(|sign| *word == **sign);
    let (mut out, mut place, mut before): (Vec<OsString>, usize, OsString) = (Vec::new(), 0, OsString::new());
    let mut glued = false;
    for (index, word) in words.iter().enumerate() {
        let joins = out.len() > 1 && (glued || is_break(word));
        let piece = if joins { out.pop().unwrap_or_default() } else { OsString::new() };
        if index == at {
            place = out.len();
            before.clone_from(&piece);
            // The cursor stands behind the sign, and bash completes an empty word there.
            if is_break(word) && joins {
                before.push(word);
            }
        }
        let mut whole = piece;
        whole.push(plain(word));
        out.push(whole);
        glued = is_break(word) && joins;
    }
    (out, place, before)
}

/// A word without the signs that keep its letters from bash.
fn plain(word: &OsString) -> OsString {
    match word.to_str() {
        Some(text) if text.contains(['\\', '\'', '"']) => {
            let (mut out, mut letters) = (String::new(), text.chars());
            while let Some(letter) = letters.next() {
                match letter {
                    '\\' => out.extend(letters.next()),
                    '\'' | '"' => {}
                    letter => out.push(letter),
                }
            }
            out.into()
        }
        _ => word.clone(),
    }
}

/// The quotation mark with which a word begins; bash keeps it, and closes it behind the candidate.
fn open_quote(word: &OsString) -> Option<char> {
    word.to_str()?.chars().next().filter(|first| ['"', '\''].contains(first))
}

/// A candidate as it is typed behind a quotation mark.
fn within(text: &str, quote: char) -> String {
    let is_special = |letter: char| quote == '"' && ['"', '$', '`', '\\'].contains(&letter);
    text.chars().flat_map(|letter| is_special(letter).then_some('\\').into_iter().chain([letter])).collect()
}

/// A candidate as it is typed.
fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for letter in text.chars() {
        if SPECIAL.contains(letter) {
            out.push('\\');
        }
        out.push(letter);
    }
    out
}
