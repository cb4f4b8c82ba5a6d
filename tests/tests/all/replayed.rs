//! Promise: a campaign is replayed exactly, whatever played it, and a difference is found where it is.

use std::sync::Arc;

use twicetold_event::{Build, Event, Input, Millis};
use twicetold_journal::verify;
use twicetold_projection::people::LineKind;
use twicetold_referee::replay::{DivergenceKind, Replayer};
use twicetold_referee::{Campaign, Effect};
use twicetold_session::{Report, Session, Verdict, load, rebuild, replay, replay_to};
use twicetold_tests::{Game, Played};
use twicetold_world::Life;
use twicetold_world::setup::{RULES_VERSION, Setup};

/// Seeds of each kind here; the recipe `just sweep` plays hundreds.
const SEEDS: std::ops::Range<u64> = 100..112;

fn told(played: &Played) -> Report {
    replay(played.source(), None).expect("the journal is whole")
}

fn assert_identical(played: &Played) {
    let report = told(played);
    assert!(matches!(report.verdict, Verdict::Identical));
    assert_eq!(report.told_story, report.recorded_story);
    assert_eq!(report.told_story, played.session.campaign().story());
    assert!(report.requests > 0 && report.entries > 0);
}

fn assert_ended_with_artefacts(played: &Played) {
    let state = played.session.campaign().state();
    assert!(matches!(state.life(), Life::Ended { .. }), "{:?}", state.life());
    assert_eq!(state.characters().len(), 3, "every player has a character");
    for character in state.characters().values() {
        assert_eq!(state.setup().rules.faults(&character.sheet), Vec::new());
    }
    assert!(state.session_zero().scenario.is_some());
    assert!(!state.document().sections.is_empty());
    assert!(!state.encounters_over().is_empty());
}

#[test]
fn every_improvised_campaign_ends_by_itself_and_is_replayed_exactly() {
    for seed in SEEDS {
        let played = Game::new(seed).improvised();
        assert_ended_with_artefacts(&played);
        assert_identical(&played);
    }
}

#[test]
fn so_does_every_campaign_with_all_the_vices_of_real_models() {
    for seed in SEEDS {
        let played = Game::new(seed).chaotic();
        assert_ended_with_artefacts(&played);
        assert_identical(&played);
    }
}

/// A later build may ask more of a configuration than the one that opened a campaign did: its journal is read all the same.
#[test]
fn a_charter_that_would_be_refused_today_is_replayed_for_ever() {
    let (stage, wanting) = ("encounters/the-landing-stage.toml", "objective = \"Find the {{ferry}}. ");
    let game = Game::of("the-borrowed-boat", 7).with(stage, "objective = \"", wanting);
    let refused = Setup::read(7, RULES_VERSION, game.files.clone()).and_then(Setup::sound).unwrap_err();
    assert!(refused.to_string().contains("{{ferry}} is undefined"), "{refused}");
    assert_identical(&game.improvised());
}

#[test]
fn the_same_seed_tells_the_same_story_and_another_one_another() {
    let story = |seed| Game::new(seed).improvised().session.campaign().story();
    assert_eq!(story(7), story(7));
    assert_ne!(story(7), story(8));
}

#[test]
fn folding_the_journal_gives_the_live_state() {
    let played = Game::new(3).chaotic();
    let loaded = load(played.source()).expect("the journal is whole");
    assert_eq!(loaded.campaign.state().digest(), played.session.campaign().state().digest());
    assert_eq!(loaded.campaign.story(), played.session.campaign().story());
}

/// The setup of another configuration, with a change.
fn against(seed: u64, path: &str, from: &str, to: &str) -> Arc<twicetold_world::setup::Setup> {
    Game::new(seed).with(path, from, to).setup()
}

#[test]
fn one_word_of_a_template_is_found_at_its_request_and_span() {
    let played = Game::new(4).improvised();
    let other = against(4, "prompts/dm-play.md", "Only the dice decide", "Only the cards decide");
    let report = replay(played.source(), Some(other)).unwrap();
    let (drift, count) = report.drift.expect("prompts drift");
    assert!(count > 3, "every prompt of the DM in play drifts");
    assert_eq!(drift.divergence.kind, DivergenceKind::Prompt);
    let (_, journal, here) = drift.span.expect("the span is named");
    assert!(journal.contains("the dice decide") && here.contains("the cards decide"), "{journal} / {here}");
    assert!(matches!(report.verdict, Verdict::Identical), "no decision changes: the replies are the same");
    let first_of_play = twicetold_session::entries(played.source())
        .unwrap()
        .map(Result::unwrap)
        .flat_map(|entry| entry.numbered().map(|(number, event)| (number, event.clone())).collect::<Vec<_>>())
        .find(|(_, event)| matches!(event, Event::ModelCallRequested(word) if word.purpose == twicetold_event::Purpose::Play));
    assert_eq!(Some(drift.divergence.number), first_of_play.map(|(number, _)| number));
}

