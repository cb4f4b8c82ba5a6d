//! Ways to spoil a well-behaved transcript, one for each detector. They know nothing of how detectors look.

use std::collections::BTreeSet;

use twicetold_audit::{Audience, Call, Channel, Kind, Line, Note, NoteKind, Roll, RollKind, Transcript};

/// Numbers from a seed: the same on every machine.
pub struct Random(pub u64);

impl Random {
    /// The next number below `below`, which must not be 0.
    pub fn below(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) as usize % below
    }

    fn pick<'a, T>(&mut self, items: &'a [T]) -> Option<&'a T> {
        (!items.is_empty()).then(|| &items[self.below(items.len())])
    }
}

/// A way to spoil a transcript.
pub struct Mutation {
    /// The detector that should find it.
    pub detector: &'static str,
    /// What is done, in a few words.
    pub what: &'static str,
    /// Does it; gives a number that a finding must name, or none where there is nothing to spoil.
    pub spoil: fn(&mut Transcript, &mut Random) -> Option<u64>,
}

/// Every mutation.
pub const MUTATIONS: &[Mutation] = &[
    Mutation { detector: "unrolled", what: "a result is invented in prose", spoil: invent_a_result },
    Mutation { detector: "mechanics", what: "an outcome is told the other way round", spoil: turn_around },
    Mutation { detector: "after-failure", what: "a failed check pays out all the same", spoil: pay_out },
    Mutation { detector: "turn-order", what: "a player acts in another's turn", spoil: act_out_of_turn },
    Mutation { detector: "puppets", what: "a player speaks for another", spoil: speak_for_another },
    Mutation {
        detector: "idle-roll",
        what: "the narrator rolls for somebody silent",
        spoil: roll_for_the_silent,
    },
    Mutation { detector: "knowledge", what: "a secret sentence in another's mouth", spoil: leak },
    Mutation { detector: "failing-calls", what: "one call fails two to five times", spoil: fail_again },
    Mutation { detector: "unseen", what: "a fact is written and never shown", spoil: hide_a_fact },
    Mutation { detector: "dormant", what: "a promise is made and forgotten", spoil: forget_a_promise },
    Mutation {
        detector: "objective",
        what: "an objective is stated and forgotten",
        spoil: forget_the_objective,
    },
    Mutation { detector: "ending", what: "the last foe falls and nothing ends", spoil: never_end },
    Mutation { detector: "plot-loops", what: "an event happens again as if new", spoil: happen_again },
    Mutation { detector: "loops", what: "a sentence is said two to five times", spoil: say_again },
    Mutation { detector: "spotlight", what: "most lines of a player are taken away", spoil: silence },
    Mutation { detector: "dice", what: "three to eight equal faces in a row", spoil: load_the_dice },
    Mutation { detector: "budget", what: "prompts of the last quarter grow", spoil: grow },
];

/// Places of lines of the game by voices of this kind.
fn lines(transcript: &Transcript, kind: Kind) -> Vec<usize> {
    let lines = transcript.lines.iter().enumerate();
    let lines =
        lines.filter(|(_, line)| line.channel == Channel::Table && transcript.kind(&line.voice) == kind);
    lines.map(|(place, _)| place).collect()
}

fn first_name(transcript: &Transcript, voice: &str) -> String {
    let names = transcript.voices.get(voice).map(|voice| voice.names.as_slice()).unwrap_or_default();
    names.last().cloned().unwrap_or_default()
}

fn players(transcript: &Transcript) -> Vec<String> {
    transcript.players().map(|(name, _)| name.to_owned()).collect()
}

fn invent_a_result(transcript: &mut Transcript, random: &mut Random) -> Option<u64> {
    let place = *random.pick(&lines(transcript, Kind::Narrator))?;
    let who = first_name(transcript, random.pick(&players(transcript))?);
    let number = 1 + random.below(20);
    let claim = match random.below(8) {
        0 => format!("{who} rolls a {number} on the search."),
        1 => format!("With a roll of {number}, {who} gets by unseen."),
        2 => format!("A natural {number} for {who}!"),
        3 => format!("[1d20: {number}] It will do."),
        4 => format!("{who} takes {number} points of damage from the fall."),
        5 => format!("That was a {number}, just enough against DC {number}."),
        6 => format!("The die comes up {number} and {who} grins."),
        _ => format!("{who} rolled {number} for courage and ran."),
    };
    let line = &mut transcript.lines[place];
    line.text = format!("{} {claim}", line.text);
    Some(line.number)
}

