//! `create_supporting_npc`: somebody who came up in play and is worth remembering.

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use twicetold_event::{NpcRole, Seat, SupportingNpcCreated, SupportingNpcUpdated};
use twicetold_world::{Npc, NpcKind, State, fold};

use crate::menu::{Field, Form, bare, call, one_of, sayable, texts, variants, words};
use crate::tool::{
    Accepted, Caller, Decision, Definition, Follow, NPC_NAME_BYTES_MAX, Rejection, clean, narrating, nearest,
    new_npc, room_for_npc, text,
};

pub(crate) struct CreateSupportingNpc;

#[derive(Clone, Copy, Deserialize, Serialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    Ally,
    Rival,
    Neutral,
    Informant,
    Merchant,
    QuestGiver,
}

/// Arguments of `create_supporting_npc`.
#[derive(Deserialize)]
#[cfg_attr(test, derive(schemars::JsonSchema))]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    name: String,
    role: Role,
    /// Who it is, in a sentence or two.
    context: String,
    /// The monster of the rules to fight as.
    combat_slug: Option<String>,
}

impl Definition for CreateSupportingNpc {
    const NAME: &'static str = "create_supporting_npc";
    const DESCRIPTION: &'static str =
        "Remember a named person who comes up and is not one of your people, or what is new of them.";
    const FOLLOW: Follow = Follow::Records;
    type Arguments = Arguments;

    fn listed(state: &State, seat: Seat) -> bool {
        narrating(state, seat)
    }

    fn possible(state: &State) -> bool {
        state.encounter().is_some()
    }

    fn decide(state: &State, _: Caller, arguments: Arguments) -> Decision {
        let name = text(state, "name", &arguments.name)?;
        let context = text(state, "context", &arguments.context)?;
        let combat_slug = monster(state, arguments.combat_slug.as_deref())?;
        let role = match arguments.role {
            Role::Ally => NpcRole::Ally,
            Role::Rival => NpcRole::Rival,
            Role::Neutral => NpcRole::Neutral,
            Role::Informant => NpcRole::Informant,
            Role::Merchant => NpcRole::Merchant,
            Role::QuestGiver => NpcRole::QuestGiver,
        };
        if is_of_the_campaign(state, &name) {
            return Err(Rejection::new("campaign_character").quoting("name", &name, 80));
        }
        if let Some(known) = known(state, &name) {
            if known.kind != NpcKind::Supporting {
                return Err(Rejection::new("npc_exists").with("name", &known.name).with("id", &known.id));
            }
            let npc = known.id.clone();
            return Ok(Accepted::one(SupportingNpcUpdated { npc, role, context, combat_slug }));
        }
        let (npc, check) = new_npc(state, &name)?;
        let location = state.facts().location.as_ref().map(|(_, text)| text.clone()).unwrap_or_default();
        Ok(Accepted::one(SupportingNpcCreated { npc, name, role, context, location, combat_slug })
            .checked(check))
    }

    fn legal(state: &State, _: Seat) -> Vec<Form> {
        let form = |name: Field| {
            let form = Form::new().must("name", name).must("role", one_of(variants(Self::NAME, "role")));
            form.must("context", words(state)).may("combat_slug", one_of(monsters(state)))
        };
        let supporting = state.npcs().all().filter(|npc| npc.kind == NpcKind::Supporting);
        let is_found = |name: &str| known(state, name).is_some_and(|found| found.name == name);
        let supporting = supporting.map(|npc| npc.name.as_str()).filter(|name| is_found(name));
        let supporting = supporting.filter(|name| sayable(state, name) && !is_of_the_campaign(state, name));
        let mut forms = vec![form(one_of(supporting))];
        if room_for_npc(state).is_ok() {
            forms.push(form(texts(NPC_NAME_BYTES_MAX)));
        }
        forms
    }

    fn canonical(state: &State, _: Seat, arguments: Arguments) -> Vec<Value> {
        let name = clean(&arguments.name);
        let name = known(state, &name).map_or(name, |known| known.name.clone());
        let (role, context) = (arguments.role, clean(&arguments.context));
        let monster = bare(arguments.combat_slug.as_deref());
        vec![call(json!({"name": name, "role": role, "context": context, "combat_slug": monster}))]
    }
}

/// Does any encounter of the campaign, begun or not, have a character of this name? Players' characters count too.
fn is_of_the_campaign(state: &State, name: &str) -> bool {
    let wanted = fold(name);
    let of_spec = state.setup().encounters.iter().flat_map(|spec| &spec.npcs).any(|npc| {
        npc.id == wanted.replace(' ', "-") || npc.name.as_deref().is_some_and(|name| fold(name) == wanted)
    });
    let of_state = state.npcs().named(name).is_some_and(|npc| npc.kind == NpcKind::Campaign);
    of_spec || of_state || state.character_named(name).is_some()
}

/// Somebody of this very name; a first name is another one's.
fn known<'a>(state: &'a State, name: &str) -> Option<&'a Npc> {
    state.npcs().named(name).filter(|known| fold(&known.name) == fold(name))
}

/// The monsters of which the rules have a page.
fn monsters(state: &State) -> impl Iterator<Item = &str> {
    state.setup().rules.pages.keys().filter_map(|path| path.strip_prefix("monsters/"))
}

fn monster(state: &State, slug: Option<&str>) -> Result<String, Rejection> {
    let Some(slug) = bare(slug) else { return Ok(String::new()) };
    let pages = &state.setup().rules.pages;
    if pages.contains_key(&format!("monsters/{slug}")) {
        return Ok(slug.to_owned());
    }
    let near = nearest(slug, monsters(state), 3).join(", ");
    Err(Rejection::new("unknown_monster").quoting("slug", slug, 60).with("near", near))
}
