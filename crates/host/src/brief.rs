//! A campaign in a row of a list.

use twicetold_event::{CampaignId, Millis, Number, Seat};
use twicetold_journal::Source;
use twicetold_projection::people::{self, why_paused};
use twicetold_session::{Loaded, lineage};
use twicetold_world::{Life, State};

use crate::reading::ledger;
use crate::words::short;
use crate::{Error, Library};

/// Characters of what is said of a campaign's state.
const DETAIL_CHARS_MAX: usize = 200;

/// What a list says of a campaign.
#[derive(Clone, Debug)]
pub struct Brief {
    /// Its id.
    pub id: CampaignId,
    /// What it is called.
    pub title: String,
    /// How it stands: `over`, `paused`, `in progress` or `transcript`.
    pub standing: &'static str,
    /// More of that; may be empty.
    pub detail: String,
    /// When it was opened.
    pub opened: Millis,
    /// Turns.
    pub turns: u32,
    /// Model calls.
    pub calls: u32,
    /// Tokens read and written.
    pub tokens: u64,
    /// What was paid, with its currency; nothing where no model has a price here.
    pub money: Vec<String>,
    /// The models, each once.
    pub models: Vec<String>,
    /// Where it branches off; none for one that is no branch.
    pub parent: Option<Parent>,
}

/// Where a campaign branches off.
#[derive(Clone, Debug)]
pub struct Parent {
    /// The campaign that it branches off.
    pub id: CampaignId,
    /// The number after the last that both share.
    pub at: Number,
    /// What was changed, in a few words; may be empty.
    pub changed: String,
}

/// What a list says of a campaign, which may be read while somebody plays it.
///
/// # Errors
/// It is not there, or cannot be read.
pub fn brief(library: &Library, id: CampaignId) -> Result<Brief, Error> {
    let source = library.read(id)?;
    if let Some(opened) = twicetold_session::foreign(&*source)? {
        return Ok(Brief {
            id,
            title: opened.file,
            standing: "transcript",
            detail: "of another program".to_owned(),
            opened: Millis(0),
            turns: 0,
            calls: 0,
            tokens: 0,
            money: Vec::new(),
            models: Vec::new(),
            parent: None,
        });
    }
    let loaded = library.view(id).load(&*source)?;
    let money = money(library, &*source, &loaded)?;
    let state = loaded.campaign.state();
    let (standing, detail) = standing(state);
    let total = state.calls().total();
    Ok(Brief {
        id,
        title: state.setup().campaign.title.clone(),
        standing,
        detail: short(&detail, DETAIL_CHARS_MAX),
        opened: loaded.opened,
        turns: state.turn().number,
        calls: total.calls,
        tokens: total.input_tokens.saturating_add(total.output_tokens),
        money,
        models: models(state),
        parent: parent(&*source)?,
    })
}

fn parent(source: &dyn Source) -> Result<Option<Parent>, Error> {
    let last = lineage(source)?.pop();
    Ok(last.map(|(_, asked)| Parent { id: asked.parent, at: asked.at, changed: asked.note }))
}

/// How a campaign stands, in the words that every listing has for it, and what more there is to say.
pub fn standing(state: &State) -> (&'static str, String) {
    match state.life() {
        Life::Ended { .. } => {
            let last = state.encounters_over().last().map(|end| (&end.outcome, end.failed));
            let detail = match last {
                Some((Some((_, label)), true)) => format!("failed: {label}"),
                Some((Some((_, label)), false)) => format!("resolved: {label}"),
                _ => "unresolved".to_owned(),
            };
            ("over", detail)
        }
        Life::Paused { fault, reason, .. } => ("paused", why_paused(*fault, reason)),
        _ => ("in progress", state.phase().name().to_owned()),
    }
}

fn seats(state: &State) -> impl Iterator<Item = Seat> {
    [Seat::Dm, Seat::Memory].into_iter().chain(state.setup().players())
}

fn models(state: &State) -> Vec<String> {
    let seats = seats(state).filter_map(|seat| state.setup().seats.of(seat));
    let mut models: Vec<String> = Vec::new();
    for setup in seats {
        let name = if setup.model.is_empty() { setup.protocol.clone() } else { setup.model.clone() };
        if !models.contains(&name) {
            models.push(name);
        }
    }
    models
}

/// What was paid. Only a campaign whose models have a price is read as a whole for it.
fn money(library: &Library, source: &dyn Source, loaded: &Loaded) -> Result<Vec<String>, Error> {
    let prices = library.prices(source);
    let state = loaded.campaign.state();
    let has_price = |seat: Seat| {
        let setup = state.setup().seats.of(seat);
        setup.is_some_and(|setup| prices.of(seat, &setup.model).is_some())
    };
    if !seats(state).any(has_price) {
        return Ok(Vec::new());
    }
    let paid = people::paid(&people::cost(state, &ledger(source, None)?, &prices));
    Ok(paid.into_iter().map(|paid| format!("{} {}", paid.paid.rounded(), paid.currency)).collect())
}
