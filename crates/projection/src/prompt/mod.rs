//! The prompt of a seat: a projection of the state, made of sourced spans.
//!
//! Order: what never changes first (so that servers can cache it), then the history, and last what is true now: the table state
//! tells every model what is asked of it. The later requests of a turn repeat the first and add what has happened since.

mod builder;
mod events;
mod fill;
mod guided;
mod history;
mod people;
mod people_state;
mod quoted;
mod steady;
mod table_state;

use twicetold_event::{Audience, CallId, Number, Purpose, Seat, Source};
use twicetold_model::{Message, Role};
use twicetold_world::reading::Reading;
use twicetold_world::setup::{Template, Texts};
use twicetold_world::{Npc, State};

use crate::Replies;
use crate::template::{Facts, Lies, Line, Out, render_into};
use builder::Builder;
pub use builder::{Content, Piece};
pub(crate) use events::{Teller, told};
pub use guided::{Shown, exchange, guided};
pub use quoted::{behind_marks, mark_in};
pub use steady::{has_steady_instructions, leaves_instructions};

/// Names that templates may ask for; those of a character who is spoken to come last.
pub const NAMES: &[&str] = &[
    "title",
    "tone",
    "party_name_hint",
    "rules_title",
    "you",
    "player_names",
    "people",
    "guides",
    "classes",
    "scenario_public",
    "scenario_dm",
    "party_document",
    "party_secrets",
    "characters",
    "character_secrets",
    "own_character",
    "own_secret",
    "own_story",
    "story_so_far",
    "reminders",
    "notable_events",
    "important_events",
    "milestones",
    "quests",
    "npcs_met",
    "notes",
    "scene",
    "location",
    "encounter_title",
    "encounter_tone",
    "opening",
    "mood",
    "ambient",
    "house_rules",
    "dm_notes",
    "npcs",
    "npcs_remember",
    "hidden_goals",
    "checks",
    "checks_known",
    "sheet_rules",
    "noticed",
    "supporting_npcs",
    "dialogues",
    "whispers",
    "dialogue_with",
    "role",
    "persona",
    "trust",
    "feelings",
    "items",
    "conditions",
    "memories",
    "company",
    "just_now",
    // Tools, as far as the encounter allows them.
    "tools.ability_check",
    "tools.start_dialogue",
    "tools.start_combat",
    "tools.create_supporting_npc",
    "tools.create_character",
    "tools.update_npc",
    "tools.query_session_memory",
    "tools.goal_register",
    "tools.use_item",
    "tools.whisper",
    // What replies are read by.
    "markers.pitch",
    "markers.converge",
    "markers.lock",
    "tags.scenario",
    "tags.dm_only",
    "tags.party_document",
    "tags.character",
    "keys.name",
    "keys.class",
    "keys.stats",
    "keys.hit_points",
    "keys.armor_class",
    "keys.equipment",
    "keys.background",
    "keys.secret",
    "headings.relationships",
    "headings.hooks",
    "headings.goals",
    "headings.tensions",
    "headings.secrets",
    "headings.events",
    "seats.dm",
];

/// Those that speak of what the DM alone may know: in another seat's prompt they stand for nothing.
pub const DM_NAMES: &[&str] = &[
    "scenario_dm",
    "party_secrets",
    "notes",
    "reminders",
    "encounter_tone",
    "opening",
    "mood",
    "ambient",
    "house_rules",
    "dm_notes",
    "npcs",
    "npcs_remember",
    "hidden_goals",
    "checks",
];

/// A rendered prompt.
#[derive(Clone, Debug)]
pub struct Prompt {
    /// The messages.
    pub messages: Vec<Message>,
    /// What they are made of, in order.
    pub pieces: Vec<Piece>,
    /// What nobody said of it, as [`context`] has it; empty in a request that goes on from another.
    pub beside: String,
}

