//! Texts by key: the sentences that reach a model, as templates that stand in TOML files of the charter.
//!
//! ```toml
//! [item]
//! added = '[item] {{character}} gains {{#quantity}}{{quantity}} × {{/quantity}}{{item}}'
//! ```
//! is the text `item.added`. A text stands in its file as it is, without escapes, so that each byte of a prompt has a place there.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use toml::Spanned;

use super::{SetupError, Template};

/// Where a text stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TextFile {
    /// In this file of the charter, by its index.
    Charter(usize),
    /// In a file of the program.
    Program,
}

/// A text: its template, and the file that the template's places count in.
#[derive(Clone, Debug)]
pub struct TextEntry {
    /// Where it stands.
    pub file: TextFile,
    /// The file's whole content.
    pub content: Arc<str>,
    /// The bytes of the file that it is.
    pub range: Range<usize>,
    /// The template.
    pub template: Template,
}

/// Texts by their keys, for example `item.added`.
#[derive(Clone, Debug, Default)]
pub struct Texts {
    texts: BTreeMap<String, TextEntry>,
}

/// The texts that the embedded improviser reads: it knows these words, whatever language a campaign is played in. A text that came later is
/// read in the words of the charter.
pub(crate) fn improviser_texts() -> &'static Texts {
    static TEXTS: OnceLock<Texts> = OnceLock::new();
    TEXTS.get_or_init(|| {
        program_texts([
            include_str!("improv-1/results.toml"),
            include_str!("improv-1/rejections.toml"),
            include_str!("improv-1/lines.toml"),
            include_str!("improv-1/table-state.toml"),
            include_str!("improv-1/reading.toml"),
        ])
    })
}

/// The program's own files of texts: name without ending, content.
pub(super) const BUNDLED: [(&str, &str); 6] = [
    ("results", include_str!("../../prompts/results.toml")),
    ("rejections", include_str!("../../prompts/rejections.toml")),
    ("lines", include_str!("../../prompts/lines.toml")),
    ("table-state", include_str!("../../prompts/table-state.toml")),
    ("reading", include_str!("../../prompts/reading.toml")),
    ("guided", include_str!("../../prompts/guided.toml")),
];

/// The program's own texts. Their keys, and the names that they use, are those that the texts of a charter may have.
pub fn known_texts() -> &'static Texts {
    static TEXTS: OnceLock<Texts> = OnceLock::new();
    TEXTS.get_or_init(|| program_texts(BUNDLED.map(|(_, content)| content)).or(improviser_texts()))
}

fn program_texts<const N: usize>(files: [&str; N]) -> Texts {
    let mut texts = Texts::default();
    for content in files {
        texts
            .add("a file of the program", TextFile::Program, &Arc::from(content))
            .expect("the program's own texts can be read: the_programs_own_texts_can_be_read");
    }
    texts
}

impl Texts {
    /// The text of this key; nothing where the charter has none, for example because it is older than the key.
    pub fn get(&self, key: &str) -> Option<&TextEntry> {
        self.texts.get(key)
    }

    /// All keys, in order, with their texts.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &TextEntry)> {
        self.texts.iter().map(|(key, text)| (key.as_str(), text))
    }

    /// These texts, and of the others those whose keys they do not have.
    #[must_use]
    pub fn or(mut self, others: &Texts) -> Texts {
        for (key, text) in &others.texts {
            self.texts.entry(key.clone()).or_insert_with(|| text.clone());
        }
        self
    }

    /// Adds the texts of one file.
    ///
    /// # Errors
    /// The file cannot be read, a text is not written as it is, a template is broken, or a key stands in two files.
    pub fn add(&mut self, path: &str, file: TextFile, content: &Arc<str>) -> Result<(), SetupError> {
        let invalid = |message: String, span: Range<usize>| SetupError::Invalid {
            path: path.to_owned(),
            message,
            span: Some((span.start, span.end)),
        };
        let tables: BTreeMap<String, BTreeMap<String, Spanned<String>>> = super::parse(path, content)?;
        for (table, texts) in tables {
            for (name, text) in texts {
                let key = format!("{table}.{name}");
                let range = verbatim(content, text.span()).ok_or_else(|| {
                    let message = format!(
                        "write {key} between \'…\' or \'\'\'…\'\'\', where no character needs an escape"
                    );
                    invalid(message, text.span())
                })?;
                let template = Template::parse_within(content, range.clone())
                    .map_err(|error| invalid(error.message, error.at..error.at + 2))?;
                let entry = TextEntry { file: file.clone(), content: content.clone(), range, template };
                if self.texts.insert(key.clone(), entry).is_some() {
                    return Err(invalid(format!("{key} is in two files"), text.span()));
                }
            }
        }
        Ok(())
    }
}

/// The bytes between the quotation marks of a TOML string, where they are what the string means.
fn verbatim(content: &str, span: Range<usize>) -> Option<Range<usize>> {
    let raw = content.get(span.clone())?;
    let quotes = ["'''", "\"\"\"", "'", "\""].into_iter().find(|quotes| raw.starts_with(quotes))?;
    let inner = raw.strip_prefix(quotes)?.strip_suffix(quotes)?;
    let trimmed = if quotes.len() == 3 { inner.strip_prefix('\n').unwrap_or(inner) } else { inner };
    let escapes = quotes.starts_with('"') && inner.contains('\\');
    let end = span.end - quotes.len();
    (!escapes && !inner.contains('\r')).then_some(end - trimmed.len()..end)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts(content: &str) -> Result<Texts, SetupError> {
        let mut texts = Texts::default();
        texts.add("prompts/x.toml", TextFile::Program, &Arc::from(content)).map(|()| texts)
    }

    #[test]
    fn the_programs_own_texts_can_be_read() {
        assert!(improviser_texts().get("item.added").is_some() && known_texts().get("item.added").is_some());
    }

    #[test]
    fn a_text_is_the_bytes_of_its_file() {
        let content = "[a]\nb = 'x {{y}}'\nc = '''\nline\n'''\nd = \"plain\"\n";
        let texts = texts(content).unwrap();
        let of = |key: &str| texts.get(key).map(|text| &text.content[text.range.clone()]);
        assert_eq!((of("a.b"), of("a.c"), of("a.d")), (Some("x {{y}}"), Some("line\n"), Some("plain")));
        assert_eq!(texts.get("a.b").unwrap().template.names(), ["y"]);
        assert!(of("a.e").is_none());
    }

    #[test]
    fn a_text_with_escapes_or_a_broken_template_is_refused_with_its_place() {
        for (content, at) in [("[a]\nb = \"x\\n\"", 8), ("[a]\nb = '{{#y}}'", 9), ("[a]\nb = '{{y'", 9)] {
            let Err(SetupError::Invalid { span, .. }) = texts(content) else {
                panic!("{content} is accepted")
            };
            assert_eq!(span.map(|span| span.0), Some(at), "{content}");
        }
    }
}
