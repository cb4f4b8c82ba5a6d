//! Moments of a campaign at which a model is asked, so that it can be tried at what it will have to do: the improviser plays the campaign
//! in memory, and the campaign is kept as it stands where a seat's turn begins.

mod counts;
pub(crate) mod mode;
mod purse;
mod turn;

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::Serialize;
use twicetold_event::{Event, Purpose, Seat};
use twicetold_referee::{Campaign, Step};
use twicetold_world::setup::{CampaignSpec, SeatSetup, SeatsFile};

use crate::configuration::Configuration;
use crate::rehearsal::rehearse;
use crate::seats::chairs;
use crate::{Error, Kind};

pub use counts::{Counts, Fitness, Interval, Kept, fitness};
pub use mode::Mode;
pub use purse::Purse;
pub use turn::Trial;

/// Turns that a model is tried at in each mode. Of thirty, the interval around a rate of 80 % goes from 63 % to 90 %: enough to tell a model
/// that plays from one that does not.
pub const MOMENTS: usize = 30;

/// Most turns: of three hundred, the interval around a rate of 80 % is nine points wide, and hundreds more make it hardly narrower.
pub const MOMENTS_MAX: usize = 300;

/// For so many turns the memory seat is tried once, at least twice. It is asked far less often, and all modes ask it the same.
const TURNS_PER_MEMORY: usize = 5;
const MEMORY_MIN: usize = 2;

/// One of so many turns is of Session Zero, where few tools are offered, and one of so many is in a dialogue, if there are any.
const ASIDE_PART: usize = 5;

/// Seeds with which a campaign is played, one after the other until there are enough moments. A short campaign has some twenty turns.
const SEEDS_MAX: u64 = 40;
/// Seeds after which nobody waits for more dialogues, or more work of the memory agent: a campaign may have none.
const ASIDE_SEEDS_MAX: u64 = 20;

/// Who is asked at a moment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The DM, also as somebody whom players talk with.
    Dm,
    /// A player.
    Player,
    /// The memory agent.
    Memory,
}

impl Role {
    /// As text.
    pub fn name(self) -> &'static str {
        match self {
            Role::Dm => "dm",
            Role::Player => "player",
            Role::Memory => "memory",
        }
    }

    fn of(seat: Seat, purpose: Purpose) -> Role {
        match (purpose.is_turn(), seat) {
            (false, _) | (_, Seat::Memory) => Role::Memory,
            (true, Seat::Dm) => Role::Dm,
            (true, Seat::Player(_)) => Role::Player,
        }
    }
}

/// A campaign where a seat's turn has begun and its model is to be asked.
#[derive(Clone)]
pub struct Moment {
    campaign: Campaign,
    /// Who is asked.
    pub role: Role,
}

impl Moment {
    /// Tokens of the first request to this model, estimated; none where it cannot be asked.
    pub fn tokens(&self, model: &SeatSetup) -> u32 {
        turn::tokens(self, model)
    }
}

/// The moments at which a model is tried.
#[derive(Default)]
pub struct Moments {
    /// Turns of the DM and of players.
    pub turns: Vec<Moment>,
    /// What the memory agent does.
    pub memory: Vec<Moment>,
}

