//! A budget ends no campaign: it is paused in the place of the next call, and a call that is under way is waited for.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use tokio::sync::mpsc;
use tokio_test::assert_ok;
use twicetold_cast::{Budget, BudgetNotice, Limit, MoneyBudget, Notice, PlaySetup, Stop, play};
use twicetold_event::{CampaignId, Input, Millis, PauseAsked, Seat, SeatAsked};
use twicetold_improv::improvise;
use twicetold_model::{Fault, FaultKind, Money, Price, Rates};
use twicetold_projection::people::Prices;
use twicetold_provider::{Answer, Provider, Scripted};
use twicetold_tests::Game;
use twicetold_world::Life;

/// What came of a campaign: the notices of its budget, why it is paused, and how many calls were answered.
struct Played {
    notices: Vec<BudgetNotice>,
    reason: String,
    answered: u32,
}

/// Plays within a budget. `on_call` is told of each call and says what happens meanwhile.
fn played(
    game: &Game,
    provider: Scripted,
    budget: Budget,
    clock: &Arc<AtomicU64>,
    on_call: impl Fn() -> Vec<Input>,
) -> Played {
    let (session, _memory, opening) = game.session();
    let provider: Arc<dyn Provider> = Arc::new(provider);
    let seats = [Seat::Dm, Seat::Memory, Seat::Player(1), Seat::Player(2), Seat::Player(3)];
    let providers: BTreeMap<_, _> = seats.into_iter().map(|seat| (seat, provider.clone())).collect();
    let time = clock.clone();
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime").block_on(async {
        let (sender, mut watching) = mpsc::channel(8);
        let setup = PlaySetup {
            budget: Some(budget),
            notices: Some(sender),
            ..PlaySetup::new(
                session,
                providers,
                Arc::new(move || Millis(time.load(Ordering::SeqCst))),
                vec![opening],
            )
        };
        let mut handle = assert_ok!(play(setup).await);
        let mut notices = Vec::new();
        while let Some(notice) = watching.recv().await {
            match notice {
                Notice::Calling { .. } => {
                    for input in on_call() {
                        handle.tell(vec![input]);
                    }
                }
                Notice::Budget(notice) => notices.push(notice),
                Notice::Committed(_) | Notice::Asking { .. } | Notice::Draft { .. } => {}
            }
        }
        let (stop, session) = handle.finished().await;
        assert_eq!(stop.expect("it stops as it should"), Stop::Paused);
        let session = session.expect("the session comes back");
        let state = session.campaign().state();
        let Life::Paused { reason, .. } = state.life() else { panic!("it is not paused") };
        Played { notices, reason: reason.clone(), answered: state.calls().total().calls }
    })
}

fn game(number: u8) -> Game {
    Game { id: CampaignId([100 + number; 16]), ..Game::new(61) }
}

fn improviser() -> Scripted {
    Scripted::responding("improviser", |body: &str| Ok(improvise(body)))
}

fn clock() -> Arc<AtomicU64> {
    Arc::new(AtomicU64::new(1_000_000))
}

/// What somebody did meanwhile that has nothing to do with the call.
fn visit() -> Input {
    Input::SeatAsked(SeatAsked { seat: Seat::Player(6), person: Some("Ada".into()) })
}

#[test]
fn calls_are_warned_of_once_at_80_percent_and_then_the_campaign_is_paused() {
    let budget = Budget { calls: Some(Limit { from: 0, to: 10 }), ..Budget::default() };
    let played = played(&game(1), improviser(), budget, &clock(), Vec::new);
    let spent: Vec<_> = played.notices.iter().map(|notice| (notice.used_up, notice.spent.as_str())).collect();
    assert_eq!(spent, [(false, "8 of 10 calls"), (true, "10 of 10 calls")]);
    assert_eq!(played.notices[1].again, "10calls");
    assert_eq!(
        (played.reason.as_str(), played.answered),
        ("the budget is used up: 10 calls, at most 10", 10)
    );
}

#[test]
fn money_is_counted_by_every_answer_of_this_run_on_top_of_what_was_spent_before() {
    let protocol = |name| format!("protocol = {name:?}");
    let game = game(2).with("seats.toml", &protocol("improv"), &protocol("chat-completions"));
    let rates = Rates { input: 10, cached: 10, cache_write: 10, output: 10, thinking: 10 };
    let mut prices = Prices::default();
    for seat in [Seat::Dm, Seat::Memory, Seat::Player(1), Seat::Player(2), Seat::Player(3)] {
        let (session, _memory, _) = game.session();
        let setup = session.campaign().state().setup().seats.of(seat).expect("a seat").clone();
        assert!(!setup.is_embedded());
        prices.seat(seat, setup.model, Some(Price { currency: "usd".into(), rates, above: None }));
    }
    let amount = Money::of_millionths(1);
    let budget = |spent| {
        let money = MoneyBudget { amount, currency: "usd".into(), spent, prices: prices.clone() };
        Budget { money: Some(money), ..Budget::default() }
    };
    let fresh = played(&game, improviser(), budget(Money::default()), &clock(), Vec::new);
    assert_eq!(fresh.reason, "the budget is used up: at most 0.000001 usd");
    assert!(fresh.notices.last().expect("a notice").used_up);
    let half = played(&game, improviser(), budget(Money::of_millionths(1).percent(70)), &clock(), Vec::new);
    assert!(0 < half.answered && half.answered < fresh.answered, "{} of {}", half.answered, fresh.answered);
}

#[test]
fn a_call_under_way_is_waited_for_when_the_time_is_over() {
    let (clock, budget) = (clock(), Budget { time_ms: Some(60_000), ..Budget::default() });
    let late = clock.clone();
    let meanwhile = move || {
        late.fetch_add(60_000, Ordering::SeqCst);
        vec![visit(), Input::PauseAsked(PauseAsked { reason: "enough seen".into() })]
    };
    let played = played(&game(3), Scripted::hanging("mute"), budget, &clock, meanwhile);
    assert_eq!((played.reason.as_str(), played.notices.len()), ("enough seen", 0));
}

#[test]
fn time_that_is_over_pauses_in_the_place_of_the_next_call() {
    let (clock, budget) = (clock(), Budget { time_ms: Some(60_000), ..Budget::default() });
    let later = clock.clone();
    let meanwhile = move || {
        later.fetch_add(16_000, Ordering::SeqCst);
        Vec::new()
    };
    let provider = improviser();
    let played = played(&game(4), provider, budget, &clock, meanwhile);
    assert_eq!(played.reason, "the budget is used up: at most 1 min");
    assert!(played.answered >= 3, "{}", played.answered);
    assert!(played.notices.last().expect("a notice").used_up);
}

#[test]
fn time_that_is_over_ends_also_the_wait_for_another_attempt() {
    let busy = Scripted::responding("busy", |_: &str| {
        let fault = Fault { retry_after_ms: Some(60_000), ..Fault::new(FaultKind::RateLimited, "busy") };
        Answer::Fault(fault)
    });
    // The clock stands still: the table's own timer wakes it.
    let budget = Budget { time_ms: Some(300), ..Budget::default() };
    let played = played(&game(5), busy, budget, &clock(), Vec::new);
    assert_eq!((played.reason.as_str(), played.answered), ("the budget is used up: at most 0 s", 0));
}