/// A check of a player that the narrator tells of right away: the place of that line, the player, and whether it succeeded.
fn told_checks(transcript: &Transcript) -> Vec<(usize, String, bool)> {
    let told = |roll: &Roll| {
        let roller = roll.roller.clone().filter(|roller| transcript.kind(roller) == Kind::Player)?;
        let success = roll.success?;
        let lines = lines(transcript, Kind::Narrator);
        let after = |place: &usize| transcript.lines[*place].number > roll.number;
        let place = lines.into_iter().find(after)?;
        (transcript.lines[place].turn <= roll.turn + 1).then_some((place, roller, success))
    };
    transcript.rolls.iter().flatten().filter_map(told).collect()
}

fn pay_out(transcript: &mut Transcript, random: &mut Random) -> Option<u64> {
    let mut failed = told_checks(transcript);
    failed.retain(|(_, _, success)| !success);
    let (place, roller, _) = random.pick(&failed)?.clone();
    let (attempt, effect) = match random.below(5) {
        0 => ("I pick the lock of the gate.", "The lock clicks, and the gate swings open."),
        1 => ("I search the desk for letters.", "In the second drawer you find a hidden letter."),
        2 => ("I try to steal the amulet.", "The amulet slides into your hand."),
        3 => (
            "I ask the ferryman about the fire.",
            "The ferryman tells you everything about the night of the fire.",
        ),
        _ => ("I talk him into lending me the boat.", "So the boat is theirs for the day, oars and all."),
    };
    let before = transcript.lines[..place].iter_mut().rev().find(|line| line.voice == roller)?;
    before.text = attempt.to_owned();
    let line = &mut transcript.lines[place];
    line.text = effect.to_owned();
    Some(line.number)
}

fn turn_around(transcript: &mut Transcript, random: &mut Random) -> Option<u64> {
    let told = told_checks(transcript);
    let (place, roller, success) = random.pick(&told)?.clone();
    let who = first_name(transcript, &roller);
    let text = match (success, random.below(5)) {
        (false, 0) => format!("{who} succeeds, and everybody sees it."),
        (false, 1) => format!("It is a complete success for {who}. The way lies open."),
        (false, 2) => format!("{who} manages to do it after all."),
        (false, 3) => format!("{who} pulls it off without a scratch."),
        (false, _) => format!("And {who} makes it look easy: the thing is done."),
        (true, 0) => format!("{who} fails, and everybody sees it."),
        (true, 1) => format!("It goes wrong for {who}. The way is shut."),
        (true, 2) => format!("{who} tries in vain, and has to give up."),
        (true, 3) => format!("It comes to nothing, {who}."),
        (true, _) => format!("{who} stands there with empty hands and a red face."),
    };
    let line = &mut transcript.lines[place];
    line.text = text;
    Some(line.number)
}

/// An order of initiative in one of the narrator's lines, and three turns after it, one of them another's.
fn act_out_of_turn(transcript: &mut Transcript, random: &mut Random) -> Option<u64> {
    transcript.foreign = true;
    let mut early = lines(transcript, Kind::Narrator);
    early.truncate(early.len() / 2);
    let place = *random.pick(&early)?;
    let names = players(transcript);
    let [first, second, third, ..] = names.as_slice() else { return None };
    let called: Vec<String> = [first, second, third].map(|voice| first_name(transcript, voice)).into();
    transcript.lines[place].text = match random.below(3) {
        0 => format!("Initiative: {} 19, {} 14, {} 8.", called[0], called[1], called[2]),
        1 => format!(
            "Roll for initiative! The turn order:\n1. {}\n2. {}\n3. {}",
            called[0], called[1], called[2]
        ),
        _ => format!("It comes to blows, in this order: {}, {}, {}.", called[0], called[1], called[2]),
    };
    let mut wrong = None;
    let turns =
        [(first, "I strike at the nearest of them."), (third, "I strike as well!"), (second, "I shoot.")];
    let mut from = place + 1;
    for (voice, action) in turns {
        let at = (from..transcript.lines.len()).find(|at| transcript.lines[*at].channel == Channel::Table)?;
        let line = &mut transcript.lines[at];
        line.voice.clone_from(voice);
        line.text = action.to_owned();
        if voice == third {
            wrong = Some(line.number);
        }
        from = at + 1;
    }
    wrong
}

fn forget_the_objective(transcript: &mut Transcript, random: &mut Random) -> Option<u64> {
    transcript.foreign = true;
    let place = *lines(transcript, Kind::Narrator).first()?;
    let text = match random.below(4) {
        0 => "Your mission: recover the platinum sextant from the observatory.",
        1 => "Objective: escort the cartographer to the observatory before the eclipse.",
        2 => "You must deliver the vaccine to the quarantined lighthouse.",
        _ => "Somebody ought to look after the quarantined lighthouse.",
    };
    let line = &mut transcript.lines[place];
    line.text = format!("{} {text}", line.text);
    Some(line.number)
}

