//! Prompt templates: text with `{{names}}` to fill in and `{{#name}}…{{/name}}` shown only when the name has something to say.
//!
//! A template engine would give one flat string. Here every literal piece keeps its place in the file, so that a prompt can
//! say of each of its bytes where it comes from.

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

impl Template {
    /// Reads a template.
    ///
    /// # Errors
    /// A brace or a section is not closed; the message names it and its line.
    pub fn parse(text: &str) -> Result<Template, String> {
        let mut parser = Parser { text, at: 0 };
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
}

impl Parser<'_> {
    fn pieces(&mut self, section: Option<&str>) -> Result<Vec<Piece>, String> {
        let mut pieces = Vec::new();
        loop {
            let rest = &self.text[self.at..];
            let Some(open) = rest.find("{{") else {
                if let Some(section) = section {
                    return Err(format!(
                        "{{{{#{section}}}}} is never closed; write {{{{/{section}}}}} after it"
                    ));
                }
                push_literal(&mut pieces, self.at, self.text.len());
                self.at = self.text.len();
                return Ok(pieces);
            };
            push_literal(&mut pieces, self.at, self.at + open);
            let line = self.text[..self.at + open].matches('\n').count() + 1;
            let Some(length) = rest[open..].find("}}") else {
                return Err(format!("line {line}: {{{{ is never closed; write }}}} after the name"));
            };
            let tag = rest[open + 2..open + length].trim();
            self.at += open + length + 2;
            if let Some(name) = tag.strip_prefix('#') {
                self.skip_line_break();
                pieces.push(Piece::Section(name.to_owned(), self.pieces(Some(name))?));
            } else if let Some(name) = tag.strip_prefix('/') {
                self.skip_line_break();
                return match section {
                    Some(section) if section == name => Ok(pieces),
                    _ => Err(format!("line {line}: {{{{/{name}}}}} closes a section that is not open here")),
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
    fn what_is_never_closed_is_named_with_its_line() {
        assert!(Template::parse("a\n{{b").unwrap_err().contains("line 2"));
        assert!(Template::parse("{{#b}}").unwrap_err().contains("{{/b}}"));
        assert!(Template::parse("{{/b}}").unwrap_err().contains("not open"));
    }
}
