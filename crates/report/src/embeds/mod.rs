//! The story as messages for a Discord webhook, within every limit that Discord documents.

mod split;

use schemars::JsonSchema;
use serde::Serialize;
use twicetold_event::Seat;
use twicetold_model::Digest;
use twicetold_projection::people::{self, Line, LineKind};
use twicetold_session::Card;
use twicetold_world::{Life, State};

use crate::form::Form;
use crate::text::{clean, day, grouped};
use crate::{Ending, limits};
use split::{chunks, first, units};

/// A box in a message. Empty parts are not sent.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Embed {
    /// What it is.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub title: String,
    /// Who speaks.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub author: Option<Author>,
    /// The text.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub description: String,
    /// Names with values.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Field>,
    /// What stands below in small letters.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub footer: Option<Footer>,
    /// The colour of its edge: red, green and blue, eight bits each.
    pub color: u32,
}

/// Who speaks in an embed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Author {
    /// The name, which Discord shows as it is.
    pub name: String,
}

/// What stands below an embed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Footer {
    /// The text, which Discord shows as it is.
    pub text: String,
}

/// A name with a value.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Field {
    /// What it is.
    pub name: String,
    /// Its value.
    pub value: String,
    /// May it stand beside others?
    pub inline: bool,
}

/// The body of one request to a webhook. Nobody is ever mentioned by it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Hook {
    /// The boxes, at most ten.
    pub embeds: Vec<Embed>,
    /// Whom it may mention.
    pub allowed_mentions: Mentions,
}

impl Form for Hook {
    const NAME: &'static str = "discord";
    const ABOUT: &'static str = "a body for a Discord webhook: export --as discord";
}

/// Whom a message may mention: nobody.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Mentions {
    /// Kinds of mentions that Discord looks for in the text.
    pub parse: [&'static str; 0],
}

/// Colours of edges, alike on light and dark grounds: headings, the DM, the players, effects, goals, trouble.
const HEADING: u32 = 0x00b0_8a3c;
const DM: u32 = 0x00a8_6a3a;
const PLAYERS: [u32; 6] = [0x003b_82c4, 0x00a4_58b0, 0x003a_9c7c, 0x00c8_5a68, 0x009a_8a2a, 0x0066_78d2];
const EFFECT: u32 = 0x0080_8080;
const GOAL: u32 = 0x00d8_a520;
const TROUBLE: u32 = 0x00c2_4038;

impl Embed {
    /// Units of all its texts, which Discord counts together.
    pub fn units(&self) -> usize {
        let fields: usize = self.fields.iter().map(|field| units(&field.name) + units(&field.value)).sum();
        let author = self.author.as_ref().map_or(0, |author| units(&author.name));
        let footer = self.footer.as_ref().map_or(0, |footer| units(&footer.text));
        units(&self.title) + units(&self.description) + fields + author + footer
    }

    fn is_empty(&self) -> bool {
        self.title.is_empty()
            && self.description.is_empty()
            && self.fields.is_empty()
            && self.author.is_none()
    }
}

/// Lines of a transcript as embeds, in order: one for each speech (more for a long one), one for effects that follow each other.
pub fn of_lines(state: &State, lines: &[Line]) -> Vec<Embed> {
    let mut embeds = Vec::new();
    let groups = lines
        .chunk_by(|one, next| is_aside(one) && is_aside(next) && color(state, one) == color(state, next));
    for group in groups {
        let Some(line) = group.first() else { continue };
        let color = color(state, line);
        if line.kind == LineKind::Heading {
            embeds.push(Embed {
                title: first(&clean(&line.text), limits::TITLE_UNITS_MAX, true),
                color,
                ..Embed::default()
            });
            continue;
        }
        let author = first(clean(&line.speaker).trim(), limits::AUTHOR_UNITS_MAX, false);
        let author = (!author.is_empty()).then_some(Author { name: author });
        let text = group.iter().map(|line| clean(line.text.trim())).collect::<Vec<_>>().join("\n");
        for (place, description) in chunks(&text, limits::DESCRIPTION_UNITS_MAX).into_iter().enumerate() {
            let author = author.clone().filter(|_| place == 0);
            embeds.push(Embed { author, description, color, ..Embed::default() });
        }
    }
    embeds.retain(|embed| !embed.is_empty());
    embeds
}

