//! The prompt of a seat: a projection of the state, made of sourced spans.
//!
//! Order: what never changes first (so that servers can cache it), then the history, then what is true now, then the replies of
//! the turn being played, and last the table state, which tells every model what is asked of it.

mod builder;
mod fill;
mod history;
mod table_state;

use twicetold_event::{Audience, Phase, Purpose, Seat, Source};
use twicetold_model::{Message, Role};
use twicetold_world::State;
use twicetold_world::setup::Template;

use crate::Replies;
use builder::Builder;
pub use builder::{Content, Piece};
use fill::Line;

/// A rendered prompt.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// The messages.
    pub messages: Vec<Message>,
    /// What they are made of, in order.
    pub pieces: Vec<Piece>,
}

/// Renders what a seat is asked.
pub fn render(state: &State, replies: &dyn Replies, seat: Seat, purpose: Purpose) -> Prompt {
    let mut view = View { state, replies, seat, out: Builder::new(seat) };
    match purpose {
        Purpose::Summary { from, to } => view.summary(from, to),
        Purpose::SessionZero | Purpose::Play => view.turn(),
    }
    let (pieces, messages) = view.out.finish();
    Prompt { messages, pieces }
}

/// A prompt being rendered.
struct View<'a> {
    state: &'a State,
    replies: &'a dyn Replies,
    seat: Seat,
    out: Builder,
}

impl View<'_> {
    fn turn(&mut self) {
        let role = if self.seat == Seat::Dm { "dm" } else { "player" };
        let stage = if self.state.phase() == Phase::Play { "play" } else { "session-zero" };
        self.out.new_message(Role::System);
        self.template(&format!("{role}-{stage}"));
        self.history(false);
        self.out.message(Role::User);
        self.template(&format!("{role}-{stage}-context"));
        self.history(true);
        self.out.message(Role::User);
        self.table_state();
    }

    fn summary(&mut self, from: u32, to: u32) {
        self.out.new_message(Role::System);
        self.template("memory-summary");
        self.out.message(Role::User);
        self.summarised(from, to);
        self.memory_table_state(from, to);
    }

    /// Fills in a template; one that the charter does not have is empty.
    fn template(&mut self, name: &str) {
        let setup = self.state.setup();
        let Some(template) = setup.prompts.get(name) else { return };
        let Some(file) = setup.file_index(&format!("prompts/{name}.md")) else { return };
        let Template { pieces } = template;
        self.template_pieces(file, pieces, None);
    }

    /// `known` is the section that these pieces stand in, with what its name stands for.
    fn template_pieces(
        &mut self,
        file: usize,
        pieces: &[twicetold_world::setup::Piece],
        known: Option<(&str, &[Line])>,
    ) {
        use twicetold_world::setup::Piece as Template;
        let state = self.state;
        let text = &state.setup().files[file].text;
        for piece in pieces {
            match piece {
                Template::Literal { start, end } => {
                    let content = Content::File(file, *start as u32);
                    self.out.text(&text[*start..*end], content, Source::Charter, &Audience::All);
                }
                Template::Name(name) => match known {
                    Some((section, lines)) if section == name => self.lines(lines),
                    _ => self.lines(&self.filled(name)),
                },
                Template::Section(name, inner) => {
                    let lines = self.filled(name);
                    if !lines.is_empty() {
                        self.template_pieces(file, inner, Some((name, &lines)));
                    }
                }
            }
        }
    }

    fn lines(&mut self, lines: &[Line]) {
        for line in lines {
            self.out.text(&line.text, line.content.clone(), line.source, &line.audience);
        }
    }
}
