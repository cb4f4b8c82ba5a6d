//! Promise: a person can take any seat, sees what that seat may know, and gives it back; what they type is an input like any other.
#![cfg(unix)]

use std::io::Write;
use std::process::Stdio;

use rustix::process::Signal;
use serde_json::Value;
use twicetold_event::Seat;
use twicetold_projection::people::{Line, heard, recent};
use twicetold_referee::Campaign;
use twicetold_session::{charter_of, entries};
use twicetold_tests::{COLUMNS, Game, Home, Outcome, Performance, Script, Terminal, Who, flat, on_screen};

/// Takes a seat of a new campaign on a terminal.
fn new_game(home: &Home, seed: &str, seat: &str) -> Terminal {
    let run = ["run", "the-borrowed-boat", "--seed", seed, "--seat", seat, "--hold", "0"];
    let mut command = home.command(run);
    command.env("TERM", "xterm").env("USER", "ada");
    Terminal::start(command)
}

/// Runs a command with these lines on its standard input.
pub(crate) fn piped(home: &Home, arguments: &[&str], lines: &[&str]) -> Outcome {
    let mut command = home.command(arguments);
    let mut child = command.stdin(Stdio::piped()).spawn().expect("the program starts");
    let text = lines.iter().map(|line| format!("{line}\n")).collect::<String>();
    // A program that ends early closes its input.
    child.stdin.take().expect("a pipe").write_all(text.as_bytes()).ok();
    Outcome::of(child.wait_with_output())
}

