//! Templates: text with `{{names}}` to fill in, `{{#name}}…{{/name}}` shown when the name has something to say (and, where it is a
//! list, once for each of its items), and `{{^name}}…{{/name}}` shown when it has nothing to say.
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
    /// Shown only when the name is not empty; once for each item of a list.
    Section(String, Vec<Piece>),
    /// Shown only when the name is empty.
    Unless(String, Vec<Piece>),
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
        Template::parse_within(text, 0..text.len())
    }

    /// Reads the template that these bytes of a file are; its pieces keep their places in the file.
    ///
    /// # Errors
    /// As for [`Template::parse`].
    pub fn parse_within(text: &str, range: std::ops::Range<usize>) -> Result<Template, TemplateError> {
        let mut parser =
            Parser { text: &text[..range.end], start: range.start, at: range.start, open: Vec::new() };
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
                    Piece::Section(name, inner) | Piece::Unless(name, inner) => {
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
    /// Where the template begins.
    start: usize,
    at: usize,
    /// Sections that are open.
    open: Vec<&'a str>,
}

impl<'a> Parser<'a> {
    /// Pieces up to the end of `section`, a name and the place where it was opened, or of the text.
    fn pieces(&mut self, section: Option<(&str, usize)>) -> Result<Vec<Piece>, TemplateError> {
        let mut pieces = Vec::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(open) = rest.find("{{") else {
                if let Some((section, at)) = section {
                    let message =
                        format!("the section {section} is never closed; write {{{{/{section}}}}} after it");
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
            if let Some((kind, name)) = tag.split_at_checked(1).filter(|(kind, _)| ["#", "^"].contains(kind))
            {
                self.skip_line_break(at);
                if self.open.len() == limits::SECTIONS_NESTED_MAX {
                    let message =
                        format!("sections are nested more than {} deep", limits::SECTIONS_NESTED_MAX);
                    return Err(TemplateError { at, message });
                }
                // A list within itself would be told as often as it is long, times its length, and so on.
                if self.open.contains(&name) {
                    let message = format!("the section {name} stands within itself");
                    return Err(TemplateError { at, message });
                }
                self.open.push(name);
                let inner = self.pieces(Some((name, at)))?;
                let piece = if kind == "#" { Piece::Section } else { Piece::Unless };
                pieces.push(piece(name.to_owned(), inner));
                self.open.pop();
            } else if let Some(name) = tag.strip_prefix('/') {
                self.skip_line_break(at);
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
    fn skip_line_break(&mut self, tag: usize) {
        let alone = self.text[..tag].ends_with('\n') || tag == self.start;
        if alone && self.text[self.at..].starts_with('\n') {
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
    fn a_section_on_a_line_of_its_own_leaves_no_empty_line_and_one_within_a_line_keeps_its_end() {
        let literals = |text: &str| {
            let template = Template::parse(text).unwrap();
            fn walk(text: &str, pieces: &[Piece], out: &mut String) {
                for piece in pieces {
                    match piece {
                        Piece::Literal { start, end } => out.push_str(&text[*start..*end]),
                        Piece::Name(_) => {}
                        Piece::Section(_, inner) | Piece::Unless(_, inner) => walk(text, inner, out),
                    }
                }
            }
            let mut out = String::new();
            walk(text, &template.pieces, &mut out);
            out
        };
        assert_eq!(literals("{{#a}}\nx{{#b}} y{{/b}}\n{{/a}}\nz\n"), "x y\nz\n");
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
        let nested = |depth: usize| {
            let open: String = (0..depth).map(|level| format!("{{{{#{level:06}}}}}")).collect();
            let close: String = (0..depth).rev().map(|level| format!("{{{{/{level:06}}}}}")).collect();
            format!("{open}x{close}")
        };
        assert!(Template::parse(&nested(limits::SECTIONS_NESTED_MAX)).is_ok());
        let error = Template::parse(&nested(100_000)).unwrap_err();
        assert!(error.message.contains("nested"), "{}", error.message);
        assert_eq!(error.at, limits::SECTIONS_NESTED_MAX * "{{#000000}}".len());
    }

    #[test]
    fn no_section_stands_within_itself() {
        let error = Template::parse("{{#a}}{{#b}}{{#a}}x{{/a}}{{/b}}{{/a}}").unwrap_err();
        assert_eq!((error.at, error.message.as_str()), (12, "the section a stands within itself"));
        assert!(Template::parse("{{#a}}{{#b}}x{{/b}}{{/a}}{{#a}}y{{/a}}").is_ok());
    }
}
