//! Who is who in an encounter, out of what the material says of its people, and what they seek.

use super::nouns::{places, quarry};
use super::pick::Pick;
use super::read::names;
use super::request::Request;
use super::story::{called, guilty, hidden, want};
use super::words::HIDEAWAYS;

/// The parts that people and things have in an encounter.
#[derive(Default, Clone, Debug)]
pub(super) struct Cast {
    /// Every one of the DM's people.
    pub(super) people: Vec<String>,
    /// What is sought, with its article.
    pub(super) quarry: String,
    /// Who has it.
    pub(super) suspect: String,
    /// Who is to get it back.
    pub(super) receiver: String,
    /// Who wants something else.
    pub(super) obstacle: String,
    /// Who may have seen something.
    pub(super) witness: String,
    /// Who can lock somebody up.
    pub(super) officer: String,
    /// Where it belongs.
    pub(super) destination: String,
    /// Where it is hidden: "under the stairs".
    pub(super) hideaway: String,
}

impl Cast {
    /// The cast of this request's encounter; the same for every request of one seat.
    pub(super) fn of(request: &Request<'_>) -> Cast {
        let state = &request.state;
        let stable = Pick::new(request.seed, &["cast", &state.encounter.head]);
        let people: Vec<String> = state.npcs.iter().map(called).collect();
        let sought = quarry(&state.objective).unwrap_or_else(|| "the missing thing".to_owned());
        let noun = noun(&sought).to_owned();
        let suspect = people.iter().find(|name| guilty(request, name)).cloned();
        let suspect = suspect.or_else(|| stable.draw("suspect").choose(&people).cloned()).unwrap_or_default();
        let rest: Vec<&String> = people.iter().filter(|name| **name != suspect).collect();
        let wants = |name: &str| want(request, name).is_some_and(|want| names(&want, &noun));
        let public = request.tagged("scenario");
        let named = rest.iter().filter_map(|name| Some((public.find(name.as_str())?, *name))).min();
        let receiver = named.map(|(_, name)| name);
        let receiver = receiver.or_else(|| rest.iter().copied().find(|name| wants(name)));
        let receiver = receiver.or(rest.first().copied()).cloned().unwrap_or_else(|| suspect.clone());
        let others: Vec<&String> = rest.into_iter().filter(|name| **name != receiver).collect();
        let obstacle = others.iter().copied().find(|name| wants(name));
        let obstacle = obstacle.or_else(|| stable.draw("obstacle").choose(&others).copied());
        let obstacle = obstacle.cloned().unwrap_or_else(|| receiver.clone());
        let witness = others.into_iter().find(|name| **name != obstacle);
        let witness = witness.cloned().unwrap_or_else(|| receiver.clone());
        let officer = state.npcs.iter().find(|row| called(row) != suspect && guards(row.get("role")));
        let drawn = || stable.draw("hideaway").choose(HIDEAWAYS).copied().unwrap_or_default().to_owned();
        Cast {
            officer: officer.map_or_else(|| receiver.clone(), called),
            destination: destination(request),
            hideaway: hidden(request).unwrap_or_else(drawn),
            people,
            quarry: sought,
            suspect,
            receiver,
            obstacle,
            witness,
        }
    }

    /// The last word of what is sought: "bell" of "the fog bell".
    pub(super) fn quarry_noun(&self) -> &str {
        noun(&self.quarry)
    }

    /// What is sought in two words: "the bell" for "the fog bell".
    pub(super) fn brief(&self) -> String {
        format!("the {}", self.quarry_noun())
    }

    /// Where it is taken from: "out of the reeds" when it is hidden "in the reeds".
    pub(super) fn from(&self) -> String {
        let (first, rest) = self.hideaway.split_once(' ').unwrap_or((&self.hideaway, ""));
        match first {
            "in" | "inside" => format!("out of {rest}"),
            "under" | "beneath" | "behind" | "between" | "among" => format!("from {}", self.hideaway),
            "up" => format!("down from {rest}"),
            "down" => format!("up from {rest}"),
            "on" => format!("off {rest}"),
            _ => "from where it lies".to_owned(),
        }
    }
}

fn noun(thing: &str) -> &str {
    let end =
        [" with ", " out of ", " of ", " in ", " from "].iter().filter_map(|stop| thing.find(stop)).min();
    thing.get(..end.unwrap_or(thing.len())).unwrap_or(thing).rsplit(' ').next().unwrap_or(thing)
}

fn guards(role: &str) -> bool {
    ["watch", "captain", "constable", "guard", "sheriff", "bailiff", "magistrate", "marshal"]
        .iter()
        .any(|word| role.to_lowercase().contains(word))
}

/// Where the objective says that it belongs, else the first place of the location.
fn destination(request: &Request<'_>) -> String {
    let state = &request.state;
    let told =
        [" back to ", " to "].iter().find_map(|lead| state.objective.split_once(lead)).map(|(_, to)| to);
    let told = told.filter(|to| to.starts_with("the ")).unwrap_or("");
    let end = [" before ", " by ", " and ", ",", "."].iter().filter_map(|stop| told.find(stop)).min();
    let told = told.get(..end.unwrap_or(told.len())).unwrap_or("").trim();
    if told.is_empty() {
        places(&state.location).into_iter().next().unwrap_or_else(|| "where it belongs".to_owned())
    } else {
        told.to_owned()
    }
}