/// What a prompt depends on besides the state.
#[derive(Clone, Copy, Debug, Default)]
pub struct Asking<'a> {
    /// Tools that the seat has and may not use now.
    pub not_now: &'a [&'a str],
    /// What happened up to here, the seat was asked with before in its turn: only what happened after it is rendered.
    pub since: Option<Number>,
    /// The instructions, where they are known: then they are taken as they are, and have no pieces.
    pub instructions: Option<&'a str>,
    /// Does the seat's server refuse a call without what was thought before it? Calls that it was not asked with in this turn are
    /// then told as what they did.
    pub tells_calls: bool,
}

/// Renders what a seat is asked.
pub fn render(
    state: &State,
    replies: &dyn Replies,
    (seat, purpose): (Seat, Purpose),
    asking: Asking<'_>,
) -> Prompt {
    let mut view = View { asking, ..View::new(state, replies, (seat, purpose)) };
    match (view.stage(purpose), purpose) {
        (Some((role, stage)), _) => view.turn(role, stage),
        (None, Purpose::Summary { from, to }) => view.summary(from, to),
        (None, Purpose::DialogueSummary { dialogue }) => view.dialogue_summary(dialogue),
        (None, Purpose::Profile { npc }) => view.profile(npc),
        (None, _) => {}
    }
    let beside = view.beside;
    let (pieces, messages) = view.out.finish();
    Prompt { messages, pieces, beside }
}

/// What a seat reads in its turn that nobody said: what is remembered, and the table state.
pub fn context(
    state: &State,
    replies: &dyn Replies,
    (seat, purpose): (Seat, Purpose),
    asking: Asking<'_>,
) -> String {
    let mut view = View { asking, ..View::new(state, replies, (seat, purpose)) };
    view.out.new_message(Role::User);
    if let Some((role, stage)) = view.stage(purpose) {
        view.context(role, stage);
        view.told_state();
    }
    view.beside
}

/// How many bytes of the history a seat's first request of a turn tells.
pub fn told_bytes(state: &State, replies: &dyn Replies, (seat, purpose): (Seat, Purpose)) -> u64 {
    let mut view = View::new(state, replies, (seat, purpose));
    view.out.new_message(Role::User);
    if let Some((role, stage)) = view.stage(purpose) {
        view.turn(role, stage);
    }
    view.history_bytes
}

/// A prompt being rendered.
struct View<'a> {
    state: &'a State,
    replies: &'a dyn Replies,
    texts: &'a Texts,
    reading: &'a Reading,
    seat: Seat,
    /// The character whom the DM speaks for: its prompt has what that character knows, and nothing else of the DM's.
    companion: Option<&'a Npc>,
    asking: Asking<'a>,
    /// Bytes of the history that the prompt tells.
    history_bytes: u64,
    /// The reply whose blocks are being told, and how many of them are.
    blocks: (CallId, usize),
    /// What is told that nobody said.
    beside: String,
    out: Builder,
}

impl<'a> View<'a> {
    /// For a seat's first request of a turn; nothing is written yet.
    fn new(state: &'a State, replies: &'a dyn Replies, (seat, purpose): (Seat, Purpose)) -> View<'a> {
        let speaks = purpose == Purpose::Dialogue && seat == Seat::Dm;
        let companion = state.dialogue().filter(|_| speaks);
        let companion = companion.and_then(|dialogue| state.npcs().get(&dialogue.npc));
        let (texts, reading) = (state.setup().texts_of(seat), state.setup().reading_of(seat));
        let (asking, blocks, out) = (Asking::default(), (CallId(0), 0), Builder::new(seat));
        let beside = String::new();
        View {
            state,
            replies,
            texts,
            reading,
            seat,
            companion,
            asking,
            history_bytes: 0,
            blocks,
            beside,
            out,
        }
    }
}

