//! Promise: nothing is deleted by mistake: a person is asked, and a script has to say that it means it.

use serde_json::Value;
use twicetold_tests::Home;

fn id(card: &Value) -> &str {
    card["campaign"].as_str().expect("an id")
}

#[test]
fn a_script_says_that_it_means_it_and_names_ids() {
    let home = Home::new();
    let cards = [home.play(1), home.play(2), home.play(3)];
    let fronts = cards.each_ref().map(|card| &id(card)[..10]);
    home.run(["rm", "last", "--yes"]).failed(2, &["give a prefix of the campaign's id"]);
    home.run(["rm", "--yes", "ffffffffffffffffffffffffffffffff"])
        .failed(7, &["no campaign", "twicetold list"]);
    home.run(["rm", fronts[0]])
        .failed(2, &["no terminal to ask on", "`--yes`", "The Borrowed Boat, ", " turns, over"]);
    home.run(["rm", "--yes", fronts[0], "nobody"]).failed(7, &["no campaign \"nobody\""]);
    assert_eq!(home.campaigns().len(), 3, "all or nothing is found first");
    let removed = home.succeed(["rm", "--yes", fronts[0], fronts[1], id(&cards[0])]);
    assert_eq!(removed, format!("{:.8} removed.\n{:.8} removed.\n", fronts[0], fronts[1]));
    assert_eq!(home.campaigns().len(), 1);
    home.succeed(["rm", "-y", fronts[2]]);
    home.run(["show", "last", "party"]).failed(7, &["there is no campaign"]);
}

#[cfg(unix)]
#[test]
fn a_person_sees_what_is_deleted_and_is_asked() {
    use twicetold_tests::Terminal;
    let home = Home::new();
    let cards = [home.play(1), home.play(2)];
    let fronts = cards.each_ref().map(|card| &id(card)[..8]);
    for (answer, left) in [("\r", 2), ("n\r", 2), ("yes please\r", 2), ("\u{4}", 2), ("Yes\r", 0)] {
        let mut terminal = Terminal::start(home.command(["rm", fronts[0], fronts[1]]));
        terminal.until("Delete 2 campaigns permanently? [y/N] ");
        terminal.press(answer);
        let ended = terminal.end();
        assert_eq!((ended.code, home.campaigns().len()), (Some(0), left), "{answer:?}: {}", ended.text);
        assert_eq!(ended.text.contains("Nothing was deleted."), left == 2, "{answer:?}: {}", ended.text);
        for (front, card) in fronts.iter().zip(&cards) {
            let shown = format!("{front}  The Borrowed Boat, {} turns, over", card["turns"]);
            assert!(ended.text.contains(&shown), "{shown}: {}", ended.text);
        }
    }
}
