//! Renders templates: what a placeholder, a condition and a list mean, where spans begin, and what each of them cites.
//!
//! FROZEN: an old request is rendered anew by these rules. Guard: the golden renderings below, and the golden journals.
//!
//! * A literal cites what its text is there for: the event that it tells of, or inside a condition what made the condition true.
//! * A placeholder cites the source of its own value.
//! * `{{#name}}` shows what it holds once where the name has something to say, and once for each item of a list; `{{#name?}}` shows
//!   it once in either case; `{{^name}}` shows it where the name has nothing to say. Within a list `first` is true of the first item
//!   alone, and a name that the item does not know is looked for around the list.
//! * A name that nobody knows has nothing to say.

use std::borrow::Cow;

use twicetold_event::{Audience, CallId, Source, Values};
use twicetold_world::setup::{Piece, TextEntry, TextFile, Texts};

/// Where the bytes of a line lie.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lies {
    /// In the line itself.
    Here,
    /// In the words of a reply, from this byte on.
    Reply(CallId, u32),
    /// In a file of the charter, from this byte on.
    File(usize, u32),
}

/// One sourced piece of text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Line {
    pub(crate) text: String,
    pub(crate) lies: Lies,
    pub(crate) source: Source,
    pub(crate) audience: Audience,
}

impl Line {
    pub(crate) fn written(text: String, source: Source) -> Line {
        Line { text, lies: Lies::Here, source, audience: Audience::All }
    }

    pub(crate) fn dm(text: String, source: Source) -> Line {
        Line { audience: Audience::Dm, ..Line::written(text, source) }
    }
}

/// What a name stands for.
#[derive(Clone, Debug)]
enum Value {
    /// Words for those who know the facts; empty ones have nothing to say.
    Word(String, Source),
    /// Words with their sources; none, or empty ones, have nothing to say.
    Words(Vec<Line>),
    /// True, with what made it so, or false. It has no words.
    Flag(Option<Source>),
    /// The text of the charter under this key.
    Term(String),
    /// The text of the charter under this key, which knows these names alone.
    Text(String, Box<Facts>),
    /// Items in order.
    List(Vec<Facts>),
}

/// Values of rules that are words of the program's own: their names, and the tables of their words.
const TERMS: [(&str, &str); 3] = [("mode", "modes"), ("status", "statuses"), ("kind", "kinds")];

/// What a text may say, by name.
#[derive(Clone, Debug)]
pub(crate) struct Facts {
    because: Source,
    audience: Audience,
    values: Vec<(Cow<'static, str>, Value)>,
}

impl Facts {
    /// Nothing yet. The text is there because of this, and may be known to these.
    pub(crate) fn new(because: Source, audience: Audience) -> Facts {
        Facts { because, audience, values: Vec::new() }
    }

    /// Nothing yet, for an item of a list within these.
    pub(crate) fn fresh(&self) -> Facts {
        Facts::new(self.because, self.audience.clone())
    }

    fn with(mut self, name: impl Into<Cow<'static, str>>, value: Value) -> Facts {
        self.values.push((name.into(), value));
        self
    }

    /// Words, or a number, of what the text tells of.
    pub(crate) fn say(self, name: &'static str, words: impl ToString) -> Facts {
        let source = self.because;
        self.say_of(name, words, source)
    }

    /// The same, where they come from elsewhere.
    pub(crate) fn say_of(self, name: &'static str, words: impl ToString, source: Source) -> Facts {
        self.with(name, Value::Word(words.to_string(), source))
    }

    /// Words, where there are any.
    pub(crate) fn say_some(self, name: &'static str, words: Option<impl ToString>) -> Facts {
        match words {
            Some(words) => self.say(name, words),
            None => self,
        }
    }

    /// What a rule observed, each under its own name.
    pub(crate) fn observed(self, values: &Values) -> Facts {
        let source = self.because;
        values.0.iter().fold(self, |facts, (name, value)| {
            if let Some((_, table)) = TERMS.iter().find(|(term, _)| term == name)
                && !value.is_empty()
            {
                return facts.with(name.clone(), Value::Term(format!("{table}.{value}")));
            }
            facts.with(name.clone(), Value::Word(value.clone(), source))
        })
    }

    /// Words that have sources of their own already.
    pub(crate) fn lines(self, name: &'static str, lines: Vec<Line>) -> Facts {
        self.with(name, Value::Words(lines))
    }

