//! Promise: a combat is fought by the rules pack's dice in the order of initiative, and always ends.

use std::collections::BTreeSet;

use twicetold_event::{CombatOutcome, Event, FoeHitPointsChanged, Number, Seat, SpeakerRule};
use twicetold_tests::{Game, Moments, Performance, Script, Who, decide, fighters};
use twicetold_world::evolve;

const FIGHT: (&str, &str) = ("start_combat", "{\"foes\":[{\"id\":\"river-rough\",\"count\":2}]}");

fn outcomes(play: &Performance) -> Vec<(CombatOutcome, u32)> {
    play.all(
        |event| if let Event::CombatEnded(word) = event { Some((word.outcome, word.rounds)) } else { None },
    )
}

#[test]
fn a_combat_in_which_nobody_does_anything_ends_after_its_last_round() {
    let game =
        Game::new(41).with("encounters/gone-before-dusk.toml", "messages_max = 44", "messages_max = 60");
    let game = game.without_failures();
    let play = Script::of(game).line(Who::Dm, "It comes to blows.", &[FIGHT]).play();
    assert_eq!(outcomes(&play), [(CombatOutcome::BrokenOff, 10)]);
    let turns = play.all(|event| match event {
        Event::CombatTurnBegan(word) => Some((word.round, word.combatants.clone())),
        _ => None,
    });
    assert!(turns.windows(2).all(|pair| pair[0].0 <= pair[1].0), "rounds follow each other");
    for round in 1..=10 {
        let mut acted: Vec<String> =
            turns.iter().filter(|(number, _)| *number == round).flat_map(|(_, who)| who.clone()).collect();
        acted.sort();
        let count = acted.len();
        acted.dedup();
        assert_eq!((acted.len(), count), (5, 5), "in round {round} everybody acts once: {turns:?}");
    }
    let chosen = play.all(|event| match event {
        Event::SpeakerChosen(word) if word.rule == SpeakerRule::Initiative => Some(word.seat),
        _ => None,
    });
    assert_eq!(chosen.len(), turns.len());
}

/// Everybody attacks somebody who stands, whenever asked.
fn brawl(seed: u64) -> twicetold_tests::Played {
    overheard_brawl(seed, &mut |_, _| ())
}

/// The same, and somebody hears what everybody is asked.
fn overheard_brawl(seed: u64, hear: &mut dyn FnMut(Seat, &str)) -> twicetold_tests::Played {
    let mut begun = false;
    Game::new(seed).answered(&mut |seat, body| {
        hear(seat, body);
        if !body.contains("phase: play") {
            return twicetold_improv::improvise(body);
        }
        if !body.contains("combat: round") {
            let calls: &[(&str, &str)] = if seat == Seat::Dm && !begun { &[FIGHT] } else { &[] };
            begun |= seat == Seat::Dm;
            return twicetold_tests::reply_body("So it is.", calls);
        }
        let last = body.rsplit("\"role\":\"").next().unwrap_or_default();
        let answered = last.starts_with("tool");
        let line = |key: &str| {
            let state = &body[body.rfind("<table_state").unwrap_or(0)..];
            let from = state.find(key).map(|at| at + key.len());
            from.map(|from| state[from..].split("\\n").next().unwrap_or_default().trim().to_owned())
        };
        let acting = line("acting: ").unwrap_or_default();
        let call = match seat {
            Seat::Dm => {
                let foe = acting.split(", ").next().unwrap_or_default().to_owned();
                let target = line("character: ").unwrap_or_default();
                let target = target.split(" | ").next().unwrap_or_default().to_owned();
                format!("{{\"attacker\":{foe:?},\"target\":{target:?}}}")
            }
            _ => {
                let state = &body[body.rfind("<table_state").unwrap_or(0)..];
                let down = |line: &&str| line.contains("health=down") || line.contains("health=fled");
                let foe = state.split("\\n").find(|line| line.starts_with("foe: ") && !down(line));
                let foe = foe.map(|line| line[5..].split(" | ").next().unwrap_or_default());
                format!("{{\"target\":{:?}}}", foe.unwrap_or_default())
            }
        };
        match answered {
            true => twicetold_tests::reply_body("I look around.", &[]),
            false => twicetold_tests::reply_body("", &[("attack", &call)]),
        }
    })
}

