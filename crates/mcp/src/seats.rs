//! The tools of an agent that plays a seat. What it does is an input like a person's.

use std::sync::Arc;
use std::time::Duration;

use rmcp::model::{JsonObject, Tool};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use tokio::time::{Instant, timeout_at};
use twicetold_event::{CallId, CampaignId, Input, Seat};
use twicetold_host::tables::Shown;
use twicetold_host::words::short;
use twicetold_host::{Library, Sitting};
use twicetold_world::Life;

use crate::failure::Failure;
use crate::house::{House, costs};
use crate::limits::{HEARD_WAIT, NAME_CHARS_MAX, WAIT_SECONDS_MAX};
use crate::page::{Answer, Part, answer};
use crate::place::{Look, Move, Place};
use crate::reading::{find, part};
use crate::tools::{acting, acting_as, arguments};

/// The seat that is wanted.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Wanted {
    /// The front of a campaign's id, or `last`.
    campaign: String,
    /// `dm`, `player-1` …, or the name of a character.
    seat: String,
    /// How the agent is called in the journal.
    name: String,
}

/// The one seat that is there.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Named {
    /// How the agent is called in the journal.
    name: String,
}

/// For how long is waited.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Waiting {
    /// The `place` of the seat; needed where the agent holds several.
    place: Option<String>,
    /// Seconds to wait at most, up to 50.
    #[serde(default)]
    seconds: u64,
    /// A `part` that stands in `cut` of the result before: that result is continued, and nothing is waited for.
    part: Option<String>,
    /// Items or characters of that part to pass over: `next` of the same.
    #[serde(default)]
    from: usize,
}

/// What an agent says and does.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Acting {
    /// The `place` of the seat; needed where the agent holds several.
    place: Option<String>,
    /// The `turn` of `wait_for_turn` that this answers.
    turn: u32,
    /// What the agent says, as its character or as the DM.
    #[serde(default)]
    words: String,
    /// Moves, in order.
    #[serde(default)]
    moves: Vec<Move>,
}

/// The seat that is given back.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Leaving {
    /// The `place` of the seat; needed where the agent holds several.
    place: Option<String>,
}

/// A seat that was taken.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Taken {
    /// The seat, to be given as `place` where the agent holds several.
    place: String,
    /// The campaign's title.
    title: String,
    /// Who is played there: the DM, or a character once there is one.
    plays: String,
    /// Seconds after which the seat is given back when nothing is heard of the agent.
    silence_seconds: u64,
}

/// What became of an action.
#[derive(Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
struct Done {
    /// The seat.
    place: String,
    /// What was done.
    done: String,
}

/// What the schemas of `take_seat` are kept under, for a connection that may take one seat.
pub(crate) const ONE_SEAT: &str = "take_seat of one seat";

/// The seats that a connection may take.
#[derive(Clone, Debug)]
pub(crate) enum Scope {
    /// All.
    All,
    /// This seat of this campaign, and nothing else of it.
    One { campaign: String, seat: String },
}

/// The tools of this module.
pub(crate) fn tools(scope: &Scope) -> Vec<Tool> {
    let about = "Takes a seat of a campaign that is played here, or goes on with one that is paused. The agent then plays that seat, and the name that it gives is recorded.";
    let take = match scope {
        Scope::All => acting::<Wanted, Answer<Taken>>("take_seat", about),
        Scope::One { .. } => acting_as::<Named, Answer<Taken>>(ONE_SEAT, "take_seat", about),
    };
    vec![
        take,
        acting::<Waiting, Answer<Look>>(
            "wait_for_turn",
            "Waits until the seat has the turn, and returns what it may know since the last look, and its legal moves. Also says when the campaign is paused or over.",
        ),
        acting::<Acting, Answer<Done>>(
            "act",
            "Answers the turn with words, moves or both. What the rules reject is answered with the rule, and changes nothing.",
        ),
        acting::<Leaving, Answer<Done>>("leave", "Gives the seat back to its model, and play goes on."),
    ]
}

