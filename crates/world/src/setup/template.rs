//! Prompt templates: text with `{{names}}` to fill in and `{{#name}}…{{/name}}` shown only when the name has something to say.
//!
//! A template engine would give one flat string. Here every literal piece keeps its place in the file, so that a prompt can
//! say of each of its bytes where it comes from.

use twicetold_event::limits;

/// A parsed template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Template {
    /// The pieces in order.
    pub pieces: Vec<Piece>,
}

/// A piece of a template.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Piece {
    /// Bytes `start..end` of the file.
    Literal {
        /// First byte.
        start: usize,
        /// The byte after the last.
        end: usize,
    },
    /// Filled in.
    Name(String),
    /// Shown only when the name is not empty.
    Section(String, Vec<Piece>),
}

/// Why a template cannot be read.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TemplateError {
    /// The byte at which the tag begins.
    pub at: usize,
    /// What is wrong with it, and what to write.
    pub message: String,
}

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// A brace or a section is not closed; the error names it and its place.
    pub fn parse(text: &str) -> Result<Template, TemplateError> {
        let mut parser = Parser { text, at: 0, open: 0 };
        let pieces = parser.pieces(None)?;
        Ok(Template { pieces })
    }

    /// All names that the template asks for.
    pub fn names(&self) -> Vec<&str> {
        fn walk<'a>(pieces: &'a [Piece], names: &mut Vec<&'a str>) {
            for piece in pieces {
                match piece {
                    Piece::Literal { .. } => {}
                    Piece::Name(name) => names.push(name),
                    Piece::Section(name, inner) => {
                        names.push(name);
                        walk(inner, names);
                    }
                }
            }
        }
        let mut names = Vec::new();
        walk(&self.pieces, &mut names);
        names
    }
}

struct Parser<'a> {
    text: &'a str,
    at: usize,
    /// Sections that are open.
    open: usize,
}

impl Parser<'_> {
    /// Pieces up to the end of `section`, a name and the place where it was opened, or of the text.
    fn pieces(&mut self, section: Option<(&str, usize)>) -> Result<Vec<Piece>, TemplateError> {
        let mut pieces = Vec::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(open) = rest.find("{{") else {
                if let Some((section, at)) = section {
                    let message =
                        format!("{{{{#{section}}}}} is never closed; write {{{{/{section}}}}} after it");
                    return Err(TemplateError { at, message });
                }
                push_literal(&mut pieces, self.at, self.text.len());
                self.at = self.text.len();
                return Ok(pieces);
            };
            push_literal(&mut pieces, self.at, self.at + open);
            let at = self.at + open;
            let Some(length) = rest[open..].find("}}") else {
                let message = "{{ is never closed; write }} after the name".into();
                return Err(TemplateError { at, message });
            };
            let tag = rest[open + 2..open + length].trim();
            self.at += open + length + 2;
            if let Some(name) = tag.strip_prefix('#') {
                self.skip_line_break();
                if self.open == limits::SECTIONS_NESTED_MAX {
                    let message =
                        format!("sections are nested more than {} deep", limits::SECTIONS_NESTED_MAX);
                    return Err(TemplateError { at, message });
                }
                self.open += 1;
                pieces.push(Piece::Section(name.to_owned(), self.pieces(Some((name, at)))?));
                self.open -= 1;
            } else if let Some(name) = tag.strip_prefix('/') {
                self.skip_line_break();
                return match section {
                    Some((section, _)) if section == name => Ok(pieces),
                    _ => {
                        let message = format!("{{{{/{name}}}}} closes a section that is not open here");
                        Err(TemplateError { at, message })
                    }
                };
            } else {
                pieces.push(Piece::Name(tag.to_owned()));
            }
        }
    }

    /// A section's tag on a line of its own leaves no empty line behind.
    fn skip_line_break(&mut self) {
        if self.text[self.at..].starts_with('\n') {
            self.at += 1;
        }
    }
}

fn push_literal(pieces: &mut Vec<Piece>, start: usize, end: usize) {
    if start < end {
        pieces.push(Piece::Literal { start, end });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn literals_names_and_sections_are_told_apart() {
        let text = "Hi {{ who }}!\n{{#more}}\n- {{more}}\n{{/more}}\nBye";
        let template = Template::parse(text).unwrap();
        assert_eq!(template.names(), ["who", "more", "more"]);
        let Piece::Literal { start, end } = template.pieces[0] else { panic!("a literal comes first") };
        assert_eq!(&text[start..end], "Hi ");
    }

    #[test]
    fn what_is_never_closed_is_named_with_its_place() {
        let error = |text| Template::parse(text).unwrap_err();
        assert_eq!(error("a\n{{b").at, 2);
        assert!(error("{{#b}}").message.contains("{{/b}}"));
        assert!(error("{{/b}}").message.contains("not open"));
    }

    #[test]
    fn sections_are_nested_only_so_deep() {
        let nested = |depth: usize| format!("{}x{}", "{{#a}}".repeat(depth), "{{/a}}".repeat(depth));
        assert!(Template::parse(&nested(limits::SECTIONS_NESTED_MAX)).is_ok());
        let error = Template::parse(&nested(100_000)).unwrap_err();
        assert!(error.message.contains("nested"), "{}", error.message);
        assert_eq!(error.at, limits::SECTIONS_NESTED_MAX * "{{#a}}".len());
    }
}