fn never_end(transcript: &mut Transcript, random: &mut Random) -> Option<u64> {
    let narrated = lines(transcript, Kind::Narrator);
    let place = *narrated.get(narrated.len() / 2)?;
    let text = match random.below(4) {
        0 => "The last goblin falls.",
        1 => "All of the bandits are dead.",
        2 => "The troll crashes to the ground, dead.",
        _ => "There is nobody left who would lift a sword against you.",
    };
    let line = &mut transcript.lines[place];
    line.text = text.to_owned();
    let number = line.number;
    for line in &mut transcript.lines[place + 1..] {
        line.text = "I attack once more.".to_owned();
    }
    Some(number)
}

fn happen_again(transcript: &mut Transcript, random: &mut Random) -> Option<u64> {
    let narrated = lines(transcript, Kind::Narrator);
    let (first, second) = (*narrated.get(1)?, *narrated.get(narrated.len().checked_sub(3)?)?);
    if second < first + 9 {
        return None;
    }
    let (before, after) = match random.below(4) {
        0 => (
            "A courier bursts in: the granary at Osterley has burned.",
            "A breathless courier tells you that the granary at Osterley has burned.",
        ),
        1 => (
            "You find the abbey's reliquary empty, its golden finger stolen.",
            "The reliquary of the abbey is empty: somebody has stolen the golden finger.",
        ),
        2 => (
            "You find a torn ticket for the midnight steamer in the coat.",
            "In the coat you discover a torn ticket for the midnight steamer.",
        ),
        _ => ("Old Wenlock is dead in his chair.", "They have killed the old man upstairs."),
    };
    for (place, text) in [(first, before), (second, after)] {
        let line = &mut transcript.lines[place];
        line.text = format!("{} {text}", line.text);
    }
    Some(transcript.lines[second].number)
}

fn speak_for_another(transcript: &mut Transcript, random: &mut Random) -> Option<u64> {
    let place = *random.pick(&lines(transcript, Kind::Player))?;
    let mut others = players(transcript);
    others.retain(|other| *other != transcript.lines[place].voice);
    let who = first_name(transcript, random.pick(&others)?);
    let words = match random.below(6) {
        0 => format!("\n{who}: I will carry the crown myself, gladly."),
        1 => format!("\n**{who}:** \"Give me the crown, quickly!\""),
        2 => format!(" \"I never wanted that crown,\" {who} says."),
        3 => format!(" {who} replies, \"Let us sell that crown.\""),
        4 => format!(" {who} agrees to sell the crown."),
        _ => format!(" And {who} walks off with the crown under one arm."),
    };
    let line = &mut transcript.lines[place];
    line.text += &words;
    Some(line.number)
}

fn roll_for_the_silent(transcript: &mut Transcript, random: &mut Random) -> Option<u64> {
    let narrator = transcript.voices.iter().find(|(_, voice)| voice.kind == Kind::Narrator)?.0.clone();
    let names = players(transcript);
    let round = 2 * names.len() as u32;
    let mut silent = Vec::new();
    for place in lines(transcript, Kind::Narrator) {
        let line = &transcript.lines[place];
        for name in &names {
            let spoke = transcript.play().any(|other| {
                other.voice == *name && other.number < line.number && other.turn + round >= line.turn
            });
            if !spoke {
                silent.push((line.number, line.turn, name.clone()));
            }
        }
    }
    let (number, turn, roller) = random.pick(&silent)?.clone();
    transcript.rolls.as_mut()?.push(Roll {
        number,
        turn,
        kind: RollKind::Check,
        roller: Some(roller),
        asked_by: Some(narrator),
        character: String::new(),
        asked: String::new(),
        sides: Some(20),
        faces: vec![11],
        total: None,
        difficulty: None,
        success: None,
        numbers: BTreeSet::from([11]),
        what: "balance".into(),
    });
    Some(number)
}

fn leak(transcript: &mut Transcript, random: &mut Random) -> Option<u64> {
    let notes = transcript.notes.iter().flatten();
    let mut secrets: Vec<(u64, Audience, String)> =
        notes.map(|note| (note.number, note.audience.clone(), note.text.clone())).collect();
    let apart = transcript.lines.iter().filter(|line| line.channel == Channel::Apart);
    secrets.extend(apart.filter_map(|line| Some((line.number, line.audience.clone()?, line.text.clone()))));
    let mut chances = Vec::new();
    for (number, audience, text) in &secrets {
        for name in players(transcript).into_iter().filter(|name| !audience.includes(name)) {
            let after = |place: &usize| {
                let line = &transcript.lines[*place];
                line.voice == name && line.number > *number
            };
            let Some(place) = lines(transcript, Kind::Player).into_iter().find(after) else { continue };
            let long = text.split_inclusive('.').map(str::trim).filter(|text| text.split(' ').count() >= 8);
            chances.extend(long.map(|sentence| (place, sentence.to_owned())));
        }
    }
    let (place, sentence) = random.pick(&chances)?.clone();
    let line = &mut transcript.lines[place];
    line.text = format!("{} {sentence}", line.text);
    Some(line.number)
}

