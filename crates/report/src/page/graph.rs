//! Who had to do with whom, as a picture and as sentences: dialogues, whispers, things given, and trust.

use std::collections::BTreeMap;
use std::fmt::Write;

use askama::filters::{Html, escape};
use twicetold_event::{Channel, Event, Holder, Seat};
use twicetold_projection::people;

use super::cast::times;
use crate::text::cut;
use crate::{Record, limits};

/// The picture and what it says.
pub(super) struct Graph {
    pub(super) svg_html: String,
    pub(super) sentences: Vec<String>,
}

/// What passed between two people.
#[derive(Default)]
struct Tie {
    talks: u32,
    gifts: u32,
    whispers: u32,
}

struct Person {
    name: String,
    class: String,
    trust: Option<i64>,
}

/// Height of a row, distances from the edges and width of the picture, in its own units.
const ROW: usize = 46;
const TOP: usize = 4;
const LEFT: usize = 124;
const RIGHT: usize = 236;
const WIDTH: usize = 360;

/// The picture of all ties; none while there is nobody to draw, or nothing between them: the cards say the rest.
pub(super) fn graph(journal: &Record) -> Option<Graph> {
    let state = journal.state();
    let party: Vec<Person> = state
        .characters()
        .iter()
        .map(|(seat, character)| Person {
            name: character.sheet.name.clone(),
            class: seat.slug(),
            trust: None,
        })
        .collect();
    let known = people::npcs(state, journal.campaign.replies());
    let npcs: Vec<Person> = known
        .iter()
        .map(|npc| Person {
            name: npc.name.clone(),
            class: "npc".into(),
            trust: (!npc.status.is_empty()).then_some(npc.trust),
        })
        .collect();
    if party.is_empty() || npcs.is_empty() {
        return None;
    }
    let seats: Vec<Seat> = state.characters().keys().copied().collect();
    let ids: Vec<&str> = known.iter().map(|npc| npc.id.as_str()).collect();
    let ties = ties(journal, &seats, &ids);
    if ties.is_empty() {
        return None;
    }
    Some(Graph {
        svg_html: draw(&party, &npcs, &ties, seats.len()),
        sentences: sentences(&party, &npcs, &ties),
    })
}

/// Ties by the places of both, the party's characters before the DM's.
fn ties(journal: &Record, seats: &[Seat], ids: &[&str]) -> BTreeMap<(usize, usize), Tie> {
    let mut ties: BTreeMap<(usize, usize), Tie> = BTreeMap::new();
    let seat_at = |seat: Seat| seats.iter().position(|known| *known == seat);
    let npc_at = |id: &str| ids.iter().position(|known| *known == id).map(|place| seats.len() + place);
    let holder_at = |holder: &Holder| match holder {
        Holder::Character(name) => journal.state().character_named(name).and_then(|(seat, _)| seat_at(seat)),
        Holder::Npc(id) => npc_at(id),
    };
    let mut tie = |one: Option<usize>, other: Option<usize>, add: fn(&mut Tie)| {
        if let (Some(one), Some(other)) = (one, other)
            && one != other
        {
            add(ties.entry((one.min(other), one.max(other))).or_default());
        }
    };
    for event in journal.entries.iter().flat_map(|entry| &entry.events) {
        match event {
            Event::DialogueBegan(word) => tie(seat_at(word.seat), npc_at(&word.npc), |tie| tie.talks += 1),
            Event::ItemExchanged(word) => {
                tie(holder_at(&word.giver), holder_at(&word.receiver), |tie| tie.gifts += 1);
            }
            Event::MessageSpoken(word) => {
                if let Channel::Whisper(from, to) = &word.channel {
                    tie(seat_at(*from), seat_at(*to), |tie| tie.whispers += 1);
                }
            }
            _ => {}
        }
    }
    ties
}

fn draw(party: &[Person], npcs: &[Person], ties: &BTreeMap<(usize, usize), Tie>, players: usize) -> String {
    let rows = party.len().max(npcs.len());
    let height = TOP + rows * ROW;
    let middle = |place: usize, of: usize| TOP + place * ROW + ROW / 2 + (rows - of) * ROW / 2;
    let at = |place: usize| match place.checked_sub(players) {
        None => (LEFT, middle(place, party.len())),
        Some(place) => (RIGHT, middle(place, npcs.len())),
    };
    let mut svg = format!(
        r#"<svg class="graph" viewBox="0 0 {WIDTH} {height}" role="img" aria-labelledby="graph-title"><title id="graph-title">Graph of interactions; the list below contains the same information</title>"#
    );
    for ((one, other), tie) in ties {
        let ((x1, y1), (x2, y2)) = (at(*one), at(*other));
        let width = 1 + (tie.talks + tie.gifts + tie.whispers).min(5);
        let class = if tie.talks > 0 { "talk" } else { "gift" };
        let path = match x1 == x2 {
            // Two of one side: around the outside, so that names stay readable.
            true => format!("M{x1} {y1} C{0} {y1} {0} {y2} {x2} {y2}", x1 + 44),
            false => format!("M{x1} {y1} C{0} {y1} {0} {y2} {x2} {y2}", LEFT.midpoint(RIGHT)),
        };
        let _ = write!(svg, r#"<path class="tie {class}" d="{path}" stroke-width="{width}"/>"#);
    }
    for (place, person) in party.iter().chain(npcs).enumerate() {
        let (x, y) = at(place);
        let (text_x, anchor) = if x == LEFT { (x - 12, "end") } else { (x + 14, "start") };
        let name = escape(cut(&person.name, limits::LABEL_CHARACTERS_MAX), Html).map(|name| name.to_string());
        let name = name.unwrap_or_default();
        let _ = write!(
            svg,
            r#"<circle class="node c-{}" cx="{x}" cy="{y}" r="7"/><text x="{text_x}" y="{}" text-anchor="{anchor}">{name}</text>"#,
            person.class,
            y + 4
        );
        if let Some(trust) = person.trust {
            let class = if trust < 0 { "trust bad" } else { "trust" };
            let _ = write!(
                svg,
                r#"<text class="{class}" x="{text_x}" y="{}" text-anchor="{anchor}">trust {}</text>"#,
                y + 17,
                signed(trust)
            );
        }
    }
    svg + "</svg>"
}

/// With its sign; zero has none.
fn signed(number: i64) -> String {
    if number == 0 { "0".to_owned() } else { format!("{number:+}") }
}

fn sentences(party: &[Person], npcs: &[Person], ties: &BTreeMap<(usize, usize), Tie>) -> Vec<String> {
    let name = |place: usize| party.iter().chain(npcs).nth(place).map_or("", |person| &person.name);
    let mut out: Vec<String> = Vec::new();
    for ((one, other), tie) in ties {
        let parts =
            [("talked apart", tie.talks), ("exchanged something", tie.gifts), ("whispered", tie.whispers)];
        let parts = parts.iter().filter(|(_, count)| *count > 0);
        let parts: Vec<String> = parts.map(|(what, count)| format!("{what} {}", times(*count))).collect();
        out.push(format!("{} and {} {}.", name(*one), name(*other), parts.join(", ")));
    }
    let trusting = npcs.iter().filter_map(|npc| Some((npc, npc.trust?)));
    out.extend(
        trusting.map(|(npc, trust)| format!("{}’s trust in the party is {}.", npc.name, signed(trust))),
    );
    out
}