/// An agent's connection, as its seats see it.
pub(crate) struct Guest<'a> {
    pub(crate) house: &'a House,
    pub(crate) connection: u64,
    pub(crate) scope: &'a Scope,
    /// The seats that it took, also those that were given back.
    pub(crate) places: &'a std::sync::Mutex<Vec<Arc<Place>>>,
}

impl Guest<'_> {
    /// Calls a tool of this module; nothing when it has no such tool.
    pub(crate) async fn call(&self, name: &str, given: Option<JsonObject>) -> Option<Result<Value, Failure>> {
        Some(match name {
            "take_seat" => self.take(given).await,
            "wait_for_turn" => match arguments(given) {
                Ok(asked) => self.wait(asked).await,
                Err(failure) => Err(failure),
            },
            "act" => match arguments(given) {
                Ok(asked) => self.act(asked).await,
                Err(failure) => Err(failure),
            },
            "leave" => arguments(given).and_then(|asked: Leaving| self.leave(&asked)),
            _ => return None,
        })
    }

    async fn take(&self, given: Option<JsonObject>) -> Result<Value, Failure> {
        let Wanted { campaign, seat, name } = match self.scope {
            Scope::All => arguments(given)?,
            Scope::One { campaign, seat } => {
                let Named { name } = arguments(given)?;
                Wanted { campaign: campaign.clone(), seat: seat.clone(), name }
            }
        };
        let name = name.trim();
        if name.is_empty() || name.chars().count() > NAME_CHARS_MAX || name.chars().any(char::is_control) {
            let message = format!("a name is a line of 1 to {NAME_CHARS_MAX} characters");
            return Err(Failure::usage(message, "give the `name` by which the journal calls the agent"));
        }
        let sits = name.to_owned();
        let (id, sitting, is_paid, title, plays) =
            self.house.blocking(move |house| wanted(house.library(), &campaign, &seat, sits)).await?;
        let seat = sitting.seat;
        let place = Place::new(id, sitting, self.connection, is_paid);
        if self.house.tables().is_playing(id) {
            self.house.put(place.clone())?;
            let (seat, name) = (place.seat(), &place.sitting.name);
            let is_there = |shown: &Shown| shown.people.get(&seat) == Some(name);
            if !self.told(id, vec![place.sitting.input()], is_there).await {
                self.house.give_back(&place, "the campaign was paused");
                let message = "the campaign was paused or ended at this moment";
                return Err(Failure::new("late", message, "call `take_seat` again"));
            }
        } else {
            // One that is paused or was never played here goes on with the agent in its seat.
            let holder = self.house.place(id, seat).filter(|holder| holder.connection != 0);
            if holder.is_none() {
                self.house.resume(id, vec![(seat.slug(), place.sitting.name.clone())]).await?;
            }
            self.house.put(place.clone())?;
        }
        let mut own = self.own();
        own.retain(|place| place.gone().is_none());
        own.push(place.clone());
        drop(own);
        let silence_seconds = self.house.settings().silence.as_secs();
        answer(&json!(Taken { place: place.name(), title, plays, silence_seconds }), &Part::default())
    }

    async fn wait(&self, asked: Waiting) -> Result<Value, Failure> {
        let place = self.place(asked.place.as_deref())?;
        if asked.part.is_some() {
            return answer(&place.last(), &part(&asked.part, asked.from));
        }
        let until = Instant::now() + Duration::from_secs(asked.seconds.min(WAIT_SECONDS_MAX));
        if let Some(mut shown) = self.house.tables().watch(place.campaign) {
            let mut heard = place.heard();
            let seat = place.seat();
            let is_asked =
                |shown: &Shown| !shown.is_playing || shown.asked.is_some_and(|(_, asked)| asked == seat);
            tokio::select! {
                _ = timeout_at(until, shown.wait_for(is_asked)) => {}
                _ = heard.wait_for(Option::is_none) => {}
            }
        }
        let place = self.place(asked.place.as_deref())?;
        let looked = self.house.blocking(move |house| place.look(house.library())).await?;
        answer(&looked, &Part::default())
    }

    async fn act(&self, asked: Acting) -> Result<Value, Failure> {
        let Acting { place, turn, words, moves } = asked;
        let place = self.place(place.as_deref())?;
        let acting = place.clone();
        let (input, next) =
            self.house.blocking(move |house| acting.act(house.library(), turn, &words, &moves)).await?;
        // Somebody else may be heard first, who sits down or asks for a pause: then this turn still waits.
        let asked = (CallId(turn), place.seat());
        let is_answered = |shown: &Shown| shown.is_playing && shown.next > next && shown.asked != Some(asked);
        if !self.told(place.campaign, vec![input], is_answered).await {
            let waiting = place.clone();
            let waits = self.house.blocking(move |house| waiting.waits_for(house.library(), asked.0)).await?;
            if waits {
                let message = "the campaign was paused before this was heard";
                return Err(Failure::new("late", message, "`wait_for_turn` says how it stands"));
            }
        }
        place.touch();
        let done = format!("turn {turn} was answered");
        answer(&json!(Done { place: place.name(), done }), &Part::default())
    }

    fn leave(&self, asked: &Leaving) -> Result<Value, Failure> {
        let place = self.place(asked.place.as_deref())?;
        self.house.give_back(&place, "its agent left");
        let done = "the seat was given back".to_owned();
        answer(&json!(Done { place: place.name(), done }), &Part::default())
    }

    /// Tells a table something, and waits until `is_heard`, or until it is played no more.
    async fn told(&self, id: CampaignId, inputs: Vec<Input>, is_heard: impl Fn(&Shown) -> bool) -> bool {
        let Some(mut shown) = self.house.tables().watch(id) else { return false };
        if !self.house.tables().tell(id, inputs) {
            return false;
        }
        let wait = shown.wait_for(|shown| !shown.is_playing || is_heard(shown));
        matches!(timeout_at(Instant::now() + HEARD_WAIT, wait).await, Ok(Ok(shown)) if is_heard(&shown))
    }

    /// The seat that is meant.
    fn place(&self, named: Option<&str>) -> Result<Arc<Place>, Failure> {
        let own = self.own();
        let held = || own.iter().filter(|place| place.gone().is_none());
        let names = || held().map(|place| place.name()).collect::<Vec<_>>().join(", ");
        let found = match named {
            Some(name) => own.iter().rfind(|place| place.name() == name),
            None if held().count() > 1 => {
                let message = "this connection holds several seats";
                return Err(Failure::usage(message, format!("give `place`, one of {}", names())));
            }
            None => held().next().or(own.last()),
        };
        let Some(place) = found else {
            let message = match named {
                Some(name) => format!("this connection holds no seat {:?}", short(name, 60)),
                None => "this connection holds no seat".to_owned(),
            };
            return Err(Failure::missing(message, "`take_seat` takes one"));
        };
        match place.gone() {
            None => Ok(place.clone()),
            Some(why) => {
                let message = format!("the seat {} was given back: {why}", place.name());
                Err(Failure::new("gone", message, "`take_seat` takes it again, if it is free"))
            }
        }
    }

    fn own(&self) -> std::sync::MutexGuard<'_, Vec<Arc<Place>>> {
        self.places.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// The seat that somebody wants, as the campaign stands.
fn wanted(
    library: &Library,
    campaign: &str,
    seat: &str,
    name: String,
) -> Result<(CampaignId, Sitting, bool, String, String), Failure> {
    let id = find(library, campaign)?;
    let source = library.read(id)?;
    let loaded = library.view(id).load(&*source)?;
    let state = loaded.campaign.state();
    if let Life::Ended { .. } = state.life() {
        let message = "the campaign is over: nobody plays there any more";
        return Err(Failure::new("over", message, "take a seat of another campaign"));
    }
    let Sitting { seat, .. } = Sitting::read(state, &short(seat, NAME_CHARS_MAX), "")?;
    let plays = if seat == Seat::Dm { "the DM".to_owned() } else { state.seat_name(seat) };
    let title = state.setup().campaign.title.clone();
    Ok((id, Sitting { seat, name }, costs(state, seat), title, plays))
}