/// What a server has read of a turn would be lost with another list of tools.
#[test]
fn the_tools_of_a_fight_are_listed_while_it_lasts_and_never_change_within_a_turn() {
    let mut ended_within_a_turn = 0;
    for seed in 0..4 {
        let mut asked: Vec<((Seat, String), bool, bool)> = Vec::new();
        overheard_brawl(seed, &mut |seat, body| {
            let turn = body.split("\\nturn: ").nth(1).and_then(|rest| rest.split("\\n").next());
            let Some(turn) = turn.filter(|_| body.contains("phase: play")) else { return };
            let lists = body.contains("\"name\":\"attack\",\"description\"");
            asked.push(((seat, turn.to_owned()), body.contains("combat: round"), lists));
        });
        for (place, (turn, fights, lists)) in asked.iter().enumerate() {
            assert_eq!(fights, lists, "seed {seed}: {turn:?}");
            let goes_on = place > 0 && asked[place - 1].0 == *turn;
            let is_over = asked.get(place + 1).is_some_and(|next| !next.1);
            ended_within_a_turn += usize::from(*fights && goes_on && is_over);
        }
    }
    assert!(ended_within_a_turn > 0, "a fight ended in the midst of a turn");
}

#[test]
fn the_fallen_are_not_attacked() {
    let (fight, fighter) = &Moments::played().fighters[0];
    let mut fight = fight.clone();
    let fallen = FoeHitPointsChanged { foe: "river-rough-1".into(), asked: -5, applied: -5, now: 0 };
    let at = fight.at();
    evolve(&mut fight, Number(u64::MAX), at, &fallen.into());
    let refused = decide(&fight, *fighter, "attack", "{\"target\":\"river-rough-1\"}").unwrap_err();
    assert_eq!(refused.rule, "target_not_standing");
    assert!(decide(&fight, *fighter, "attack", "{\"target\":\"river-rough-2\"}").is_ok());
}

#[test]
fn blows_wound_by_the_dice_and_one_side_gives_way_before_long() {
    let mut seen = Vec::new();
    for seed in 0..12 {
        let played = brawl(seed);
        let mut hit_points = std::collections::BTreeMap::new();
        let mut wound = None;
        for event in &played.events {
            match event {
                Event::CombatBegan(word) => {
                    hit_points.extend(word.foes.iter().map(|foe| (foe.id.clone(), foe.hit_points)));
                }
                Event::AttackMade(word) => {
                    assert_eq!(word.hit, word.total >= word.needed, "Emberlight's dice: high is good");
                    assert_eq!(word.hit, word.damage > 0);
                    wound = word.hit.then(|| (word.target.clone(), word.damage));
                }
                Event::FoeHitPointsChanged(word) => {
                    let (target, damage) = wound.take().expect("a wound follows a blow");
                    assert_eq!((&target, -damage), (&word.foe, word.asked));
                    let before = hit_points[&word.foe];
                    assert_eq!((before + word.applied, word.now.max(0)), (word.now, word.now));
                    hit_points.insert(target, word.now);
                }
                Event::CombatEnded(word) => seen.push(word.outcome),
                _ => {}
            }
        }
        assert!(hit_points.values().all(|points| *points >= 0));
    }
    assert!(seen.len() >= 12, "{seen:?}");
    assert!(seen.contains(&CombatOutcome::Victory) || seen.contains(&CombatOutcome::FoesFled), "{seen:?}");
}