fn fail_again(transcript: &mut Transcript, random: &mut Random) -> Option<u64> {
    let (number, turn, voice) = {
        let place = *random.pick(&lines(transcript, Kind::Player))?;
        let line = &transcript.lines[place];
        (line.number, line.turn, line.voice.clone())
    };
    for _ in 0..2 + random.below(4) {
        transcript.calls.as_mut()?.push(Call {
            number,
            turn,
            voice: voice.clone(),
            tool: "open_gate".into(),
            key: "the same".into(),
            good: Some(false),
            why: "there is no gate".into(),
            answer: String::new(),
        });
    }
    Some(number)
}

fn hide_a_fact(transcript: &mut Transcript, random: &mut Random) -> Option<u64> {
    let line = &transcript.lines[*random.pick(&lines(transcript, Kind::Narrator))?];
    let (number, turn) = (line.number + 1, line.turn);
    let (text, audience) = ("The miller owes the party a horse.".to_owned(), Audience::All);
    transcript.shown.as_mut()?.iter_mut().for_each(|(_, shown)| shown.retain(|one| *one != number));
    transcript.notes.as_mut()?.push(Note { number, turn, kind: NoteKind::Fact, audience, text });
    Some(number)
}

fn forget_a_promise(transcript: &mut Transcript, random: &mut Random) -> Option<u64> {
    let last = transcript.last_turn();
    let mut early = lines(transcript, Kind::Player);
    early.retain(|place| transcript.lines[*place].turn + 20 < last);
    let place = *random.pick(&early)?;
    let promise = match random.below(3) {
        0 => "I promise to bring the silver astrolabe back to the abbot.",
        1 => "I swear that the abbot gets his silver astrolabe again.",
        _ => "The abbot shall have the silver astrolabe again, depend on it.",
    };
    let line = &mut transcript.lines[place];
    line.text = format!("{} {promise}", line.text);
    Some(line.number)
}

fn say_again(transcript: &mut Transcript, random: &mut Random) -> Option<u64> {
    let voice = random.pick(&players(transcript))?.clone();
    let mut own = lines(transcript, Kind::Player);
    own.retain(|place| transcript.lines[*place].voice == voice);
    let times = 2 + random.below(4);
    let first = random.below(own.len().checked_sub(times)?.max(1));
    let places = own.get(first..first + times)?;
    for place in places {
        let line: &mut Line = &mut transcript.lines[*place];
        line.text = format!("{} I really must insist on counting the spoons once more.", line.text);
    }
    Some(transcript.lines[places[0]].number)
}

fn silence(transcript: &mut Transcript, random: &mut Random) -> Option<u64> {
    let voice = random.pick(&players(transcript))?.clone();
    let own: Vec<u64> =
        transcript.play().filter(|line| line.voice == voice).map(|line| line.number).collect();
    let kept = *own.last()?;
    transcript
        .lines
        .retain(|line| line.voice != voice || line.channel == Channel::Before || line.number == kept);
    Some(kept)
}

fn load_the_dice(transcript: &mut Transcript, random: &mut Random) -> Option<u64> {
    let roller = random.pick(&players(transcript))?.clone();
    let (number, turn) = transcript.lines.last().map(|line| (line.number, line.turn))?;
    let face = 1 + random.below(20) as u16;
    for _ in 0..3 + random.below(6) {
        transcript.rolls.as_mut()?.push(Roll {
            number,
            turn,
            kind: RollKind::Dice,
            roller: Some(roller.clone()),
            asked_by: Some(roller.clone()),
            character: String::new(),
            asked: String::new(),
            sides: Some(20),
            faces: vec![face],
            total: None,
            difficulty: None,
            success: None,
            numbers: BTreeSet::from([i64::from(face)]),
            what: "luck".into(),
        });
    }
    Some(number)
}

fn grow(transcript: &mut Transcript, random: &mut Random) -> Option<u64> {
    let spent = transcript.spent.as_mut()?;
    let from = 3 * (spent.len() / 4);
    let times = 3 + random.below(6) as u64;
    spent[from..].iter_mut().for_each(|call| call.input *= times);
    spent.get(from).map(|call| call.number)
}