impl View<'_> {
    /// The role in which a seat takes its turn, and the stage of the campaign: what templates are called by.
    fn stage(&self, purpose: Purpose) -> Option<(&'static str, &'static str)> {
        let role = if self.seat == Seat::Dm { "dm" } else { "player" };
        match purpose {
            Purpose::SessionZero => Some((role, "session-zero")),
            Purpose::Play => Some((role, "play")),
            Purpose::Dialogue if self.seat == Seat::Dm => Some(("companion", "dialogue")),
            Purpose::Dialogue => Some((role, "dialogue")),
            _ => None,
        }
    }

    fn teller(&self) -> Teller<'_> {
        let narrates = self.seat == Seat::Dm && self.companion.is_none();
        Teller {
            state: self.state,
            replies: self.replies,
            texts: self.texts,
            reading: self.reading,
            narrates,
        }
    }

    /// What a seat is asked in its turn: first what stays the same, then what is remembered and the history, then what is so now. Later in
    /// the turn it has read all that; what its tools answer is what has changed.
    fn turn(&mut self, role: &str, stage: &str) {
        let prompt = format!("{role}-{stage}");
        let is_first = self.asking.since.is_none();
        if is_first {
            match self.asking.instructions {
                Some(instructions) => self.out.known(Role::System, instructions),
                None => {
                    self.out.new_message(Role::System);
                    self.template(&fixed(role, stage));
                }
            }
            self.out.message(Role::User);
            self.context(role, stage);
        }
        let (has_main, has_dialogue) = (stage != "dialogue" || role == "player", stage == "dialogue");
        // A request that goes on begins with the reply to the one before, which was given in the dialogue.
        if has_dialogue && !is_first {
            self.dialogue_history();
        }
        if has_main {
            self.history();
        }
        if has_dialogue && is_first {
            self.dialogue_history();
        }
        if is_first {
            self.out.message(Role::User);
            self.template(&format!("{prompt}-now"));
            self.told_state();
        }
    }

    fn context(&mut self, role: &str, stage: &str) {
        let from = self.out.written_to();
        self.template(&format!("{}-context", fixed(role, stage)));
        self.beside += self.out.since(from);
    }

    fn told_state(&mut self) {
        let from = self.out.written_to();
        self.table_state();
        self.beside += self.out.since(from);
    }

    fn dialogue_summary(&mut self, dialogue: u32) {
        self.out.new_message(Role::System);
        self.template("memory-dialogue");
        self.out.message(Role::User);
        self.summarised_dialogue(dialogue);
        let most = self.state.setup().limits.dialogue_summary_bytes_max;
        self.memory_state("dialogue", self.so().say("longest", most));
    }

    fn profile(&mut self, place: u32) {
        self.out.new_message(Role::System);
        self.template("memory-profile");
        self.out.message(Role::User);
        self.profiled(place);
        self.memory_state("profile", self.so().flag("profile", true));
    }

    fn summary(&mut self, from: u32, to: u32) {
        self.out.new_message(Role::System);
        self.template("memory-summary");
        self.out.message(Role::User);
        self.summarised(from, to);
        let most = self.state.setup().limits.summary_bytes_max;
        let facts = self.so().flag("summary", true).say("from", from).say("to", to).say("longest", most);
        self.memory_state("summary", facts);
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
                    Some((section, lines)) if section == name => self.lines(lines.to_vec()),
                    _ => self.lines(self.filled(name)),
                },
                Template::Section(name, inner) => {
                    let lines = self.filled(name);
                    if !lines.is_empty() {
                        self.template_pieces(file, inner, Some((name, &lines)));
                    }
                }
                Template::Unless(name, inner) => {
                    if self.filled(name).is_empty() {
                        self.template_pieces(file, inner, known);
                    }
                }
            }
        }
    }

    /// What a seat is called by whoever reads this prompt: as its character, once there is one.
    fn seat_name(&self, seat: Seat) -> String {
        self.teller().seat_name(seat)
    }

    /// A text of the charter.
    fn text(&mut self, key: &str, facts: &Facts) {
        render_into(self.texts, key, facts, &mut self.out);
    }

    fn lines(&mut self, lines: Vec<Line>) {
        for Line { text, lies, source, audience } in lines {
            match lies {
                Lies::Here => self.out.written(text, source, &audience),
                _ => self.out.put(&text, lies, source, &audience),
            }
        }
    }
}

/// The template of what stays the same: a player speaks in a dialogue as in all of play, and has read the same.
fn fixed(role: &str, stage: &str) -> String {
    match (role, stage) {
        ("player", "dialogue") => "player-play".to_owned(),
        _ => format!("{role}-{stage}"),
    }
}
