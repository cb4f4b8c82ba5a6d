//! The rounds as Markdown: targets beside what was measured, and what it is made of.

use std::ops::Range;

use crate::measure::{Spent, mean, median};
use crate::round::{Round, Tables, growth_from};

/// Bytes that the workload's own events take in a raw log, for each turn.
const RAW_BYTES_A_TURN: f64 = 809.0;

/// Prints all tables.
pub fn print(rounds: &[Round], turns: u32) {
    targets(rounds, turns);
    makeup(rounds, turns);
    growth(rounds, turns);
}

/// Prints a line of JSON for each measurement: milliseconds of a turn as means, and the bytes that it takes on the disk.
pub fn lines(round: &Round, turns: u32) {
    let line = |what: &str, spent: &[Spent], stored: Option<u64>| {
        let (wall, cpu) = spent.iter().fold((0, 0), |(wall, cpu), one| (wall + one.wall, cpu + one.cpu));
        let a_turn = |nanoseconds: u64| nanoseconds as f64 / f64::from(turns) / 1e6;
        let line = serde_json::json!({
            "what": what, "turns": turns, "wall": a_turn(wall), "cpu": a_turn(cpu),
            "bytes": stored.map(|bytes| bytes as f64 / f64::from(turns)),
            "version": concat!("twicetold ", env!("CARGO_PKG_VERSION")),
        });
        println!("{line}");
    };
    line("Twicetold", &of_turns(round), Some(round.closed));
    line("Twicetold, through its actors", &round.actors, None);
    line("Twicetold: loading it again, its chain checked", &round.folds[..1], None);
    line("Twicetold: replaying it, every request compared", &round.replays[..1], None);
    line("a growing log of W1's own events", &round.raw, Some(round.raw_bytes));
}

fn over(rounds: &[Round], figure: impl Fn(&Round) -> f64) -> f64 {
    median(rounds.iter().map(figure))
}

fn per_second(count: u64, spent: &[Spent]) -> f64 {
    count as f64 / median(spent.iter().map(|spent| spent.cpu as f64)) * 1e9
}

/// Median milliseconds of CPU of these turns.
fn cpu(spent: &[Spent], turns: Range<usize>) -> f64 {
    median(spent[turns].iter().map(|spent| spent.cpu as f64)) / 1e6
}

fn mean_cpu(spent: &[Spent]) -> f64 {
    mean(&spent.iter().map(|spent| spent.cpu as f64).collect::<Vec<_>>()) / 1e6
}

fn wall(spent: &[Spent]) -> f64 {
    median(spent.iter().map(|spent| spent.wall as f64)) / 1e6
}

fn mean_wall(spent: &[Spent]) -> f64 {
    mean(&spent.iter().map(|spent| spent.wall as f64).collect::<Vec<_>>()) / 1e6
}

fn of_turns(round: &Round) -> Vec<Spent> {
    round.turns.iter().map(|turn| turn.spent).collect()
}

/// Time for each call: what one commit costs with everything around it.
fn of_calls(round: &Round) -> Vec<Spent> {
    let share = |turn: &crate::table::Turn| {
        let calls = u64::from(turn.calls.max(1));
        Spent { wall: turn.spent.wall / calls, cpu: turn.spent.cpu / calls }
    };
    round.turns.iter().map(share).collect()
}

struct Row {
    target: &'static str,
    measured: String,
    ratio: f64,
    most: f64,
}

