//! `resume`: goes on where the journal ends.

use std::io::Write;
use std::process::ExitCode;

use twicetold_event::{CallId, Input, ResumeAsked, Seat, SeatAsked};
use twicetold_journal::Source;
use twicetold_provider::Webhook;
use twicetold_referee::Campaign;
use twicetold_session::{Session, Walk};
use twicetold_world::{Life, State};

use crate::failure::{Failure, code};
use crate::library::Library;
use crate::person::Sitting;
use crate::play::{self, Playing, Show};

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
    go_on(library, &arguments.id, show, arguments.posting.webhook()?, sits)
}

/// Goes on with a campaign. `sits` says who takes a seat; whoever else still holds one gives it back.
pub fn go_on(
    library: &Library,
    id: &str,
    show: Show,
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
            code::FAILED,
            message,
            "`twicetold show` and `twicetold replay` look back at it",
        ));
    }
    let sitting = sits(state)?;
    let (first, interrupted) = first(state, sitting.as_ref());
    if let (Some(call), Show::Story) = (interrupted, show) {
        let _ = writeln!(
            std::io::stderr(),
            "{call} was in flight when the campaign stopped; it is made again, and may be paid twice{}.",
            possible_cost(&store, &view, call)
        );
    }
    let session = Session::recover_with(Box::new(store), play::build(), snapshot.read().as_deref())?;
    let replies = super::fork::replies(library, session.journal())?;
    play::run(Playing { session, path: entry.path, view, snapshot, first, show, sitting, replies, webhook })
}

/// What a call costs at most when its server has answered it already.
fn possible_cost(source: &dyn Source, view: &Campaign, call: CallId) -> String {
    let walk = Walk::new(source, view.amended()).ok();
    let asked = walk.and_then(|walk| walk.request(call).ok().flatten());
    asked.map_or_else(String::new, |(_, asked)| {
        let most = view.state().setup().seats.of(asked.seat).map_or(0, |seat| seat.tokens_max);
        format!(" (about {} tokens to read and at most {most} to write)", asked.tokens)
    })
}

/// The inputs with which a campaign goes on, and the model's call that is made again.
fn first(state: &State, sitting: Option<&Sitting>) -> (Vec<Input>, Option<CallId>) {
    let people = &state.table().people;
    let in_flight = match state.life() {
        // Where a person was asked, no model was.
        Life::Running => state.calls().owed.as_ref().filter(|owed| !people.contains_key(&owed.seat)),
        _ => None,
    };
    let left = people.keys().filter(|seat| sitting.is_none_or(|sitting| sitting.seat != **seat));
    let released = |seat: &Seat| Input::SeatAsked(SeatAsked { seat: *seat, person: None });
    let mut first: Vec<Input> = left.map(released).collect();
    first.extend(
        sitting.filter(|sitting| people.get(&sitting.seat) != Some(&sitting.name)).map(Sitting::input),
    );
    first.push(Input::ResumeAsked(ResumeAsked { interrupted: in_flight.map(|owed| owed.call) }));
    let again = in_flight.filter(|owed| sitting.is_none_or(|sitting| sitting.seat != owed.seat));
    (first, again.map(|owed| owed.call))
}
