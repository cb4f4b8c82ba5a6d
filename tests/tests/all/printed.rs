//! Promise: a story is printed in the order in which somebody wants to read it.

use twicetold_tests::Home;

#[test]
fn a_check_is_printed_after_the_words_about_it_and_its_record_not_at_all() {
    let home = Home::new();
    home.play(7);
    let transcript = home.succeed(["show", "last", "transcript"]);
    let (mut speaker, mut checks) = ("", 0);
    for line in transcript.lines() {
        let is_speaker = !line.starts_with([' ', '─', '★']) && !line.is_empty();
        speaker = if is_speaker { line } else { speaker };
        if let Some((name, _)) = line.trim().strip_prefix("[check] ").and_then(|rest| rest.split_once(':')) {
            assert_eq!(speaker, name, "{line}");
            checks += 1;
        }
    }
    assert!(checks > 2, "{transcript}");
    let unbroken = transcript.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(!unbroken.contains("[event] ") || !unbroken.contains(" failed to "), "{unbroken}");
    assert!(
        home.succeed(["show", "last", "transcript", "--json"]).contains("managed to "),
        "a program is told all"
    );
}