fn is_aside(line: &Line) -> bool {
    !matches!(line.kind, LineKind::Heading | LineKind::Speech)
}

fn color(state: &State, line: &Line) -> u32 {
    match line.kind {
        LineKind::Heading => HEADING,
        LineKind::Goal => GOAL,
        LineKind::Trouble => TROUBLE,
        LineKind::Effect | LineKind::Note => EFFECT,
        LineKind::Speech => {
            let mut players = state.setup().players().zip(PLAYERS);
            let player = players
                .find(|(seat, _)| line.speaker == state.seat_name(*seat) || line.speaker == seat.to_string());
            player.map_or(DM, |(_, color)| color)
        }
    }
}

/// The card at the end, as `seat` may know it where a person plays: hidden goals stay hidden from players. `endings` are those of
/// the encounters that are over, as far as they are known.
pub fn card(state: &State, story: Digest, id: &str, seat: Option<Seat>, endings: &[Ending]) -> Embed {
    let card = Card::of(state, story, seat);
    let ending = match state.life() {
        Life::Ended { reason, .. } => format!("It is over: {}", people::why_over(reason)),
        Life::Paused { fault, reason, .. } => format!("It is paused: {}", people::why_paused(*fault, reason)),
        _ => "It is interrupted.".to_owned(),
    };
    let field = |name: &str, value: &str, inline: bool| Field {
        name: first(&clean(name), limits::FIELD_NAME_UNITS_MAX, true),
        value: first(&clean(value), limits::FIELD_VALUE_UNITS_MAX, true),
        inline,
    };
    let mut fields = vec![
        field("Turns", &grouped(u64::from(card.turns)), true),
        field("Calls", &grouped(u64::from(card.calls)), true),
        field("Tokens", &grouped(card.tokens()), true),
    ];
    for (place, page) in card.goals.iter().enumerate() {
        fields.push(field(&page.title, &goals(page, endings.get(place)), false));
    }
    fields.retain(|field| !field.name.trim().is_empty() && !field.value.trim().is_empty());
    fields.truncate(limits::FIELDS_MAX);
    let footer = format!("{id:.8} · seed {} · story {:.12}", card.seed, card.story);
    let mut embed = Embed {
        title: first(&clean(&card.title), limits::TITLE_UNITS_MAX, true),
        description: first(&clean(&ending), limits::DESCRIPTION_UNITS_MAX, true),
        fields,
        footer: Some(Footer { text: first(&footer, limits::FOOTER_UNITS_MAX, false) }),
        color: HEADING,
        author: None,
    };
    while embed.units() > limits::EMBEDS_UNITS_MAX && embed.fields.pop().is_some() {}
    embed
}

/// The goals of an encounter, a line each; the one that was reached first, so that it is never cut off.
fn goals(page: &people::Goals, ending: Option<&Ending>) -> String {
    let how = || Ending::how(ending, page.messages, day);
    let (reached, others): (Vec<_>, Vec<_>) =
        page.goals.iter().filter(|goal| !goal.is_averted()).partition(|goal| goal.reached);
    let mark = |failure: bool| if failure { "✘" } else { "✔" };
    let reached =
        reached.into_iter().map(|goal| format!("{} {} ({})", mark(goal.failure), goal.label, how()));
    let others = others.into_iter().map(|goal| format!("· {}", goal.label));
    reached.chain(others).collect::<Vec<_>>().join("\n")
}

/// Embeds packed into as few messages as the limits allow, in order.
pub fn messages(embeds: Vec<Embed>) -> Vec<Hook> {
    let mut hooks: Vec<Hook> = Vec::new();
    let mut sum = 0;
    for embed in embeds {
        let units = embed.units();
        let fits = |hook: &&mut Hook| {
            hook.embeds.len() < limits::EMBEDS_MAX && sum + units <= limits::EMBEDS_UNITS_MAX
        };
        match hooks.last_mut().filter(fits) {
            Some(hook) => {
                hook.embeds.push(embed);
                sum += units;
            }
            None => {
                hooks.push(Hook { embeds: vec![embed], allowed_mentions: Mentions::default() });
                sum = units;
            }
        }
    }
    hooks
}
