//! `resume`: goes on where the journal ends.

use std::io::Write;
use std::process::ExitCode;

use twicetold_event::{AmendmentAsked, CallId, Entry, Input, Number, ResumeAsked, Seat, SeatAsked};
use twicetold_journal::Source;
use twicetold_provider::Webhook;
use twicetold_referee::Campaign;
use twicetold_session::{Session, Walk};
use twicetold_world::{Life, State};

use crate::failure::{Failure, code};
use crate::person::Sitting;
use crate::play::{self, Playing, Show};
use crate::terminal::{json_line, print};
use crate::who::WhoPlays;
use twicetold_host::Library;

/// Goes on with a campaign that was parked or interrupted
#[derive(clap::Args)]
pub struct Arguments {
    /// The front of a campaign's id, or `last`
    id: String,

    /// Show the card at the end alone
    #[arg(long, short, conflicts_with = "json")]
    quiet: bool,

    /// Print one JSON object a line for each event, and one for the end
    #[arg(long)]
    json: bool,

    #[command(flatten)]
    who: WhoPlays,

    #[command(flatten)]
    posting: crate::webhook::Posting,
}

/// Runs the command.
pub fn run(library: &Library, arguments: &Arguments) -> Result<ExitCode, Failure> {
    let show = match (arguments.quiet, arguments.json) {
        (true, _) => Show::Card,
        (_, true) => Show::Json,
        _ => Show::Story,
    };
    // Whoever sat there when the program was killed is asked again, where they can be shown what is asked.
    let sits = |state: &State| {
        let mut people = state.table().people.iter().filter(|_| show == Show::Story);
        let person = people.next().map(|(seat, name)| (*seat, name.clone()));
        Ok(person.map(|(seat, name)| Sitting { seat, name, history: library.typed() }))
    };
    go_on(library, &arguments.id, show, &arguments.who, arguments.posting.webhook()?, sits)
}

/// Goes on with a campaign. `sits` says who takes a seat; whoever else still holds one gives it back.
pub fn go_on(
    library: &Library,
    id: &str,
    show: Show,
    who: &WhoPlays,
    webhook: Option<Webhook>,
    sits: impl FnOnce(&State) -> Result<Option<Sitting>, Failure>,
) -> Result<ExitCode, Failure> {
    let entry = library.find(id)?;
    let store = twicetold_journal::open(&entry.path)?;
    if store.head().entries == 0 {
        let message =
            "this campaign was interrupted before its opening was written: there is nothing to go on with";
        return Err(Failure::new(
            code::FAILED,
            message,
            format!("`twicetold rm {:.8}` removes it", entry.id),
        ));
    }
    let snapshot = library.view(entry.id);
    let view = snapshot.load(&store)?.campaign;
    let state = view.state();
    if let Life::Ended { observed, .. } = state.life() {
        let message = format!("this campaign is over: {observed}");
        return Err(Failure::new(
            code::USAGE,
            message,
            "`twicetold show` and `twicetold replay` look back at it",
        ));
    }
    let (mapping, seats) = who.asked().of(&library.mapping(entry.id), entry.id, state)?;
    let sitting = sits(state)?;
    let (first, interrupted) = first(state, sitting.as_ref(), is_new_branch(&store), seats);
    if let Some(call) = interrupted {
        made_again(call, possible_cost(&store, &view, call), show == Show::Json)?;
    }
    let session =
        Session::recover_with(Box::new(store), twicetold_host::build(), snapshot.read().as_deref())?;
    let replies = super::fork::replies(library, session.journal())?;
    play::run(Playing {
        session,
        path: entry.path,
        view,
        snapshot,
        first,
        show,
        sitting,
        mapping,
        replies,
        webhook,
    })
}

/// Says that a call is made a second time: to people on standard error, to programs as a line beside those of the events.
fn made_again(call: CallId, cost: Option<(u32, u32)>, json: bool) -> Result<(), Failure> {
    if json {
        return print(&json_line(&serde_json::json!({
            "interrupted_call": call.0,
            "may_be_paid_twice": true,
            "input_tokens_about": cost.map(|(read, _)| read),
            "output_tokens_most": cost.map(|(_, written)| written),
        })));
    }
    let cost = cost.map_or_else(String::new, |(read, written)| {
        format!(" (about {read} tokens to read and at most {written} to write)")
    });
    let _ = writeln!(
        std::io::stderr(),
        "{call} was in flight when the campaign stopped; it is made again, and may be paid twice{cost}."
    );
    Ok(())
}

/// What a call costs when its server has answered it already: tokens that are read, about, and written, at most.
fn possible_cost(source: &dyn Source, view: &Campaign, call: CallId) -> Option<(u32, u32)> {
    let (_, asked) = Walk::new(source, view.amended()).ok()?.request(call).ok()??;
    let most = view.state().setup().seats.of(asked.seat).map_or(0, |seat| seat.tokens_max);
    Some((asked.tokens, most))
}

/// Does the journal end where a branch begins? Then its owed call was made by the parent, if by anybody.
fn is_new_branch(source: &dyn Source) -> bool {
    let last = Number(source.head().next.0.saturating_sub(1));
    let last = source.entry_holding(last).ok().flatten().and_then(|bytes| Entry::decode(&bytes).ok());
    last.is_some_and(|entry| matches!(entry.input, Input::ForkAsked(_)))
}

/// The inputs with which a campaign goes on, and the model's call that is made again.
fn first(
    state: &State,
    sitting: Option<&Sitting>,
    new_branch: bool,
    seats: Option<String>,
) -> (Vec<Input>, Option<CallId>) {
    let people = &state.table().people;
    let in_flight = match state.life() {
        // Where a person was asked, no model was.
        Life::Running if !new_branch => {
            state.calls().owed.as_ref().filter(|owed| !people.contains_key(&owed.seat))
        }
        _ => None,
    };
    let left = people.keys().filter(|seat| sitting.is_none_or(|sitting| sitting.seat != **seat));
    let released = |seat: &Seat| Input::SeatAsked(SeatAsked { seat: *seat, person: None });
    // The call is asked anew as the seats are now, before anybody is told to go on.
    let amended = seats.is_some();
    let asked = |content| Input::AmendmentAsked(AmendmentAsked { path: "seats.toml".into(), content });
    let mut first: Vec<Input> = seats.map(asked).into_iter().chain(left.map(released)).collect();
    first.extend(
        sitting.filter(|sitting| people.get(&sitting.seat) != Some(&sitting.name)).map(Sitting::input),
    );
    first.push(Input::ResumeAsked(ResumeAsked {
        interrupted: in_flight.filter(|_| !amended).map(|owed| owed.call),
    }));
    let again = in_flight.filter(|owed| sitting.is_none_or(|sitting| sitting.seat != owed.seat));
    (first, again.map(|owed| owed.call))
}