fn targets(rounds: &[Round], turns: u32) {
    let turns = turns as usize;
    let (early, late) = (turns / 10..turns / 5, turns - turns / 10..turns);
    // The rounds meet different neighbours on the machine, so each is compared with itself.
    let flat = |spent: &dyn Fn(&Round) -> Vec<Spent>| {
        let early = |round: &Round| cpu(&spent(round), early.clone());
        let late = |round: &Round| cpu(&spent(round), late.clone());
        let figures = format!("{:.4} ms against {:.4} ms", over(rounds, late), over(rounds, early));
        (figures, over(rounds, |round| late(round) / early(round)))
    };
    let against = |ours: &dyn Fn(&Round) -> f64, floor: &dyn Fn(&Round) -> f64| {
        let figures = format!("{:.3} ms against {:.3} ms", over(rounds, ours), over(rounds, floor));
        (figures, over(rounds, |round| ours(round) / floor(round)))
    };
    let (flat_turn, flat_turn_ratio) = flat(&of_turns);
    let (flat_actors, flat_actors_ratio) = flat(&|round: &Round| round.actors.clone());
    let (turn_wall, turn_ratio) = against(&|round| wall(&of_turns(round)), &|round| wall(&round.raw));
    let (call_wall, call_ratio) = against(&|round| wall(&of_calls(round)), &|round| wall(&round.same_bytes));
    let cpu_call = over(rounds, |round| {
        let calls: u32 = round.turns.iter().map(|turn| turn.calls).sum();
        mean_cpu(&of_turns(round)) * turns as f64 / f64::from(calls)
    });
    let fold = over(rounds, |round| per_second(round.numbers.0, &round.folds));
    let replayed = over(rounds, |round| per_second(turns as u64, &round.replays));
    let requests = over(rounds, |round| per_second(round.requests, &round.replays));
    let from = growth_from(turns as u32);
    let grown = over(rounds, |round| grown(round, from, turns as u32));
    let rows = [
        Row {
            target: "CPU a turn, last tenth against second tenth, at most 1.05×",
            measured: flat_turn,
            ratio: flat_turn_ratio,
            most: 1.05,
        },
        Row {
            target: "the same through the actors",
            measured: flat_actors,
            ratio: flat_actors_ratio,
            most: 1.05,
        },
        Row {
            target: "wall of a durable turn, at most 1.5× the raw log's",
            measured: turn_wall,
            ratio: turn_ratio,
            most: 1.5,
        },
        Row {
            target: "wall of a durable call, at most 1.5× the same bytes in a raw log",
            measured: call_wall,
            ratio: call_ratio,
            most: 1.5,
        },
        Row {
            target: "CPU a call (mean), at most 0.2 ms",
            measured: format!("{cpu_call:.4} ms"),
            ratio: cpu_call / 0.2,
            most: 1.0,
        },
        Row {
            target: "verified fold, at least 1.5 M numbers a second and core",
            measured: format!("{:.0} k/s", fold / 1e3),
            ratio: 1.5e6 / fold,
            most: 1.0,
        },
        Row {
            target: "replay, at least 25,000 turns a second and core",
            measured: format!("{replayed:.0}/s, {requests:.0} requests/s"),
            ratio: 2.5e4 / replayed,
            most: 1.0,
        },
        Row {
            target: "growth of the file, at most 1.1 × 809 bytes a turn",
            measured: format!("{grown:.0} bytes"),
            ratio: grown / RAW_BYTES_A_TURN,
            most: 1.1,
        },
    ];
    println!("\n| target | measured | ratio | at most | met |\n|---|---|---|---|---|");
    for Row { target, measured, ratio, most } in rows {
        let met = if ratio <= most { "yes" } else { "**no**" };
        println!("| {target} | {measured} | {ratio:.2} | {most:.2} | {met} |");
    }
}

