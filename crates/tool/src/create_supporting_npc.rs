//! `create_supporting_npc`: somebody who came up in play and is worth remembering.

use schemars::JsonSchema;
use serde::Deserialize;
use twicetold_event::{NpcRole, Seat, SupportingNpcCreated, SupportingNpcUpdated};
use twicetold_world::{NpcKind, State, fold};

use crate::tool::{
    Accepted, Caller, Decision, Definition, Follow, Rejection, narrating, nearest, new_npc, text,
};

pub(crate) struct CreateSupportingNpc;

/// What somebody is to the story.
#[derive(Clone, Copy, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Role {
    /// On the party's side.
    Ally,
    /// After the same thing.
    Rival,
    /// Neither.
    Neutral,
    /// Knows something.
    Informant,
    /// Sells something.
    Merchant,
    /// Asks for something.
    QuestGiver,
}

/// Arguments of `create_supporting_npc`.
#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Arguments {
    /// The name, as people write it.
    name: String,
    /// What the person is to the story.
    role: Role,
    /// Who the person is and why it matters, in one or two sentences.
    context: String,
    /// A monster of the rules that the person fights as, if it ever does.
    combat_slug: Option<String>,
}

impl Definition for CreateSupportingNpc {
    const NAME: &'static str = "create_supporting_npc";
    const DESCRIPTION: &'static str = "Remember a named person who came up in play and is not one of the encounter's own people. The same name again changes what is known.";
    const FOLLOW: Follow = Follow::Continues;
    type Arguments = Arguments;

    fn offered(state: &State, seat: Seat) -> bool {
        narrating(state, seat) && state.encounter().is_some()
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
        if let Some(known) = state.npcs().named(&name).filter(|known| fold(&known.name) == fold(&name)) {
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

fn monster(state: &State, slug: Option<&str>) -> Result<String, Rejection> {
    let Some(slug) = slug.map(str::trim).filter(|slug| !slug.is_empty()) else { return Ok(String::new()) };
    let pages = &state.setup().rules.pages;
    if pages.contains_key(&format!("monsters/{slug}")) {
        return Ok(slug.to_owned());
    }
    let known = pages.keys().filter_map(|path| path.strip_prefix("monsters/"));
    let near = nearest(slug, known, 3).join(", ");
    Err(Rejection::new("unknown_monster").quoting("slug", slug, 60).with("near", near))
}