#[test]
fn fewer_goals_allowed_diverges_at_the_goal_that_is_one_too_many() {
    // A DM that registers two goals in its first message of play.
    let mut registered = false;
    let played = Game::new(5).answered(&mut |seat, body| {
        if seat == twicetold_event::Seat::Dm && body.contains("phase: play") && !registered {
            registered = true;
            let goal = |id: &str| format!("{{\"id\":\"{id}\",\"label\":\"It is so.\",\"isPrimary\":false,\"reason\":\"They went another way.\"}}");
            let (one, two) = (goal("one"), goal("two"));
            return twicetold_tests::reply_body("", &[("goal_register", &one), ("goal_register", &two)]);
        }
        twicetold_improv::improvise(body)
    });
    let second = twicetold_session::entries(played.source())
        .unwrap()
        .map(Result::unwrap)
        .flat_map(|entry| entry.numbered().map(|(number, event)| (number, event.clone())).collect::<Vec<_>>())
        .filter(|(_, event)| matches!(event, Event::ToolAccepted(word) if word.tool == "goal_register"))
        .nth(1)
        .map(|(number, _)| number);
    let other = against(5, "limits.toml", "dynamic_goals_max = 2", "dynamic_goals_max = 1");
    let report = replay(played.source(), Some(other)).unwrap();
    let Verdict::Diverged(at) = report.verdict else { panic!("the second goal must be refused") };
    assert_eq!(at.divergence.kind, DivergenceKind::Decision);
    assert_eq!(Some(at.divergence.number), second);
    assert!(at.divergence.build.contains("dynamic_goals_max"), "{}", at.divergence.build);
    assert_identical(&played);
}

#[test]
fn a_changed_reply_is_found_even_when_its_chain_is_consistent() {
    let played = Game::new(6).improvised();
    // The same inputs, sealed anew with one word of a reply replaced: a forger with all the tools.
    let forged = Game::new(6);
    let (mut session, _memory, opening) = forged.session();
    let mut inputs = vec![opening];
    inputs.extend(
        twicetold_session::entries(played.source()).unwrap().skip(1).map(|entry| entry.unwrap().input),
    );
    let last = inputs.iter().rposition(|input| matches!(input, Input::ModelReplied(_))).unwrap();
    if let Input::ModelReplied(word) = &mut inputs[last - 20] {
        word.sent = twicetold_model::Digest::ZERO;
    }
    for (at, input) in (0..).zip(inputs) {
        session.commit(Millis(1_000_000 + at), input).unwrap();
    }
    let report = replay(session.journal(), None).unwrap();
    let Verdict::Diverged(at) = report.verdict else { panic!("the body that was sent is another one") };
    assert_eq!(at.divergence.kind, DivergenceKind::Body);
}

#[test]
fn a_divergence_names_the_fields_that_differ_and_a_replay_can_stop_before_it() {
    let played = Game::new(7).improvised();
    let (charter, setup) = twicetold_session::charter_of(played.source()).unwrap();
    let mut replayer = Replayer::new(Campaign::new(charter, setup).unwrap());
    let mut divergence = None;
    for entry in twicetold_session::entries(played.source()).unwrap() {
        let mut entry = entry.unwrap();
        for event in &mut entry.events {
            if let Event::TurnBegan(word) = event
                && word.turn == 9
            {
                word.turn = 90;
            }
        }
        if let Err(found) = replayer.replay(&entry) {
            divergence = Some(found);
            break;
        }
    }
    let found = divergence.expect("one word of the ninth turn is another");
    assert_eq!(found.fields, [("turn: 90".to_owned(), "turn: 9".to_owned())]);
    assert!(found.journal.starts_with("TurnBegan with ") && found.journal.contains("turn 90"), "{found:?}");
    assert!(!found.journal.contains(['{', '(']), "words, no program's notation: {}", found.journal);
    let report = replay_to(played.source(), None, Some(found.number)).unwrap();
    assert!(matches!(report.verdict, Verdict::Identical));
    assert!(report.numbers > found.number.0 && report.numbers < played.source().head().next.0);

    // A replay that stops before a divergence does not see it; one that goes so far does.
    let fewer = || against(7, "prompts/dm-play.md", "Only the dice decide", "The dice alone decide");
    let drift = replay(played.source(), Some(fewer())).unwrap().drift.expect("other words").0;
    let at = drift.divergence.number;
    let before = twicetold_event::Number(at.0 - 40);
    assert!(replay_to(played.source(), Some(fewer()), Some(before)).unwrap().drift.is_none());
    assert!(replay_to(played.source(), Some(fewer()), Some(at)).unwrap().drift.is_some());
}