fn makeup(rounds: &[Round], turns: u32) {
    let Some(last) = rounds.last() else { return };
    let calls: u32 = last.turns.iter().map(|turn| turn.calls).sum();
    let summaries: u32 = last.turns.iter().map(|turn| turn.summaries).sum();
    let prompts: u64 = last.turns.iter().map(|turn| turn.prompt_bytes).sum();
    let turns = f64::from(turns);
    println!("\n| what | figure |\n|---|---|");
    println!("| turns, calls, summaries among them | {turns:.0}, {calls}, {summaries} |");
    println!("| calls and commits a turn | {:.3} |", f64::from(calls) / turns);
    let texts: u64 = last.turns.iter().map(|turn| turn.text_bytes).sum();
    println!(
        "| mean HTTP body of a call, words in it | {:.0}, {:.0} bytes |",
        prompts as f64 / f64::from(calls),
        texts as f64 / f64::from(calls)
    );
    println!("| numbers (inputs and events) a turn | {:.2} |", last.numbers.0 as f64 / turns);
    if let Some(flushes) = last.flushes {
        println!("| device flushes a commit, everybody's | {:.2} |", flushes as f64 / f64::from(calls));
    }
    let line = |name: &str, spent: &dyn Fn(&Round) -> Vec<Spent>| {
        let (wall, mean_wall) =
            (over(rounds, |round| wall(&spent(round))), over(rounds, |round| mean_wall(&spent(round))));
        let cpu = over(rounds, |round| mean_cpu(&spent(round)));
        println!("| {name}: wall median, mean; CPU mean | {wall:.3}, {mean_wall:.3}; {cpu:.4} ms |");
    };
    line("a turn", &of_turns);
    line("of it: request, HTTP body and its digest, reply read", &|round| {
        round.turns.iter().map(|turn| turn.wire).collect()
    });
    line("of it: append", &|round| round.turns.iter().map(|turn| turn.append).collect());
    line("a turn through the actors", &|round| round.actors.clone());
    line("a turn without a roll or a summary", &|round| {
        round.turns.iter().filter(|turn| turn.calls == 1).map(|turn| turn.spent).collect()
    });
    line("a turn with a roll", &|round| {
        round.turns.iter().filter(|turn| turn.calls - turn.summaries == 2).map(|turn| turn.spent).collect()
    });
    line("floor, W1's own events a turn, growing raw log", &|round| round.raw.clone());
    line("floor, the same in a file of zeros", &|round| round.zeroed.clone());
    line("floor, the same as one value of redb", &|round| round.rows.clone());
    line("floor, our entries, growing raw log, a commit", &|round| round.same_bytes.clone());
    let raw = over(rounds, |round| per_second(round.raw_folds.0, &round.raw_folds.1));
    println!("| floor, fold of W1's own events, chain checked | {:.0} k/s |", raw / 1e3);
    println!("| floor, bytes of W1's own events a turn | {:.0} |", last.raw_bytes as f64 / turns);
}

fn grown(round: &Round, from: u32, to: u32) -> f64 {
    between(&round.file, from, to)
}

fn between(series: &std::collections::BTreeMap<u32, u64>, from: u32, to: u32) -> f64 {
    let at = |turn| series.get(&turn).copied().unwrap_or(0) as f64;
    (at(to) - at(from)) / f64::from(to - from)
}

fn growth(rounds: &[Round], turns: u32) {
    let Some(last) = rounds.last() else { return };
    let from = growth_from(turns);
    let none = Tables::new();
    let (early, late) = (last.tables.get(&from).unwrap_or(&none), last.tables.get(&turns).unwrap_or(&none));
    println!(
        "\n| bytes a turn, turns {from} to {turns} | stored | structure of pages | unused in pages |\n|---|---|---|---|"
    );
    let mut sum = 0.0;
    for (name, stored) in late {
        let early = early.get(name).copied().unwrap_or_default();
        let share: Vec<f64> = stored
            .iter()
            .zip(early)
            .map(|(late, early)| (*late as f64 - early as f64) / f64::from(turns - from))
            .collect();
        sum += share.iter().sum::<f64>();
        println!("| {name} | {:.1} | {:.1} | {:.1} |", share[0], share[1], share[2]);
    }
    let file = grown(last, from, turns);
    println!("| free pages and redb's own | {:.1} | | |", file - sum);
    println!("| the file while it is played | {file:.1} | | |");
    println!(
        "| the file after it was closed, a turn over all | {:.1} | | |",
        last.closed as f64 / f64::from(turns)
    );
    println!("| entries before compression | {:.1} | | |", between(&last.plain, from, turns));
    println!(
        "| blobs before compression, over all | {:.1} ({} blobs) | | |",
        last.blobs.0 as f64 / f64::from(turns),
        last.blobs.1
    );
    let sizes: Vec<String> = last
        .file
        .iter()
        .filter(|(turn, _)| **turn % (turns / 10).max(1) == 0)
        .map(|(turn, bytes)| format!("{turn}: {}", bytes / 1024))
        .collect();
    println!("\nKiB of the file by turns: {}", sizes.join(", "));
}
