//! Promise: a value in a prompt cites the event that made it what it is: hit points, gold and each thing that a character carries.

use std::collections::BTreeMap;

use twicetold_event::{Event, Holder, Number, Purpose, Seat, Source};
use twicetold_projection::prompt::{Asking, Content, Piece, render};
use twicetold_tests::{Game, Played};
use twicetold_world::fold;

/// The event behind each value of each character: `name/hp`, `name/gold`, `name/item NAME`.
fn behind(played: &Played) -> BTreeMap<String, Number> {
    let rules = &played.session.campaign().state().setup().rules;
    let mut last = BTreeMap::new();
    for entry in twicetold_session::entries(played.source()).expect("it can be read") {
        let entry = entry.expect("it is whole");
        for (number, event) in entry.numbered() {
            let mut is = |key: String| {
                last.insert(key, number);
            };
            match event {
                Event::CharacterAccepted(word) => {
                    let name = &word.sheet.name;
                    is(format!("{name}/hp"));
                    is(format!("{name}/gold"));
                    for id in &word.sheet.equipment {
                        let item = rules.items.iter().find(|item| item.id == *id);
                        is(format!("{name}/item {}", fold(item.map_or(id, |item| &item.name))));
                    }
                }
                Event::HitPointsChanged(word) => is(format!("{}/hp", word.character)),
                Event::CharacterRecovered(word) => is(format!("{}/hp", word.character)),
                Event::GoldChanged(word) => is(format!("{}/gold", word.character)),
                Event::ItemAdded(word) => is(format!("{}/item {}", word.character, fold(&word.item))),
                Event::ItemRemoved(word) => is(format!("{}/item {}", word.character, fold(&word.item))),
                Event::ItemExchanged(word) => {
                    for holder in [&word.giver, &word.receiver] {
                        if let Holder::Character(name) = holder {
                            is(format!("{name}/item {}", fold(&word.item)));
                        }
                    }
                }
                _ => {}
            }
        }
    }
    last
}

/// Pieces of the DM's prompt as text and source, as the campaign stands.
fn pieces(played: &Played) -> Vec<(String, Source)> {
    let campaign = played.session.campaign();
    let prompt = render(campaign.state(), campaign.replies(), (Seat::Dm, Purpose::Play), Asking::default());
    let text = |piece: Piece| match piece {
        Piece::Text { content: Content::Written(text), source, .. } => Some((text, source)),
        // What lies in a file or a reply is no value.
        Piece::Text { source, .. } => Some((String::new(), source)),
        _ => None,
    };
    prompt.pieces.into_iter().filter_map(text).collect()
}

#[test]
fn hit_points_gold_and_things_cite_the_events_that_set_them() {
    let (mut asked, mut changed) = (0, 0);
    for seed in 0..40 {
        let game = Game::new(seed);
        let played = if seed % 2 == 0 { game.improvised() } else { game.chaotic() };
        let (behind, pieces) = (behind(&played), pieces(&played));
        let state = played.session.campaign().state();
        for character in state.characters().values() {
            let name = &character.sheet.name;
            // The character's line begins with its name and ends with the background.
            let from = pieces
                .iter()
                .position(|(text, source)| text == name && *source == Source::Event(character.accepted.0));
            let from = from.unwrap_or_else(|| panic!("{name} has a line"));
            let line = &pieces[from..];
            let end = line.iter().position(|(text, _)| *text == character.sheet.background).expect("its end");
            let line = &line[..end];
            let mut cites = |key: String, value: &str| {
                let number = behind.get(&key).unwrap_or_else(|| panic!("nothing set {key}"));
                let cited =
                    line.iter().any(|(text, source)| text == value && *source == Source::Event(*number));
                assert!(cited, "seed {seed}: {key} = {value} does not cite {number}: {line:?}");
                asked += 1;
                changed += usize::from(*number != character.accepted.0);
            };
            cites(format!("{name}/hp"), &character.hit_points.to_string());
            cites(format!("{name}/gold"), &character.gold.to_string());
            for (item, ..) in character.inventory.values() {
                cites(format!("{name}/item {}", fold(item)), item);
            }
        }
    }
    assert!(asked > 300 && changed > 20, "{asked} values, {changed} of them changed in play");
}