impl Moments {
    /// So many turns of a campaign, and what belongs to them of the memory agent's. The improviser plays it as it plays best, with native calls,
    /// so that much has happened; `model` sits at all seats.
    ///
    /// # Errors
    /// The campaign cannot be played.
    pub fn of(
        configuration: &Configuration,
        campaign: &str,
        model: &SeatSetup,
        turns: usize,
    ) -> Result<Moments, Error> {
        let turns = turns.min(MOMENTS_MAX);
        let memory = if turns == 0 { 0 } else { (turns / TURNS_PER_MEMORY).max(MEMORY_MIN) };
        let dm = turns.div_ceil(2);
        let wanted = [(Role::Dm, dm), (Role::Player, turns - dm), (Role::Memory, memory)];
        let spec = configuration.text(&format!("campaigns/{campaign}.toml")).cloned().unwrap_or_default();
        let players = toml::from_str::<CampaignSpec>(&spec).map_or(2, |spec| spec.players_default);
        let seats = seats_of(players, &Mode::Native.put(model));
        let files = configuration.charter_files(campaign, &seats)?;
        let mut found: BTreeMap<Place, Thinned> = BTreeMap::new();
        for seed in 1..=SEEDS_MAX {
            let setup = configuration.setup(campaign, seed, files.clone())?;
            rehearse(&setup, setup.files.clone(), |campaign, step| {
                let Some((place, moment)) = begun(campaign, step) else { return };
                let most = wanted.iter().find(|(role, _)| *role == place.0).map_or(0, |(_, most)| *most);
                found.entry(place).or_default().push(moment, most * SPREAD);
            })?;
            let in_story = |role: Role| found.get(&(role, Part::Story)).map_or(0, |kept| kept.moments.len());
            let waits = seed < ASIDE_SEEDS_MAX;
            let talks = |role: Role| found.get(&(role, Part::Dialogue)).map_or(0, |kept| kept.moments.len());
            let is_enough = |(role, most): &(Role, usize)| match role {
                Role::Memory => in_story(*role) >= *most || !waits,
                _ => in_story(*role) >= *most && (talks(*role) >= most / ASIDE_PART || !waits),
            };
            if wanted.iter().all(is_enough) {
                break;
            }
        }
        let mut moments = Moments::default();
        for (role, most) in wanted {
            let mut taken = |part| found.remove(&(role, part)).unwrap_or_default().moments;
            let before = spread(taken(Part::Before), most / ASIDE_PART);
            let talks = spread(taken(Part::Dialogue), most / ASIDE_PART);
            let story = spread(taken(Part::Story), most - before.len() - talks.len());
            let place = if role == Role::Memory { &mut moments.memory } else { &mut moments.turns };
            place.extend(before.into_iter().chain(story).chain(talks));
        }
        if moments.turns.len() < turns {
            let message =
                format!("{campaign} has only {} turns, and {turns} were asked for", moments.turns.len());
            return Err(Error::new(Kind::Usage, message, "name another campaign, or fewer moments"));
        }
        Ok(moments)
    }
}

/// Where in a campaign a turn is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    /// In Session Zero.
    Before,
    /// In the story, with what the memory agent does.
    Story,
    /// In a dialogue.
    Dialogue,
}

/// Who is asked, and where.
type Place = (Role, Part);

/// Moments that are kept for each that is wanted: a campaign is not small.
const SPREAD: usize = 4;

/// Moments of one place from everywhere in the campaigns: where there are too many, every second one goes.
#[derive(Default)]
struct Thinned {
    moments: Vec<Moment>,
    seen: usize,
    /// Of so many one is kept, as a power of two.
    step: u32,
}

impl Thinned {
    fn push(&mut self, moment: Moment, most: usize) {
        let is_kept = self.seen.is_multiple_of(1 << self.step);
        self.seen += 1;
        if !is_kept || most == 0 {
            return;
        }
        self.moments.push(moment);
        if self.moments.len() > most {
            let mut place = 0;
            self.moments.retain(|_| {
                place += 1;
                place % 2 == 1
            });
            self.step += 1;
        }
    }
}

/// Every seat of a table with the same model.
fn seats_of(players: u8, model: &SeatSetup) -> SeatsFile {
    SeatsFile { players, seat: chairs(players).map(|seat| (seat.slug(), model.clone())).collect() }
}

