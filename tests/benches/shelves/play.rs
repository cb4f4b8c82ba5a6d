//! Campaigns of the improviser, played side by side.

use std::sync::Mutex;
use std::time::Instant;

use twicetold_dialect::sent_digest;
use twicetold_event::{Build, CampaignId, Input, Millis, OpeningAsked, TimerFired};
use twicetold_host::Library;
use twicetold_improv::improvise;
use twicetold_referee::{Campaign, Effect, charter, received};
use twicetold_session::Session;
use twicetold_tests::Game;
use twicetold_tests::postgres::Server;
use twicetold_world::setup::RULES_VERSION;

use crate::{Outcome, cpu};

/// What a durable turn costs, in milliseconds.
#[derive(Clone)]
pub struct Cost {
    /// Of the clock, over all campaigns side by side.
    pub wall: f64,
    /// Of this process.
    pub cpu: f64,
    /// Of the database's processes.
    pub server: f64,
    /// Commits.
    pub commits: f64,
    /// Turns of all campaigns.
    pub turns: u32,
}

/// Plays so many campaigns, each from its beginning to its end, so many of them at a time.
#[allow(clippy::disallowed_methods, reason = "a benchmark measures time")]
pub fn played(library: &Library, server: &Server, campaigns: u64, side_by_side: usize) -> Outcome<Cost> {
    let waiting = Mutex::new(1..=campaigns);
    let (mut turns, mut commits) = (0, 0_u64);
    let (server_before, own_before) = (cpu::of(server)?, cpu::own());
    let began = Instant::now();
    std::thread::scope(|scope| -> Outcome<()> {
        let play = || -> Outcome<(u32, u64)> {
            let mut all = (0, 0);
            loop {
                let Some(seed) = waiting.lock().map_err(|_| "another campaign failed")?.next() else {
                    return Ok(all);
                };
                let one = campaign(library, seed)?;
                all = (all.0 + one.0, all.1 + one.1);
            }
        };
        let tables: Vec<_> = (0..side_by_side).map(|_| scope.spawn(play)).collect();
        for table in tables {
            let (more_turns, more_commits) = table.join().map_err(|_| "a campaign panicked")??;
            turns += more_turns;
            commits += more_commits;
        }
        Ok(())
    })?;
    let wall = began.elapsed().as_secs_f64();
    let own = cpu::own() - own_before;
    let used = cpu::of(server)? - server_before;
    let a_turn = |seconds: f64| seconds * 1e3 / f64::from(turns);
    let commits = commits as f64 / f64::from(turns);
    Ok(Cost { wall: a_turn(wall), cpu: a_turn(own), server: a_turn(used), commits, turns })
}

/// Plays one campaign to its end; gives its turns and its commits.
fn campaign(library: &Library, seed: u64) -> Outcome<(u32, u64)> {
    let game = Game::of("one-lantern-short", seed);
    let charter = charter(seed, RULES_VERSION, &game.files);
    let mut id = [0; 16];
    id[..8].copy_from_slice(&seed.to_be_bytes());
    let id = CampaignId(id);
    let campaign = Campaign::new(charter.clone(), game.setup())?;
    let store = library.ready()?.create(id)?;
    let mut session = Session::new(campaign, store, id, Build::new("bench"));
    let mut next = Some(Input::OpeningAsked(OpeningAsked { charter }));
    let (mut clock, mut commits) = (1_000_000, 0);
    while let Some(input) = next {
        clock += 1_000;
        session.commit(Millis(clock), input)?;
        commits += 1;
        let campaign = session.campaign();
        next = match campaign.plan() {
            Some(Effect::CallModel { call, seat, .. }) => {
                let (request, _) = session.pending_request().ok_or("a pending call has a request")?;
                let wire = campaign.wire(seat);
                let body = wire.encode(&request);
                Some(received(&wire, call, sent_digest(&body), improvise(&body)))
            }
            Some(Effect::SetTimer { call, due }) => {
                clock = due.0;
                Some(Input::TimerFired(TimerFired { call, due }))
            }
            _ => None,
        };
    }
    let turns = session.campaign().state().turn().number;
    session.into_store().close()?;
    Ok((turns, commits))
}
