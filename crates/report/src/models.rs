//! Which models play a campaign.

use twicetold_world::setup::SeatsFile;

/// The models by the names that their servers know, each with the seats that it plays.
pub fn models(seats: &SeatsFile) -> Vec<(&str, Vec<&str>)> {
    let mut found: Vec<(&str, Vec<&str>)> = Vec::new();
    for (seat, setup) in &seats.seat {
        match found.iter_mut().find(|(model, _)| *model == setup.model) {
            Some((_, seats)) => seats.push(seat),
            None => found.push((&setup.model, vec![seat])),
        }
    }
    found
}

/// The same as text: the seats are named where there are several models.
pub fn models_text(seats: &SeatsFile) -> String {
    let found = models(seats);
    match &found[..] {
        [(model, _)] => (*model).to_owned(),
        _ => {
            let one = |(model, seats): &(&str, Vec<&str>)| format!("{model} ({})", seats.join(", "));
            found.iter().map(one).collect::<Vec<_>>().join("; ")
        }
    }
}