    /// What others say as well, to the same people.
    pub(crate) fn and(mut self, others: Facts) -> Facts {
        assert_eq!(self.audience, others.audience, "what they say would be told to others");
        self.values.extend(others.values);
        self
    }

    /// Something that is so or not.
    pub(crate) fn flag(self, name: &'static str, is_so: bool) -> Facts {
        let because = self.because;
        self.with(name, Value::Flag(is_so.then_some(because)))
    }

    /// Words that the charter has for this key.
    pub(crate) fn term(self, name: &'static str, table: &str, key: &str) -> Facts {
        self.with(name, Value::Term(format!("{table}.{key}")))
    }

    /// What the charter says of what a rule observed, in the text of this key.
    pub(crate) fn text(self, name: &'static str, table: &str, key: &str, values: &Values) -> Facts {
        let observed = self.fresh().observed(values);
        self.with(name, Value::Text(format!("{table}.{key}"), Box::new(observed)))
    }

    /// A list.
    pub(crate) fn list(self, name: &'static str, items: Vec<Facts>) -> Facts {
        self.with(name, Value::List(items))
    }
}

/// What takes rendered pieces in.
pub(crate) trait Out {
    /// Takes a piece that lies there.
    fn put(&mut self, text: &str, lies: Lies, source: Source, audience: &Audience);
}

impl Out for Vec<Line> {
    fn put(&mut self, text: &str, lies: Lies, source: Source, audience: &Audience) {
        self.push(Line { text: text.to_owned(), lies, source, audience: audience.clone() });
    }
}

/// The text of this key with its names filled in; nothing where there is no such text.
pub(crate) fn render(texts: &Texts, key: &str, facts: &Facts) -> Vec<Line> {
    let mut out = Vec::new();
    render_into(texts, key, facts, &mut out);
    out
}

/// The same, straight to where it goes.
pub(crate) fn render_into(texts: &Texts, key: &str, facts: &Facts, out: &mut dyn Out) {
    if let Some(text) = texts.get(key) {
        let scopes = [(facts, false)];
        Rendering { texts, out }.pieces(text, &text.template.pieces, &scopes, facts.because);
    }
}

/// Facts, innermost last; of an item of a list also whether it is the first.
type Scopes<'a> = [(&'a Facts, bool)];

struct Rendering<'a> {
    texts: &'a Texts,
    out: &'a mut dyn Out,
}

impl Rendering<'_> {
    fn pieces(&mut self, text: &TextEntry, pieces: &[Piece], scopes: &Scopes<'_>, because: Source) {
        for piece in pieces {
            match piece {
                Piece::Literal { start, end } => self.literal(text, (*start, *end), scopes, because),
                Piece::Name(name) => match value(scopes, name) {
                    Some((Value::Word(text, source), knows)) => {
                        self.out.put(text, Lies::Here, *source, knows);
                    }
                    Some((Value::Words(lines), _)) => {
                        for Line { text, lies, source, audience } in lines {
                            self.out.put(text, *lies, *source, audience);
                        }
                    }
                    Some((Value::Term(key), _)) => self.term(key, scopes, because),
                    Some((Value::Text(key, facts), _)) => render_into(self.texts, key, facts, self.out),
                    Some((Value::Flag(_) | Value::List(_), _)) | None => {}
                },
                Piece::Section(name, inner) => self.section(text, name, inner, scopes),
                Piece::Unless(name, inner) if says(scopes, name).is_none() => {
                    self.pieces(text, inner, scopes, because);
                }
                Piece::Unless(..) => {}
            }
        }
    }

    fn literal(
        &mut self,
        text: &TextEntry,
        (start, end): (usize, usize),
        scopes: &Scopes<'_>,
        because: Source,
    ) {
        let audience = scopes.last().map_or(&Audience::All, |(facts, _)| &facts.audience);
        let lies = match text.file {
            TextFile::Charter(index) => Lies::File(index, start as u32),
            TextFile::Program => Lies::Here,
        };
        self.out.put(&text.content[start..end], lies, because, audience);
    }

    fn section(&mut self, text: &TextEntry, name: &str, inner: &[Piece], scopes: &Scopes<'_>) {
        if let Some((Value::List(items), _)) = value(scopes, name) {
            let mut within = Vec::with_capacity(scopes.len() + 1);
            within.extend_from_slice(scopes);
            for (place, item) in items.iter().enumerate() {
                within.truncate(scopes.len());
                within.push((item, place == 0));
                self.pieces(text, inner, &within, item.because);
            }
        } else if let Some(because) = says(scopes, name.trim_end_matches('?')) {
            self.pieces(text, inner, scopes, because);
        }
    }

    /// A term is a text of its own, without names.
    fn term(&mut self, key: &str, scopes: &Scopes<'_>, because: Source) {
        let Some(text) = self.texts.get(key) else { return };
        for piece in &text.template.pieces {
            if let Piece::Literal { start, end } = piece {
                self.literal(text, (*start, *end), scopes, because);
            }
        }
    }
}

