//! Plays many seeds in memory, replays each, and says what happened: `sweep COUNT [chaos] [FIRST]`.

use std::collections::BTreeMap;

use twicetold_event::Event;
use twicetold_session::{Verdict, replay};
use twicetold_tests::{Game, Played};
use twicetold_world::Life;

pub fn main(words: &[String]) {
    let count: u64 = words.first().and_then(|count| count.parse().ok()).unwrap_or(50);
    let chaos = words.iter().any(|argument| argument == "chaos");
    let first: u64 = words.get(2).and_then(|first| first.parse().ok()).unwrap_or(1);
    let mut tally = Tally::default();
    for seed in first..first + count {
        let game = Game::new(seed);
        let played = if chaos { game.chaotic() } else { game.improvised() };
        tally.add(seed, &played);
    }
    tally.print(count);
    std::process::exit(i32::from(tally.failures > 0));
}

#[derive(Default)]
struct Tally {
    endings: BTreeMap<String, u32>,
    tools: BTreeMap<String, u32>,
    repeated: u32,
    unfair: u32,
    failures: u32,
    turns: u64,
    calls: u64,
}

impl Tally {
    fn add(&mut self, seed: u64, played: &Played) {
        let state = played.session.campaign().state();
        let ending = match state.encounters_over().last() {
            Some(end) => match &end.outcome {
                Some((id, _)) if id.starts_with("dynamic_") => "resolved by a registered goal".to_owned(),
                Some((id, _)) => format!("resolved by {id}"),
                None => "unresolved".to_owned(),
            },
            None => "no encounter".to_owned(),
        };
        if !matches!(state.life(), Life::Ended { .. }) {
            println!("seed {seed}: {:?}", state.life());
            self.failures += 1;
        }
        *self.endings.entry(ending).or_default() += 1;
        for event in &played.events {
            let key = match event {
                Event::ToolAccepted(word) => format!("{} accepted", word.tool),
                Event::ToolRejected(word) => format!("rejected {}", word.rule),
                Event::ReplyRejected(word) => format!("rejected {}", word.rule),
                Event::SpeechCut(word) => format!("cut {:?}", word.rule),
                Event::CallAbandoned(word) => format!("abandoned {:?}", word.fault),
                Event::MarkerIgnored(word) => format!("marker ignored {:?}", word.why),
                Event::CharacterRejected(_) => "sheet rejected".into(),
                Event::MarkerRejected(_) => "marker rejected".into(),
                _ => continue,
            };
            *self.tools.entry(key).or_default() += 1;
        }
        self.repeats(seed, played);
        self.fairness(seed, played);
        self.turns += u64::from(state.turn().number);
        self.calls += u64::from(played.calls);
        match replay(played.source(), None) {
            Ok(report) if matches!(report.verdict, Verdict::Identical) => {}
            Ok(_) => {
                println!("seed {seed}: the replay diverges");
                self.failures += 1;
            }
            Err(error) => {
                println!("seed {seed}: {error}");
                self.failures += 1;
            }
        }
    }

    fn repeats(&mut self, seed: u64, played: &Played) {
        let mut seen: BTreeMap<&str, u32> = BTreeMap::new();
        for line in played.transcript.iter().filter(|line| !line.speaker.is_empty()) {
            for sentence in line.text.split_inclusive(['.', '!', '?']).map(str::trim) {
                if sentence.chars().count() > 40 {
                    *seen.entry(sentence).or_default() += 1;
                }
            }
        }
        for (sentence, count) in seen.into_iter().filter(|(_, count)| *count > 2) {
            self.repeated += 1;
            if self.repeated <= 20 {
                println!("seed {seed}: {count} times: {sentence}");
            }
        }
    }

    fn fairness(&mut self, seed: u64, played: &Played) {
        let mut turns: BTreeMap<String, u32> = BTreeMap::new();
        for event in &played.events {
            if let Event::TurnBegan(word) = event
                && matches!(word.seat, twicetold_event::Seat::Player(_))
            {
                *turns.entry(word.seat.to_string()).or_default() += 1;
            }
        }
        let total: u32 = turns.values().sum();
        if turns.len() < 3 || turns.values().any(|count| count * 100 < total * 15) {
            self.unfair += 1;
            println!("seed {seed}: turns {turns:?}");
        }
    }

    fn print(&self, count: u64) {
        for (ending, times) in &self.endings {
            println!("{times:>5}  {ending}");
        }
        for (what, times) in &self.tools {
            println!("{times:>7}  {what}");
        }
        let (turns, calls) = (self.turns / count, self.calls / count);
        println!(
            "{count} campaigns, {turns} turns and {calls} calls each; {} sentences said more than twice; {} unfair; {} failures",
            self.repeated, self.unfair, self.failures
        );
    }
}