#[test]
fn what_is_shown_is_what_was_played() {
    let played = Game::new(9).improvised();
    assert!(played.transcript.iter().any(|line| line.kind == LineKind::Speech));
    let mut again = Vec::new();
    let (charter, setup) = twicetold_session::charter_of(played.source()).unwrap();
    let mut campaign = twicetold_referee::Campaign::new(charter, setup).unwrap();
    for entry in twicetold_session::entries(played.source()).unwrap() {
        let entry = entry.unwrap();
        campaign.fold(&entry).unwrap();
        again.extend(twicetold_projection::people::lines(campaign.state(), campaign.replies(), &entry));
    }
    assert_eq!(again, played.transcript);
}

#[test]
fn a_reply_that_nobody_waits_for_is_recorded_as_ignored_and_changes_nothing() {
    let (mut session, _memory, opening) = Game::new(10).session();
    session.commit(Millis(1), opening).unwrap();
    let (story, state) = (session.campaign().story(), session.campaign().state().digest());
    let pending = session.campaign().state().calls().pending.clone();
    let late = twicetold_event::ModelReplied {
        call: twicetold_event::CallId(99),
        sent: twicetold_model::Digest::ZERO,
        body: twicetold_tests::reply_body("Too late.", &[]),
        usage: twicetold_model::Usage::default(),
        finish: twicetold_model::Finish::Stop,
    };
    let committed = session.commit(Millis(2), Input::ModelReplied(late)).unwrap();
    assert!(matches!(committed.entry.events.as_slice(), [Event::ReplyIgnored(_)]));
    assert_eq!((session.campaign().story(), session.campaign().state().digest()), (story, state));
    assert_eq!(session.campaign().state().calls().pending, pending);
}

/// A person sat down while a call was in flight, the model was faster, and the line came after its reply. It was recorded as ignored;
/// but a recovery took it for the words of that call, rendered other prompts than were decided, and the campaign could not go on.
#[test]
fn a_line_that_came_after_the_reply_is_ignored_by_a_recovery_and_by_why_too() {
    let (mut session, _memory, opening) = Game::new(11).session();
    let reply = |call, text: &str| {
        Input::ModelReplied(twicetold_event::ModelReplied {
            call: twicetold_event::CallId(call),
            sent: twicetold_model::Digest::ZERO,
            body: twicetold_tests::reply_body(text, &[]),
            usage: twicetold_model::Usage::default(),
            finish: twicetold_model::Finish::Stop,
        })
    };
    let late = Input::PersonAnswered(twicetold_event::PersonAnswered {
        call: twicetold_event::CallId(0),
        text: "I was too slow, and I had so much more to say than anybody else.".into(),
        tool_calls: Vec::new(),
    });
    let inputs = [opening, reply(0, "The river is high."), late, reply(1, "I look at it.")];
    for (at, input) in (1..).zip(inputs) {
        session.commit(Millis(at), input).unwrap();
    }
    let recovered = Session::recover(session.into_store(), Build::new("test")).unwrap();
    let (request, decided) = recovered.pending_request().expect("call 2 is pending");
    assert_eq!(request.digest(), decided);
    let rebuilt = rebuild(recovered.journal(), twicetold_event::CallId(2)).unwrap().expect("it was asked");
    assert!(rebuilt.is_exact());
}

/// A server said twice that it had failed, and the second time asked for a longer wait: the timer of the first cut it short.
#[test]
fn the_timer_of_an_earlier_attempt_does_not_cut_a_later_wait_short() {
    let (mut session, _memory, opening) = Game::new(12).session();
    let call = twicetold_event::CallId(0);
    let busy = |wait| {
        let fault = twicetold_model::Fault::new(twicetold_model::FaultKind::RateLimited, "slow down");
        let fault = twicetold_model::Fault { retry_after_ms: Some(wait), ..fault };
        let sent = twicetold_model::Digest::ZERO;
        Input::ModelFailed(twicetold_event::ModelFailed { call, sent, fault, body: String::new() })
    };
    let timer = |due| Input::TimerFired(twicetold_event::TimerFired { call, due: Millis(due) });
    let waits = |due| Some(Effect::SetTimer { call, due: Millis(due) });
    session.commit(Millis(0), opening).unwrap();
    session.commit(Millis(0), busy(1_000)).unwrap();
    assert_eq!(session.campaign().plan(), waits(1_000));
    session.commit(Millis(500), busy(20_000)).unwrap();
    session.commit(Millis(1_000), timer(1_000)).unwrap();
    assert_eq!(session.campaign().plan(), waits(20_500));
    session.commit(Millis(20_500), timer(20_500)).unwrap();
    assert!(matches!(session.campaign().plan(), Some(Effect::CallModel { .. })));
}

#[test]
fn a_clock_that_is_set_back_stands_still_for_the_campaign() {
    let (mut session, _memory, opening) = Game::new(11).session();
    session.commit(twicetold_event::Millis(5_000), opening).unwrap();
    let pause = || Input::PauseAsked(twicetold_event::PauseAsked { reason: "a test".into() });
    let committed = session.commit(twicetold_event::Millis(1_000), pause()).unwrap();
    assert_eq!(committed.entry.header.at, twicetold_event::Millis(5_000));
    verify(session.journal()).unwrap();
}