#[test]
fn nobody_attacks_out_of_turn_twice_or_the_fallen() {
    let moments = Moments::played();
    let (fight, fighter) = &moments.fighters[0];
    let acting = fight.combat().unwrap().acting.clone();
    let idle = fight.characters().iter().find(|(_, character)| !acting.contains(&character.sheet.name));
    let (idle, _) = idle.expect("somebody waits");
    let refused = decide(fight, *idle, "attack", "{\"target\":\"river-rough-1\"}").unwrap_err();
    assert_eq!(refused.rule, "not_on_initiative");
    let foes = &moments.foes_turn;
    let attacker = foes.combat().unwrap().acting[0].clone();
    let nobody = format!("{{\"attacker\":{attacker:?},\"target\":\"river-rough-2\"}}");
    assert_eq!(decide(foes, Seat::Dm, "attack", &nobody).unwrap_err().rule, "unknown_target");
    let who = "{\"attacker\":\"a ghost\",\"target\":\"x\"}";
    assert_eq!(decide(foes, Seat::Dm, "attack", who).unwrap_err().rule, "unknown_attacker");
    let rows = [
        ("{\"target\":\"a cloud\"}", "unknown_target"),
        ("{\"target\":\"river-rough-1\",\"with\":\"a bazooka\"}", "unknown_weapon"),
        ("{\"target\":\"river-rough-1\",\"attacker\":\"river-rough-2\"}", "not_your_character"),
    ];
    for (arguments, rule) in rows {
        assert_eq!(decide(fight, *fighter, "attack", arguments).unwrap_err().rule, rule, "{arguments}");
    }
    let victory = decide(fight, Seat::Dm, "end_combat", "{\"outcome\":\"victory\"}").unwrap_err();
    assert_eq!(victory.rule, "outcome_not_reached");
    assert_eq!(decide(fight, Seat::Dm, "start_combat", FIGHT.1).unwrap_err().rule, "not_offered");
    assert_eq!(decide(fight, Seat::Dm, "encounter_resolve", "{}").unwrap_err().rule, "not_offered");
}

#[test]
fn more_foes_or_combats_than_there_may_be_are_refused() {
    let moments = Moments::played();
    let many = "{\"foes\":[{\"id\":\"river-rough\",\"count\":8},{\"id\":\"mill-dog\"}]}";
    assert_eq!(decide(&moments.narrative, Seat::Dm, "start_combat", many).unwrap_err().rule, "foes_max");
    let twice = "{\"foes\":[{\"id\":\"wren-pellow\"},{\"id\":\"Wren Pellow\"}]}";
    assert_eq!(decide(&moments.narrative, Seat::Dm, "start_combat", twice).unwrap_err().rule, "foe_twice");
    let script = Script::of(Game::new(43));
    let truce = ("end_combat", "{\"outcome\":\"truce\"}");
    let script = (0..3).fold(script, |script, _| {
        script.line(Who::Dm, "Again.", &[FIGHT]).line(Who::Dm, "Enough.", &[truce])
    });
    let play = script.line(Who::Dm, "Once more.", &[FIGHT]).play();
    assert_eq!(play.rejections(), ["combats_per_encounter_max"]);
    assert_eq!(outcomes(&play).len(), 3);
}

#[test]
fn a_spell_is_cast_by_those_who_know_it_as_often_as_it_may_be() {
    let mut seen = BTreeSet::new();
    // Not every party has somebody who knows a spell of each kind.
    let plays = (51..80).map(|seed| Script::of(Game::new(seed)).line(Who::Dm, "Blows.", &[FIGHT]).play());
    for (fight, seat) in plays.flat_map(|play| fighters(&play)) {
        let class = &fight.characters()[&seat].sheet.class;
        for spell in &fight.setup().rules.spells {
            let arguments = format!("{{\"target\":\"river-rough-1\",\"with\":{:?}}}", spell.name);
            let outcome = match decide(&fight, seat, "attack", &arguments) {
                Ok(events) => events[0],
                Err(rejection) => rejection.rule,
            };
            let expected = match (spell.is_known_to(class), &spell.damage, &spell.heal) {
                (false, ..) => "spell_not_known",
                (true, None, None) => "spell_without_effect",
                (true, _, Some(_)) => "unknown_character",
                (true, Some(_), None) => "SpellCast",
            };
            assert_eq!(outcome, expected, "{} by a {class}", spell.name);
            seen.insert(outcome);
        }
        if seen.len() == 4 {
            return;
        }
    }
    panic!("only {seen:?}");
}
