//! Who may come in over HTTP: the owner, and whoever was invited to a seat. Each has an address and a token of its own.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use rmcp::model::{JsonObject, Tool};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use twicetold_event::{CampaignId, Seat};
use twicetold_host::Sitting;
use twicetold_host::words::short;

use crate::failure::Failure;
use crate::house::House;
use crate::limits::{INVITATIONS_MAX, NAME_CHARS_MAX};
use crate::page::{Answer, Part, answer};
use crate::reading::find;
use crate::server::Server;
use crate::tools::{acting, arguments};

/// The seat to which somebody is invited.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
struct Inviting {
    /// The front of a campaign's id, or `last`.
    campaign: String,
    /// `dm`, `player-1` …, or the name of a character.
    seat: String,
}

/// How an agent reaches this server.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
pub struct Invitation {
    /// The address of the server for this agent.
    pub address: String,
    /// The header that every request has: `Authorization: Bearer …`.
    pub authorization: String,
}

/// The tools of this module.
pub(crate) fn tools() -> Vec<Tool> {
    vec![acting::<Inviting, Answer<Invitation>>(
        "invite",
        "Returns the address and the token with which another agent plays one seat: it is told what that seat may know, and nothing else. They are valid until this server stops.",
    )]
}

/// The tokens of a server, and the seats to which somebody was invited.
pub(crate) struct Door {
    /// What every address begins with.
    base: String,
    /// All tokens are made of it.
    secret: [u8; 32],
    seats: Mutex<BTreeMap<(CampaignId, Seat), Server>>,
}

impl Door {
    pub(crate) fn new(base: String, secret: [u8; 32]) -> Door {
        Door { base, secret, seats: Mutex::default() }
    }

    /// The owner's address and token.
    pub(crate) fn owner(&self) -> Invitation {
        self.invitation("/mcp")
    }

    /// The address and the token for a seat. It is opened.
    ///
    /// # Errors
    /// As many were given out as may be.
    fn invite(&self, house: &House, id: CampaignId, seat: Seat) -> Result<Invitation, Failure> {
        let mut seats = self.locked();
        if seats.len() >= INVITATIONS_MAX && !seats.contains_key(&(id, seat)) {
            let message = format!("{INVITATIONS_MAX} seats of this server are open already");
            return Err(Failure::new("busy", message, "restart the server: it forgets them all"));
        }
        let open = || Server::of_seat(house.clone(), &id.to_string(), &seat.slug());
        seats.entry((id, seat)).or_insert_with(open);
        Ok(self.invitation(&path(id, seat)))
    }

    /// The server of a path, for whoever has its token; nothing where there is none, which is told to nobody.
    pub(crate) fn open(&self, path_asked: &str, token: &str, owner: &Server) -> Option<Server> {
        if !twicetold_loopback::equal(token, &self.token(path_asked)) {
            return None;
        }
        if path_asked == "/mcp" {
            return Some(owner.clone());
        }
        let seats = self.locked();
        let found = seats.iter().find(|((id, seat), _)| path(*id, *seat) == path_asked);
        found.map(|(_, server)| server.clone())
    }

    fn invitation(&self, path: &str) -> Invitation {
        let (address, token) = (format!("{}{path}", self.base), self.token(path));
        Invitation { address, authorization: format!("Bearer {token}") }
    }

    /// The token of a path: the same for as long as the server runs.
    fn token(&self, path: &str) -> String {
        blake3::keyed_hash(&self.secret, path.as_bytes()).to_hex()[..32].to_owned()
    }

    fn locked(&self) -> MutexGuard<'_, BTreeMap<(CampaignId, Seat), Server>> {
        self.seats.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Where the server of a seat lies.
fn path(id: CampaignId, seat: Seat) -> String {
    format!("/seats/{id}/{}/mcp", seat.slug())
}

/// Invites somebody to a seat, as the campaign stands.
///
/// # Errors
/// There is no such campaign or seat, or too many were invited.
pub(crate) fn invite(house: &House, door: &Door, campaign: &str, seat: &str) -> Result<Invitation, Failure> {
    let library = house.library();
    let id = find(library, campaign)?;
    let source = library.read(id)?;
    let loaded = library.view(id).load(&*source)?;
    let Sitting { seat, .. } = Sitting::read(loaded.campaign.state(), &short(seat, NAME_CHARS_MAX), "")?;
    door.invite(house, id, seat)
}

/// Calls the tool of this module; nothing when it is not the one.
pub(crate) async fn call(
    house: &House,
    name: &str,
    given: Option<JsonObject>,
) -> Option<Result<Value, Failure>> {
    let door = house.door().filter(|_| name == "invite")?.clone();
    let asked = match arguments::<Inviting>(given) {
        Ok(asked) => asked,
        Err(failure) => return Some(Err(failure)),
    };
    let invited = house.blocking(move |house| invite(house, &door, &asked.campaign, &asked.seat)).await;
    Some(invited.and_then(|invitation| answer(&json!(invitation), &Part::default())))
}