/// What a name stands for, and who may know it.
fn value<'a>(scopes: &Scopes<'a>, name: &str) -> Option<(&'a Value, &'a Audience)> {
    scopes.iter().rev().find_map(|(facts, _)| {
        let (_, value) = facts.values.iter().find(|(known, _)| *known == name)?;
        Some((value, &facts.audience))
    })
}

/// What made a name have something to say; nothing where it has not.
fn says(scopes: &Scopes<'_>, name: &str) -> Option<Source> {
    let because = scopes.last().map(|(facts, _)| facts.because);
    match value(scopes, name).map(|(value, _)| value) {
        Some(Value::Word(text, source)) => Some(*source).filter(|_| !text.is_empty()),
        Some(Value::Words(lines)) => lines.iter().find(|line| !line.text.is_empty()).map(|line| line.source),
        Some(Value::Flag(source)) => *source,
        Some(Value::Term(_) | Value::Text(..)) => because,
        Some(Value::List(items)) => items.first().map(|item| item.because),
        None => because.filter(|_| name == "first" && scopes.last().is_some_and(|(_, first)| *first)),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use twicetold_event::Number;

    use super::*;

    fn event(number: u64) -> Source {
        Source::Event(Number(number))
    }

    fn facts() -> Facts {
        let item = |name: &str, number| Facts::new(event(number), Audience::All).say("item", name);
        Facts::new(event(7), Audience::All)
            .say("who", "Kira")
            .say_of("hp", 5, event(3))
            .flag("hurt", true)
            .flag("dead", false)
            .term("phase", "phases", "pitch")
            .list("items", vec![item("rope", 4), item("lamp", 6)])
    }

    fn rendered(template: &str) -> Vec<Line> {
        let content: Arc<str> = Arc::from(format!("[t]\nx = '{template}'\n[phases]\npitch = 'opening'\n"));
        let mut texts = Texts::default();
        texts.add("prompts/t.toml", TextFile::Charter(2), &content).unwrap();
        render(&texts, "t.x", &facts())
    }

    fn text(template: &str) -> String {
        rendered(template).into_iter().map(|line| line.text).collect()
    }

    #[test]
    fn golden_renderings() {
        for (template, expected) in [
            ("{{who}} has {{hp}}", "Kira has 5"),
            ("{{#hurt}}hurt{{/hurt}}{{^hurt}}well{{/hurt}}", "hurt"),
            ("{{#dead}}dead{{/dead}}{{^dead}}alive{{/dead}}", "alive"),
            ("{{#items}}{{^first}}, {{/first}}{{item}}{{/items}}", "rope, lamp"),
            ("{{#items}}{{who}}:{{item}};{{/items}}", "Kira:rope;Kira:lamp;"),
            ("{{#items?}}has {{#items}}{{item}}{{/items}}{{/items?}}", "has ropelamp"),
            ("the {{phase}} phase", "the opening phase"),
            ("{{nobody}}{{#nobody}}x{{/nobody}}{{^nobody}}none{{/nobody}}{{hurt}}{{items}}", "none"),
        ] {
            assert_eq!(text(template), expected, "{template}");
        }
    }

    #[test]
    fn each_span_cites_its_own_source() {
        let lines = rendered("a{{hp}}{{#hp}}b{{/hp}}{{#items}}c{{item}}{{/items}}");
        let cited: Vec<(&str, Source)> = lines.iter().map(|line| (line.text.as_str(), line.source)).collect();
        let expected = [("a", 7), ("5", 3), ("b", 3), ("c", 4), ("rope", 4), ("c", 6), ("lamp", 6)];
        assert_eq!(cited, expected.map(|(text, number)| (text, event(number))));
        // A literal lies in its file, a value does not.
        assert!(matches!(lines[0].lies, Lies::File(2, 9)), "{:?}", lines[0].lies);
        assert_eq!(lines[1].lies, Lies::Here);
    }
}
