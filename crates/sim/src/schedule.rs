//! What a seed says: which campaign is played, under which limits, and what goes wrong how often.

use std::io;
use std::sync::Arc;

use twicetold_world::setup::SourceFile;

use crate::configuration::configuration_of;
use crate::draws::Draws;

/// A whole simulation, drawn from one seed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    /// The seed of everything: of the campaign's dice, and of what goes wrong.
    pub seed: u64,
    /// Players at the table.
    pub players: u8,
    /// Do the models have every vice?
    pub chaos: bool,
    /// Limits of the campaign that are lower than the bundled ones, by name.
    pub limits: Vec<(&'static str, u64)>,
    /// One append in so many goes wrong; 0: none.
    pub disk_faults: u64,
    /// One model call in so many goes wrong; 0: none.
    pub server_faults: u64,
    /// The process dies once in about so many simulated milliseconds; 0: never.
    pub crashes_ms: u64,
    /// Mean time between requests to pause the campaign, in simulated milliseconds; 0: never.
    pub pauses_ms: u64,
    /// Somebody sits down once in about so many simulated milliseconds; 0: never.
    pub people_ms: u64,
    /// Is the memory seat asked beside a turn?
    pub asks_ahead: bool,
    /// The part that is broken on purpose: what the judge must find.
    pub flaw: Option<Flaw>,
}

/// A part that is broken on purpose, so that it can be seen that the judge finds it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flaw {
    /// The store says that an entry is durable one append before it is.
    AcknowledgesBeforeItKeeps,
    /// What a step decides is done before the step is in the store.
    PerformsBeforeTheAppend,
    /// A call that was answered durably is made once more.
    CallsAgain,
    /// A late reply is taken for the reply to the pending call.
    TakesLateReplies,
    /// Timers fire at once.
    CannotWait,
    /// A paused campaign is never resumed.
    NeverResumes,
}

impl Schedule {
    /// The schedule of a seed. Half of all seeds trouble the store and the process alone, so that the story has a twin; the other
    /// half trouble the model servers too, and people come and go.
    pub fn of(seed: u64) -> Schedule {
        let mut draws = Draws::of(seed, "schedule");
        let outside = draws.one_in(2);
        let often = |draws: &mut Draws, likely: u64, from: u64, to: u64| {
            let rate = draws.between(from, to);
            if draws.below(4) < likely { rate } else { 0 }
        };
        Schedule {
            seed,
            players: draws.between(2, 3) as u8,
            chaos: draws.one_in(2),
            limits: limits(&mut draws),
            disk_faults: often(&mut draws, 3, 4, 60),
            server_faults: if outside { draws.between(2, 12) } else { 0 },
            crashes_ms: often(&mut draws, 3, 5_000, 200_000),
            pauses_ms: often(&mut draws, 2, 20_000, 400_000),
            people_ms: if outside { often(&mut draws, 2, 5_000, 120_000) } else { 0 },
            asks_ahead: !draws.one_in(4),
            flaw: None,
        }
    }

    /// The same campaign, and nothing goes wrong.
    pub fn without_faults(&self) -> Schedule {
        Schedule {
            disk_faults: 0,
            server_faults: 0,
            crashes_ms: 0,
            pauses_ms: 0,
            people_ms: 0,
            asks_ahead: false,
            flaw: None,
            ..self.clone()
        }
    }

    /// Does the story have to be that of the twin without faults? Faults of servers and people change a story; faults of the store, crashes and
    /// pauses do not. In the twin the memory seat is asked when a turn has ended; that changes no story either.
    pub fn keeps_the_story(&self) -> bool {
        self.server_faults == 0 && self.people_ms == 0
    }

    /// The charter's files: the bundled campaign for small models, under this schedule's limits.
    ///
    /// # Errors
    /// The repository's configuration cannot be read, or has no such limit.
    pub fn files(&self) -> io::Result<Vec<SourceFile>> {
        let mut files = configuration_of("the-borrowed-boat", Some(self.players))?;
        // A journal is opened many times, and each time all of its charter is read.
        let foreign = |path: &str| {
            path.starts_with("rules/small-hours/")
                || (path.starts_with("encounters/") && path != "encounters/the-landing-stage.toml")
        };
        files.retain(|file| !foreign(&file.path));
        for (name, value) in &self.limits {
            limit(&mut files, name, *value)?;
        }
        Ok(files)
    }

    /// One line for people.
    pub fn describe(&self) -> String {
        let rate =
            |what: &str, every: u64, unit: &str| (every > 0).then(|| format!("{what} 1 in {every}{unit}"));
        let rates = [
            Some(format!("{} players", self.players)),
            self.chaos.then(|| "every vice".to_owned()),
            rate("store", self.disk_faults, ""),
            rate("servers", self.server_faults, ""),
            rate("crash", self.crashes_ms, " ms"),
            rate("pause", self.pauses_ms, " ms"),
            rate("people", self.people_ms, " ms"),
            self.asks_ahead.then(|| "memory beside the turns".to_owned()),
        ];
        rates.into_iter().flatten().collect::<Vec<_>>().join(", ")
    }
}

/// Short campaigns: many small ones meet more than few long ones.
fn limits(draws: &mut Draws) -> Vec<(&'static str, u64)> {
    let mut limits = vec![
        ("turns_max", draws.between(12, 30)),
        ("session_zero_rounds_max", draws.between(2, 4)),
        ("attempts_max", draws.between(1, 4)),
        ("retry_wait_ms_max", draws.between(1_000, 60_000)),
        ("abandoned_calls_max", draws.between(2, 6)),
        ("tool_rounds_max", draws.between(2, 8)),
        ("history_messages_max", draws.between(8, 32)),
        ("dialogue_exchanges_max", draws.between(2, 10)),
    ];
    if draws.one_in(4) {
        limits.push(("calls_max", draws.between(20, 60)));
    }
    if draws.one_in(4) {
        limits.push(("tokens_max", draws.between(20_000, 200_000)));
    }
    limits
}

fn limit(files: &mut [SourceFile], name: &str, value: u64) -> io::Result<()> {
    let missing =
        || io::Error::new(io::ErrorKind::NotFound, format!("limits.toml has no {name}; fix the schedule"));
    let file = files.iter_mut().find(|file| file.path == "limits.toml").ok_or_else(missing)?;
    let begins = format!("{name} = ");
    if !file.text.lines().any(|line| line.starts_with(&begins)) {
        return Err(missing());
    }
    let lines = file.text.lines();
    let changed =
        lines.map(
            |line| if line.starts_with(&begins) { format!("{begins}{value}\n") } else { format!("{line}\n") },
        );
    file.text = Arc::from(changed.collect::<String>());
    Ok(())
}