/// The moment that a step led to: a turn began in it, or the memory agent is asked for something.
fn begun(campaign: &Campaign, step: &Step) -> Option<(Place, Moment)> {
    let word = step.events.iter().find_map(|event| match event {
        Event::ModelCallRequested(word) => Some(word),
        _ => None,
    })?;
    let role = Role::of(word.seat, word.purpose);
    let begins = step.events.iter().any(|event| matches!(event, Event::TurnBegan(_)));
    if role != Role::Memory && !begins {
        return None;
    }
    let part = match word.purpose {
        Purpose::SessionZero => Part::Before,
        Purpose::Dialogue => Part::Dialogue,
        _ => Part::Story,
    };
    Some(((role, part), Moment { campaign: campaign.clone(), role }))
}

/// So many of them, from beginning to end.
fn spread(all: Vec<Moment>, most: usize) -> Vec<Moment> {
    let count = all.len();
    let taken: Vec<usize> = (0..most.min(count)).map(|place| place * count / most.min(count)).collect();
    all.into_iter().enumerate().filter(|(place, _)| taken.contains(place)).map(|(_, moment)| moment).collect()
}

#[cfg(test)]
mod tests {
    use twicetold_event::Phase;

    use super::*;
    use crate::configuration::DEFAULT_CAMPAIGN;
    use crate::seats::Models;

    fn model() -> SeatSetup {
        let text = "default = \"m\"\n[model.m]\nprovider = \"openai\"\nbase_url = \"http://127.0.0.1:1/v1\"\nmodel = \"m\"\n";
        Models::parse(text).expect("it is TOML").profile("m").expect("it is a model").setup
    }

    fn of(campaign: &str, turns: usize) -> Moments {
        Moments::of(&Configuration::bundled(), campaign, &model(), turns).expect("it is played")
    }

    #[test]
    fn moments_come_from_all_seats_and_from_everywhere_in_a_campaign() {
        let moments = of(DEFAULT_CAMPAIGN, MOMENTS);
        let count = |role| moments.turns.iter().filter(|moment| moment.role == role).count();
        assert_eq!((count(Role::Dm), count(Role::Player), moments.memory.len()), (15, 15, 6));
        let state = |moment: &Moment| moment.campaign.state().clone();
        let before = moments.turns.iter().filter(|moment| state(moment).phase() != Phase::Play).count();
        let talks = moments.turns.iter().filter(|moment| state(moment).dialogue().is_some()).count();
        assert_eq!((before, talks), (6, 6));
        let turns = moments.turns.iter().map(|moment| moment.campaign.state().turn().number);
        assert!(turns.clone().min() < Some(4) && turns.max() > Some(20));
        let long = of("the-weir-book", 6);
        assert!(long.turns.iter().any(|moment| moment.campaign.state().turn().number > 60));
    }

    #[test]
    fn each_mode_asks_the_same_moment_in_its_own_way() {
        let moments = of(DEFAULT_CAMPAIGN, 6);
        for moment in &moments.turns {
            let [native, guided] =
                [Mode::Native, Mode::Guided].map(|mode| moment.tokens(&mode.put(&model())));
            assert!(guided > 0 && guided * 2 < native, "{guided} of {native}");
        }
        let broken = SeatSetup { protocol: "smoke".into(), ..model() };
        assert_eq!(moments.turns[0].tokens(&broken), 0);
    }

    #[test]
    fn thinning_keeps_the_first_and_reaches_the_last() {
        let all = of(DEFAULT_CAMPAIGN, 30).turns;
        let mut thinned = Thinned::default();
        all.iter().for_each(|moment| thinned.push(moment.clone(), 4));
        let turns = |moments: &[Moment]| -> Vec<u32> {
            moments.iter().map(|moment| moment.campaign.state().turn().number).collect()
        };
        let (kept, all) = (turns(&thinned.moments), turns(&all));
        assert_eq!((kept[0], kept.len()), (all[0], 4));
        assert!(all[20..].contains(&kept[3]));
        assert_eq!(turns(&spread(of(DEFAULT_CAMPAIGN, 30).turns, 2)), [all[0], all[15]]);
    }
}
