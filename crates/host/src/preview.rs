//! What the encounters of a campaign will be, before anybody plays them: what the seed draws, what is noticed, and what the seats are
//! asked first.

use std::sync::Arc;

use twicetold_dialect::Protocol;
use twicetold_event::{Event, Phase, Purpose, Seat};
use twicetold_model::{Part, Request, Role};
use twicetold_world::setup::SeatsFile;

use crate::configuration::Configuration;
use crate::opening::table;
use crate::rehearsal::rehearse;
use crate::{Error, Library};

/// An encounter as a seed makes it.
#[derive(Clone, Debug, Default, serde::Serialize, schemars::JsonSchema)]
pub struct Preview {
    /// Its id.
    pub encounter: String,
    /// Its title.
    pub title: String,
    /// What the seed draws: key and text.
    pub draws: Vec<(String, String)>,
    /// What characters notice without trying. Who they are, Session Zero decides: here they are those of the improviser.
    pub noticed: Vec<String>,
    /// The first question of the DM and of a player.
    pub questions: Vec<Question>,
}

/// What a seat is asked.
#[derive(Clone, Debug, serde::Serialize, schemars::JsonSchema)]
pub struct Question {
    /// Who: the DM, or the player who is asked first, as all players are asked alike.
    pub seat: Seat,
    /// Tokens, as they are estimated.
    pub tokens: u32,
    /// The tools on offer.
    pub tools: Vec<String>,
    /// The messages, each under the role that it has.
    pub text: String,
}

/// The encounters of a campaign, in the order in which they are played. Nothing is written, and no model is asked: the improviser plays the
/// campaign in memory, and the prompts are those that a model would read.
///
/// # Errors
/// The campaign cannot be read, or not be played by so many.
pub fn preview(
    library: &Library,
    campaign: Option<&str>,
    seed: u64,
    players: Option<u8>,
) -> Result<Vec<Preview>, Error> {
    let (mut configuration, id) = Configuration::for_campaign(campaign)?;
    configuration.take_packs(library.data(), std::slice::from_ref(&id))?;
    let mut seats = table(library, &configuration, &id, players)?;
    let noticed = noticed(&configuration, &id, seed, &seats)?;
    read_as_models_do(&mut seats);
    let files = configuration.charter_files(&id, &seats)?;
    let setup = configuration.setup(&id, seed, files.clone())?;
    let mut found: Vec<Preview> = Vec::new();
    rehearse(&setup, files, |campaign, step| {
        for event in &step.events {
            match event {
                Event::EncounterBegan(word) => {
                    let title = setup.encounters.iter().find(|spec| spec.id == word.encounter);
                    found.push(Preview {
                        encounter: word.encounter.clone(),
                        title: title.map(|spec| spec.title.clone()).unwrap_or_default(),
                        draws: word.draws.iter().map(|draw| (draw.key.clone(), draw.value.clone())).collect(),
                        noticed: noticed.get(found.len()).cloned().unwrap_or_default(),
                        questions: Vec::new(),
                    });
                }
                Event::ModelCallRequested(word) if word.purpose == Purpose::Play => {
                    let in_play = campaign.state().phase() == Phase::Play;
                    let (Some(one), Some(request)) = (found.last_mut().filter(|_| in_play), &step.request)
                    else {
                        continue;
                    };
                    let is_player = |seat: Seat| matches!(seat, Seat::Player(_));
                    let is_known = |known: &Question| is_player(known.seat) == is_player(word.seat);
                    if !one.questions.iter().any(is_known) {
                        one.questions.push(question(word.seat, word.tokens, request));
                    }
                }
                _ => {}
            }
        }
    })?;
    Ok(found)
}

/// What is noticed in each encounter when the improviser plays the campaign as `run` does, with its own texts: it makes another party where
/// it reads what models read.
fn noticed(
    configuration: &Configuration,
    id: &str,
    seed: u64,
    seats: &SeatsFile,
) -> Result<Vec<Vec<String>>, Error> {
    let files = configuration.charter_files(id, seats)?;
    let setup = configuration.setup(id, seed, files.clone())?;
    let mut found: Vec<Vec<String>> = Vec::new();
    rehearse(&setup, files, |_, step| {
        for event in &step.events {
            match event {
                Event::EncounterBegan(_) => found.push(Vec::new()),
                Event::DetailRevealed(word) => found.iter_mut().next_back().into_iter().for_each(|one| {
                    let (who, score, least) = (&word.character, word.score, word.threshold);
                    one.push(format!("{} ({who}, {score} against {least})", word.text));
                }),
                _ => {}
            }
        }
    })?;
    Ok(found)
}

/// The improviser has texts of its own; what is to be seen is what a model reads.
fn read_as_models_do(seats: &mut SeatsFile) {
    for model in seats.seat.values_mut().filter(|model| model.is_embedded()) {
        model.protocol = Protocol::ChatCompletions.name().to_owned();
        model.wire = Protocol::ChatCompletions.version();
    }
}

fn question(seat: Seat, tokens: u32, request: &Arc<Request>) -> Question {
    let mut text = String::new();
    for message in &request.messages {
        text += match message.role {
            Role::System => "[system]\n",
            Role::Assistant => "[assistant]\n",
            _ => "[user]\n",
        };
        for part in &message.parts {
            if let Part::Text(words) = part {
                text += words;
            }
        }
        text += "\n";
    }
    let tools = request.tools.iter().map(|tool| tool.name.to_string()).collect();
    Question { seat, tokens, tools, text }
}