fn logged(home: &Home) -> Vec<Value> {
    let log = home.succeed(["log", "last", "--json"]);
    log.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

fn events(home: &Home, name: &str) -> usize {
    logged(home).iter().filter(|event| event["type"] == name).count()
}

fn document(home: &Home, what: &str) -> Value {
    serde_json::from_str(&home.succeed(["show", "last", what, "--json"])).expect("JSON")
}

fn replays(home: &Home) {
    assert!(home.succeed(["replay", "last"]).contains("Identical"));
}

/// What a player types who has not read the manual: the question says what is wanted.
fn reply(question: &str, turn: usize) -> String {
    let question = flat(question);
    match () {
        () if question.contains("whom you would like to play") => {
            "I play Ada Finch, who counts boats.".into()
        }
        () if question.contains("how you know the others") => "We rowed together once, badly.".into(),
        () if question.contains("/character NAME") => {
            "/character Ada Finch, Warden, She has counted every boat since the flood.".into()
        }
        () => format!("I look around for the {turn}th time and say what I see."),
    }
}

#[test]
fn a_whole_campaign_is_played_in_a_terminal_of_80_columns_by_what_the_screen_says() {
    let home = Home::new();
    let mut terminal = new_game(&home, "11", "player-1=me");
    let mut turns = 0;
    while let Some(screen) = terminal.asked() {
        turns += 1;
        assert!(turns < 60, "it does not end");
        terminal.line(&reply(&screen[screen.rfind("Your turn").unwrap_or(0)..], turns));
    }
    let ended = terminal.end();
    assert_eq!((ended.code, ended.restored), (Some(0), true), "{}", ended.text);
    let screen = on_screen(&ended.text);
    let wide: Vec<&String> = screen.iter().filter(|line| line.chars().count() > COLUMNS).collect();
    assert!(wide.is_empty(), "{wide:#?}");
    for wanted in ["ada plays Player 1.", "Ada Finch", "── HP ", "The Borrowed Boat is over"] {
        let shown = screen.join(" ");
        assert!(shown.contains(wanted), "{wanted:?} is not in {shown}");
    }
    let transcript = flat(&home.succeed(["show", "last", "transcript"]));
    assert!(transcript.contains("Player 1 plays Ada Finch, ") && transcript.contains("I look around"));
    assert!(turns > 5, "asked {turns} times");
    replays(&home);
}

#[test]
fn a_line_is_edited_and_an_earlier_one_comes_back() {
    let home = Home::new();
    let mut terminal = new_game(&home, "8", "player 1");
    terminal.asked().expect("a question");
    // Backspace three times, then to the front, then return.
    terminal.press("I wait quietlyyyy\u{7f}\u{7f}\u{7f}\u{1}So \r");
    terminal.asked().expect("another question");
    // The arrow up.
    terminal.press("\u{1b}[A\r");
    terminal.asked().expect("another question");
    terminal.line("/leave");
    assert_eq!(terminal.end().code, Some(0));
    let transcript = home.succeed(["show", "last", "transcript"]);
    assert_eq!(transcript.matches("So I wait quietly").count(), 2, "{transcript}");
    // Another game remembers it too.
    let mut terminal = new_game(&home, "9", "player-1");
    terminal.asked().expect("a question");
    terminal.press("\u{1b}[A\u{1b}[A\r");
    terminal.asked().expect("another question");
    terminal.press("\u{4}");
    assert_eq!(terminal.end().code, Some(0));
    assert!(home.succeed(["show", "last", "transcript"]).contains("So I wait quietly"));
}

#[test]
fn a_line_that_waits_is_taken_back_and_nothing_is_written_of_it() {
    let home = Home::new();
    let run = ["run", "the-borrowed-boat", "--seed", "8", "--seat", "player-1", "--hold", "60"];
    let lines =
        ["/again", "I play a tpyo.", "/again", "I play Ada Finch.", "We rowed once.", "/again", "/leave"];
    // The fifth line comes while the fourth waits: it sends that one, and is heard in its own turn, where it waits itself.
    let shown = flat(&piped(&home, &run, &lines).succeeded().stdout);
    for wanted in
        ["You have sent nothing yet", "Sent in 60 s. Return sends it now", "Taken back: nobody has heard it"]
    {
        assert!(shown.contains(wanted), "{wanted:?} is not in {shown}");
    }
    let written = home.succeed(["log", "last", "--json"]);
    assert!(
        written.contains("I play Ada Finch.") && !written.contains("tpyo") && !written.contains("rowed once")
    );
    replays(&home);
}

#[test]
fn a_line_that_was_sent_stays_and_a_branch_goes_on_from_before_it() {
    let home = Home::new();
    let run = ["run", "the-borrowed-boat", "--seed", "8", "--seat", "player-1", "--hold", "0"];
    let lines = ["I play Ada Finch.", "We rowed once.", "/again", "/leave"];
    let shown = flat(&piped(&home, &run, &lines).succeeded().stdout);
    assert!(shown.contains("It is too late: your last line was sent"), "{shown}");
    // What it says to do is done word for word.
    let commands: Vec<Vec<&str>> =
        shown.split('`').skip(1).step_by(2).map(|command| command.split(' ').skip(1).collect()).collect();
    let [fork, play, ..] = &commands[..] else { panic!("{commands:?}") };
    home.succeed(fork);
    piped(&home, play, &["We sailed twice.", "/leave"]).succeeded();
    let (branch, parent) =
        (home.succeed(["show", "last", "transcript"]), home.succeed(["show", fork[1], "transcript"]));
    assert!(branch.contains("I play Ada Finch.") && branch.contains("We sailed twice."), "{branch}");
    assert!(!branch.contains("We rowed once.") && parent.contains("We rowed once."), "{parent}");
    replays(&home);
}

#[test]
fn a_line_waits_on_a_terminal_until_return_or_its_time() {
    let home = Home::new();
    let start = |seed: &str, hold: &[&str]| {
        let run = ["run", "the-borrowed-boat", "--seed", seed, "--seat", "player-1"];
        let mut command = home.command([&run, hold].concat());
        command.env("TERM", "xterm").env("USER", "ada");
        Terminal::start(command)
    };
    let mut terminal = start("8", &[]);
    terminal.asked().expect("a question");
    terminal.line("I play a tpyo.");
    terminal.until("Sent in 4 s.");
    terminal.line("/again");
    terminal.until("Taken back");
    terminal.asked().expect("the same question");
    terminal.line("I play Ada Finch.");
    terminal.until("takes it back.");
    terminal.press("\r");
    assert!(terminal.asked().expect("the next question").contains("how you know"));
    terminal.line("We rowed once.");
    terminal.until("takes it back.");
    terminal.signal(Signal::INT);
    let ended = terminal.end();
    assert_eq!((ended.code, ended.restored), (Some(130), true), "{}", ended.text);
    assert!(flat(&ended.text).contains("Your last line was not sent."), "{}", ended.text);
    let transcript = home.succeed(["show", "last", "transcript"]);
    assert!(
        transcript.contains("Ada Finch")
            && !transcript.contains("tpyo")
            && !transcript.contains("rowed once")
    );
    // Whoever types nothing more has it sent.
    let mut terminal = start("9", &["--hold", "1"]);
    terminal.asked().expect("a question");
    terminal.line("I play Ada Finch.");
    terminal.asked().expect("the next question");
    terminal.line("/leave");
    assert_eq!(terminal.end().code, Some(0));
    assert!(home.succeed(["show", "last", "transcript"]).contains("I play Ada Finch."));
}

#[test]
fn ctrl_c_and_a_signal_pause_the_campaign_and_leave_the_terminal_as_it_was() {
    for how in ["key", "signal"] {
        let home = Home::new();
        let mut terminal = new_game(&home, "7", "dm");
        let screen = terminal.asked().expect("a question");
        assert!(flat(&screen).contains("Your turn: DM"), "{screen}");
        match how {
            "key" => terminal.press("half a line\u{3}"),
            _ => terminal.signal(Signal::TERM),
        }
        let ended = terminal.end();
        assert_eq!((ended.code, ended.restored), (Some(130), true), "{how}: {}", ended.text);
        assert!(home.succeed(["list"]).contains("paused"));
        assert_eq!(events(&home, "SeatReleased"), 1);
        assert!(home.succeed(["resume", "last"]).contains("The Borrowed Boat is over"));
        replays(&home);
    }
}

#[test]
fn who_was_killed_while_typing_is_asked_the_same_again() {
    let home = Home::new();
    let mut terminal = new_game(&home, "7", "player-1");
    terminal.asked().expect("a question");
    terminal.line("I play Ada Finch, who counts boats.");
    let question = terminal.asked().expect("another question");
    terminal.press("half a li");
    terminal.signal(Signal::KILL);
    assert_eq!(terminal.end().code, None);
    let again = piped(&home, &["resume", "last"], &["We rowed together once."]).succeeded();
    let asked = flat(&again.stdout);
    assert!(asked.contains("Your turn: Player 1") && asked.contains("how you know the others"), "{asked}");
    assert!(flat(&question).contains("how you know the others"), "{question}");
    assert!(!again.stderr.contains("billed twice"), "no model was asked: {}", again.stderr);
    assert!(home.succeed(["show", "last", "transcript"]).contains("We rowed together once."));
    // The end of the input gave the seat back.
    assert_eq!((events(&home, "SeatTaken"), events(&home, "SeatReleased")), (1, 1));
    assert!(home.succeed(["resume", "last"]).contains("The Borrowed Boat is over"));
    replays(&home);
}

#[test]
fn who_cannot_be_shown_a_question_is_not_waited_for() {
    let home = Home::new();
    let mut terminal = new_game(&home, "7", "player-1");
    terminal.asked().expect("a question");
    terminal.signal(Signal::KILL);
    terminal.end();
    let card = twicetold_tests::last_line(&home.succeed(["resume", "last", "--json"]));
    assert_eq!(card["state"], "over", "{card}");
    replays(&home);
}

#[test]
fn a_seat_is_taken_in_the_middle_of_a_campaign_and_given_back() {
    let home = Home::new();
    let zero = ["I play Ada Finch.", "We rowed once.", "/character Ada Finch, thief, She ran the toll."];
    let run = ["run", "the-borrowed-boat", "--seed", "8", "--seat", "player-1", "--name", "Mary"];
    let begun = piped(&home, &run, &[&zero[..], &["I look around.", "/leave"]].concat()).succeeded();
    let card = flat(&begun.stdout);
    assert!(card.contains("Paused: Mary left") && card.contains("--seat player-1"), "{card}");
    // By the first name of the character, whom a model has played since.
    let again = piped(&home, &["play", "last", "--seat", "ada"], &["I count the boats.", "/leave watch"]);
    let again = flat(&again.succeeded().stdout);
    assert!(again.contains("a person plays Ada Finch."), "{again}");
    assert!(again.contains("I look around."), "who sits down is shown what was said: {again}");
    assert!(again.contains("Ada Finch is played by its model again."), "{again}");
    assert!(again.contains("The Borrowed Boat is over"), "the models went on: {again}");
    assert!(home.succeed(["show", "last", "transcript"]).contains("I count the boats."));
    replays(&home);
}

#[test]
fn a_rejected_tool_says_why_and_what_to_do() {
    let home = Home::new();
    let lines = [
        "I play Ada.",
        "We rowed once.",
        "/character Ada Finch, thief, She ran the toll.",
        r#"/call ability_check {"character": "Ada Finch", "ability": "LUCK", "reason": "hope"}"#,
        "/dance",
        "/check STR pull the rope",
        "/check STR pull the rope",
        "/leave",
    ];
    let run = ["run", "the-borrowed-boat", "--seed", "7", "--seat", "player-1"];
    let shown = flat(&piped(&home, &run, &lines).succeeded().stdout);
    // What is certain to be rejected is answered at once, and nobody else hears of it.
    assert!(shown.contains("ability_check: ") && shown.contains("STR, DEX, CON"), "{shown}");
    assert!(!shown.contains("(unknown_ability)"), "{shown}");
    assert!(shown.contains("ability_check rejected (repeated_call)"), "{shown}");
    assert!(shown.contains("There is no command /dance."), "{shown}");
    assert!(shown.contains("[check] Ada Finch: pull the rope (STR)"), "{shown}");
    assert!(shown.contains("one more tool call ends your turn"), "{shown}");
    replays(&home);
}

#[test]
fn what_cannot_be_used_now_is_answered_at_the_prompt_and_costs_nothing() {
    let home = Home::new();
    let lines = [
        "I play Ada.",
        "We rowed once.",
        "/character Ada Finch, thief, She ran the toll.",
        "/help",
        "/roll 2d6 luck",
        "/attack the crow",
        "/call dance {}",
        "/whisper Ada hush",
        "/leave",
    ];
    let run = ["run", "the-borrowed-boat", "--seed", "7", "--seat", "player-1"];
    let shown = flat(&piped(&home, &run, &lines).succeeded().stdout);
    assert!(shown.contains("roll_dice is not available now. You can use ability_check"), "{shown}");
    assert!(shown.contains("attack is not available now."), "{shown}");
    assert!(shown.contains("There is no tool dance."), "{shown}");
    assert!(shown.contains("You would whisper to yourself."), "{shown}");
    let (now, later) = shown.split_once("Not now:").expect("the help tells them apart");
    assert!(now.contains("/check NAME") && !now.contains("/attack TARGET"), "{now}");
    assert!(later.contains("/roll 2d6") && later.contains("/attack TARGET"), "{later}");
    assert!(!shown.contains("Tools left in this turn"), "{shown}");
    assert_eq!(events(&home, "ToolRejected"), 0);
    replays(&home);
}

#[test]
fn the_help_names_what_is_legal_now_within_the_width_of_a_terminal() {
    let home = Home::new();
    let lines = [
        "I play Ada.",
        "We rowed once.",
        "/character Ada Finch, thief, She ran the toll.",
        "/help",
        "/tools",
        "/leave",
    ];
    let run = ["run", "the-borrowed-boat", "--seed", "7", "--seat", "player-1"];
    let stdout = piped(&home, &run, &lines).succeeded().stdout;
    let (_, shown) = stdout.split_once("Each line that you type").expect("the help");
    for line in shown.lines() {
        assert!(line.chars().count() <= 80, "{line}");
    }
    let shown = flat(shown);
    for told in [
        "check: follow the bent reeds, talk gently to Tilda, bring the ferry back before the bell",
        "ability: STR, DEX, CON, INT, WIS, CHA",
        "character now: Ada Finch",
    ] {
        assert!(shown.contains(told), "{told:?} is not in {shown}");
    }
    assert!(!shown.contains("difficulty (may"), "how hard something is, is not a player's to say: {shown}");
    // Nobody fights, and a player names no attacker.
    assert!(!shown.contains("attacker"), "{shown}");
}

#[test]
fn a_player_never_reads_a_hidden_goal_a_note_of_the_dms_or_anothers_secret() {
    // The first of them in which something is hidden, and the player has turns enough to look at every page.
    let found = (72..120).find(|seed| {
        let home = Home::new();
        let run = ["run", "one-lantern-short", "--seat", "player-1", "--seed", &seed.to_string()];
        let lines: Vec<String> = (0..200)
            .flat_map(|turn| {
                [format!("I wait and see, {turn}."), "/party".into(), "/goals".into(), "/who".into()]
            })
            .collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let shown = piped(&home, &run, &lines).succeeded().stdout;
        let pages = knows_no_more_than_a_player(&home, &flat(&shown));
        replays(&home);
        pages
            && events(&home, "GoalRegistered") > 0
            && events(&home, "FlagSet") + events(&home, "NudgeGiven") > 0
    });
    assert!(found.is_some(), "nothing was hidden from the player, or no page was shown");
}

/// Whether the player looked at the pages, none of which says too much.
fn knows_no_more_than_a_player(home: &Home, shown: &str) -> bool {
    // How it ended is told in the DM's own words.
    let (before, _) = shown.split_once("★ The encounter is over.").unwrap_or((shown, ""));
    let mut hidden =
        vec!["New hidden goal".to_owned(), "[reminder]".into(), "[note]".into(), "DM_ONLY".into()];
    for page in document(home, "goals")["encounters"].as_array().expect("pages") {
        // The goal that was reached is what the DM's last words tell of.
        let goals = page["goals"].as_array().expect("goals").iter();
        let labels = goals.filter(|goal| goal["reached"] != true);
        hidden.extend(labels.map(|goal| flat(goal["label"].as_str().expect("a label"))));
    }
    for page in document(home, "characters")["characters"].as_array().expect("pages") {
        if page["seat"] != "player-1" {
            hidden.push(flat(page["secret"].as_str().expect("a secret")));
        }
    }
    let party = document(home, "party");
    hidden.push(flat(party["scenario_for_the_dm"].as_str().expect("the DM's part")));
    for section in party["sections"].as_array().expect("sections") {
        if section["section"] == "secrets" {
            hidden.extend(section["text"].as_str().expect("a text").lines().map(flat));
        }
    }
    for text in hidden.iter().filter(|text| text.len() > 5) {
        assert!(!before.contains(text), "a player reads {text:?}");
    }
    before.contains("Objective") && before.contains("relationships")
}

#[test]
fn the_dm_reads_what_is_hidden_and_uses_every_tool() {
    let home = Home::new();
    let begin = piped(&home, &["run", "the-borrowed-boat", "--seed", "7", "--seat", "player-1"], &["/leave"]);
    begin.succeeded();
    // The models play until the first scene; then a person is the DM.
    let lines = [
        "Who are you? Player 1, tell us.",
        "And you, Player 2?",
        "PITCH COMPLETE",
        "How do you know each other, Player 1?",
        "And you, Player 2?",
        "CONVERGENCE COMPLETE",
    ];
    let lines =
        [&lines[..], &["Your sheet, Player 1?", "Your sheet, Player 2?", "SESSION ZERO LOCKED"]].concat();
    let more =
        ["Go on, Player 1.", "Go on, Player 2.", "The river is there. Player 1?", "/goals", "/tools", "/who"];
    let last = [r#"/call record_event {"kind": "notable", "text": "The DM is a person."}"#, "/leave"];
    let lines = [&lines[..], &more[..], &last[..]].concat();
    let shown = flat(&piped(&home, &["play", "last", "--seat", "dm"], &lines).succeeded().stdout);
    assert!(shown.contains("boat-back-in-time (primary)"), "{shown}");
    assert!(shown.contains("record_event Record what is worth"), "{shown}");
    assert!(shown.contains("[event] The DM is a person."), "{shown}");
    assert!(home.succeed(["resume", "last"]).contains("is over"));
    replays(&home);
}

#[test]
fn a_seat_that_is_not_there_and_a_campaign_that_cannot_be_played_are_told_plainly() {
    let home = Home::new();
    home.run(["play", "last", "--seat", "dm"]).failed(7, &["no campaign"]);
    let run = home.run(["run", "the-borrowed-boat", "--seat", "player-9"]);
    run.failed(2, &["no seat \"player-9\"", "the seats are dm, player-1, player-2"]);
    assert!(home.campaigns().is_empty(), "nothing was opened");
    let mut terminal = new_game(&home, "7", "player-1");
    terminal.asked().expect("a question");
    home.run(["play", "last", "--seat", "dm"]).failed(6, &["stop the other process"]);
    terminal.line("/leave");
    assert_eq!(terminal.end().code, Some(0));
    home.run(["play", "last", "--seat", "Nobody"]).failed(2, &["the seats are dm, player-1, player-2"]);
    home.succeed(["resume", "last"]);
    home.run(["play", "last", "--seat", "dm"]).failed(2, &["is over"]);
}

#[test]
fn without_colours_nothing_but_the_editor_moves_the_cursor() {
    let home = Home::new();
    let mut command = home.command(["run", "the-borrowed-boat", "--seed", "7", "--seat", "player-1"]);
    command.env("TERM", "xterm").env("NO_COLOR", "1");
    let mut terminal = Terminal::start(command);
    terminal.asked().expect("a question");
    terminal.line("/help");
    terminal.asked().expect("the same question");
    terminal.line("/leave");
    let ended = terminal.end();
    let coloured = ended.text.match_indices("\u{1b}[").find(|(at, _)| {
        let code = ended.text[at + 2..].trim_start_matches(|c: char| c.is_ascii_digit() || c == ';');
        code.starts_with('m')
    });
    assert_eq!(coloured, None, "{:?}", ended.text);
    assert!(ended.text.contains("/leave watch"), "{}", ended.text);
}

/// A play in which player 1 whispers, and talks apart with Wren.
fn secrets() -> Performance {
    let whisper = r#"{"to":"Player 2","text":"The reeve is lying."}"#;
    let lookup = r#"{"path":"checks/helping"}"#;
    Script::of(Game::new(31))
        .line(Who::Dm, "Player 1, Wren looks up. What do you do?", &[])
        .line(Who::Seat(1), "", &[("whisper", whisper), ("lookup_rules", lookup), ("whisper", "{}")])
        .line(Who::Seat(1), "I go over to Wren.", &[])
        .line(Who::Dm, "She puts the brush down.", &[("start_dialogue", r#"{"character_id":"wren-pellow"}"#)])
        .line(Who::Seat(1), "Tell me about the boat.", &[])
        .line(Who::Companion, "The heron flies at nine.", &[("end_dialogue", "{}")])
        .line(Who::Memory, "They spoke of birds.", &[])
        .play()
}

/// What a seat hears of a play, told from its journal.
fn told(play: &Performance, seat: Seat) -> (Vec<Line>, Vec<Line>) {
    let source = play.played.source();
    let (charter, setup) = charter_of(source).expect("a charter");
    let mut campaign = Campaign::new(charter, setup).expect("it is sound");
    let mut lines = Vec::new();
    let mut when_asked = Vec::new();
    for entry in entries(source).expect("entries") {
        let entry = entry.expect("an entry");
        let pending = campaign.state().calls().pending.as_ref().map(|pending| pending.seat);
        campaign.fold(&entry).expect("it fits");
        let own = entry.input.call().is_some() && pending == Some(seat);
        lines.extend(heard(campaign.state(), campaign.replies(), &entry, seat, own));
        if campaign.state().dialogue().is_some() {
            when_asked = recent(campaign.state(), campaign.replies(), seat, 40);
        }
    }
    (lines, when_asked)
}

fn hears(lines: &[Line], text: &str) -> bool {
    lines.iter().any(|line| line.text.contains(text))
}

#[test]
fn whispers_talks_apart_and_what_tools_told_are_shown_to_those_alone_who_were_part_of_them() {
    let play = secrets();
    let (whispered, talked, looked_up) =
        ("The reeve is lying.", "Tell me about the boat.", "[rules] checks/helping");
    for (seat, heard) in [
        (Seat::Player(1), [true, true, true]),
        (Seat::Player(2), [true, false, false]),
        (Seat::Player(3), [false, false, false]),
        (Seat::Dm, [false, true, false]),
    ] {
        let (lines, sat_down) = told(&play, seat);
        assert_eq!([whispered, talked, looked_up].map(|text| hears(&lines, text)), heard, "{seat}");
        assert_eq!([whispered, talked].map(|text| hears(&sat_down, text)), heard[..2], "{seat} sits down");
        assert_eq!(hears(&lines, "whisper rejected"), seat == Seat::Player(1), "{seat}");
        assert_eq!(hears(&lines, "They spoke of birds."), heard[1], "{seat}");
        assert!(hears(&lines, "I go over to Wren."), "everybody hears what is said aloud");
    }
}
