//! Promise: the party document lives on in play, and who forgets it is reminded, now and then.

use twicetold_event::{Event, Nudge, Section};
use twicetold_tests::{Game, Performance, Script, Who};

fn nudges(play: &Performance, wanted: Nudge) -> Vec<usize> {
    let turns = play.played.events.iter().scan(0, |turn, event| {
        if matches!(event, Event::TurnBegan(_)) {
            *turn += 1;
        }
        Some((*turn, event))
    });
    turns
        .filter(|(_, event)| matches!(event, Event::NudgeGiven(word) if word.nudge == wanted))
        .map(|(turn, _)| turn)
        .collect()
}

#[test]
fn a_stale_party_document_is_a_reminder_with_a_cooldown_until_it_is_brought_up_to_date() {
    let sworn = "{\"kind\":\"important\",\"text\":\"They swore an oath.\"}";
    let script = || Script::of(Game::new(35)).line(Who::Dm, "", &[("record_event", sworn)]);
    let forgetful = script().play();
    let reminded = nudges(&forgetful, Nudge::PartyDocumentStale);
    assert!(reminded.len() > 1, "{reminded:?}");
    assert!(
        reminded.windows(2).all(|pair| pair[1] - pair[0] >= 8),
        "a reminder has a cooldown: {reminded:?}"
    );
    let told = forgetful.asked(Who::Dm).filter(|body| body.contains("Bring it up to date.")).count();
    assert_eq!(told, reminded.len(), "the DM reads each reminder once");

    let update =
        "{\"section\":\"events\",\"text\":\"An oath was sworn by the river.\",\"reason\":\"It was.\"}";
    let tidy = script().line(Who::Dm, "", &[("update_party_document", update)]).play();
    assert!(nudges(&tidy, Nudge::PartyDocumentStale).is_empty());
    let state = tidy.played.session.campaign().state();
    assert!(state.document().sections.contains_key(&Section::Events));
    for who in [Who::Dm, Who::Player] {
        let last = tidy.asked(who).last().unwrap();
        assert!(
            last.contains("An oath was sworn by the river."),
            "the document as it stands now is in every prompt"
        );
    }
}

#[test]
fn the_dms_section_of_the_document_is_the_dms() {
    let secret = "{\"section\":\"secrets\",\"text\":\"The reeve is the heron.\",\"reason\":\"It is so.\"}";
    let play = Script::of(Game::new(37)).line(Who::Dm, "", &[("update_party_document", secret)]).play();
    assert!(play.asked(Who::Dm).last().unwrap().contains("The reeve is the heron."));
    for body in play.asked(Who::Player).chain(play.asked(Who::Memory)) {
        assert!(!body.contains("The reeve is the heron."));
    }
}

#[test]
fn the_party_document_grows_by_entries_and_loses_none_that_a_call_does_not_name() {
    let call = |text: &str, entry: &str| {
        format!("{{\"section\":\"events\",\"text\":{text:?},\"reason\":\"It was.\"{entry}}}")
    };
    let (oath, boat) = (call("They swore an oath.", ""), call("The boat came back.", ""));
    let revised = call("They swore an oath, and broke it.", ",\"entry\":1");
    let (missing, last) = (call("Nothing.", ",\"entry\":9"), call("One too many.", ""));
    // This campaign's list of allowed tools does not have the tool.
    let game = Game::of("the-borrowed-boat", 35).with(
        "limits.toml",
        "document_entries_max = 8",
        "document_entries_max = 2",
    );
    let tool = "update_party_document";
    let play = Script::of(game)
        .line(Who::Dm, "So.", &[(tool, &oath)])
        .line(Who::Dm, "And.", &[(tool, &boat), (tool, &revised), (tool, &missing)])
        .line(Who::Dm, "Then.", &[(tool, &last)])
        .play();
    assert_eq!(play.rejections(), ["unknown_entry", "section_full"]);
    for who in [Who::Dm, Who::Player] {
        let prompt = play.asked(who).last().unwrap();
        assert!(prompt.contains("They swore an oath, and broke it.\\nThe boat came back."));
        assert!(!prompt.contains("They swore an oath.\\n"), "its earlier text is replaced");
    }
}
