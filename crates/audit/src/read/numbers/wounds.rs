//! Numbers that are wounds, lost or healed.

use super::Token;
use crate::cues::LISTS;

/// "7 damage", "12 points of cold damage", "loses 5 hit points", "damage: 6".
pub(super) fn is_damage(tokens: &[Token], place: usize) -> bool {
    let lists = &LISTS.dice;
    let at = |at: usize| tokens.get(at).map_or("", |token| token.text.as_str());
    let mut next = place + 1;
    while next <= place + 4 && lists.harm.contains(at(next)) {
        next += 1;
    }
    if matches!(at(next), "damage" | "dmg") {
        return true;
    }
    let back = |by: usize| place.checked_sub(by).map_or("", at);
    if matches!(back(1), ":" | "=" | "→") && matches!(back(2), "damage" | "dmg") {
        return true;
    }
    let next = place + 1;
    // "takes nine points out of the helm", "eleven off him", "twelve out of its hide".
    let bare = usize::from(matches!(at(next), "point" | "points" | "hp"));
    let out = at(next + bare) == "out" && at(next + bare + 1) == "of" || at(next + bare) == "off" && bare > 0;
    let took = tokens[place.saturating_sub(4)..place].iter().any(|token| {
        token.is(&[
            "take", "takes", "took", "taking", "knocks", "knock", "tears", "rips", "carves", "bites", "cuts",
            "does", "deals", "shaves", "strips",
        ])
    });
    // "Eleven points off him."
    let off = bare > 0 && place == 0 && matches!(at(next + bare), "off" | "from");
    if off || out && took && bare > 0 {
        return true;
    }
    // "does seven to Bo", "It bites back for 6."
    let ended = tokens.get(next).is_none_or(|next| next.is(&[".", "!", ",", ";", "…"]));
    let blows = [
        "hits", "hit", "bites", "bit", "claws", "clawed", "strikes", "struck", "slashes", "stabs", "burns",
        "rakes", "smashes", "stings", "shoots", "slams", "cuts", "gores", "lashes", "clips", "catches",
        "tags", "connects", "lands", "brings", "swings", "drives", "whips", "cracks", "gashes", "nips",
        "pinches", "batters", "clubs", "kicks", "punches", "butts", "rams", "crushes", "scorches", "sears",
        "stabbed", "slashed", "burned", "burnt", "cut", "caught", "knocks", "raps", "cuffs", "pecks",
        "spears", "skewers", "blasts", "wings", "grazes", "nicks", "slices", "opens",
    ];
    let struck = matches!(back(1), "for")
        && ended
        && tokens[place.saturating_sub(9)..place].iter().any(|token| token.is(&blows));
    let dealt = matches!(back(1), "does" | "deals" | "did" | "dealt")
        && at(next) == "to"
        && !matches!(at(next + 1), "one" | "it" | "the");
    if struck || dealt {
        return true;
    }
    // "takes nine points of burns", "lands on you for eighteen points".
    let points = matches!(at(next), "point" | "points");
    if points && (at(next + 1) == "of" && took || matches!(back(1), "for" | "another")) {
        return true;
    }
    let points = at(next) == "hp" || (at(next) == "hit" && matches!(at(next + 1), "point" | "points"));
    let lost = |token: &Token| {
        token.is(&[
            "cost", "costs", "costing", "inflicts", "deals", "does", "lose", "loses", "lost", "losing",
            "take", "takes", "took", "regain", "regains", "regained", "heals", "heal", "healed", "recovers",
            "drained", "drains", "suffers", "suffer", "back", "restores", "restored", "mends", "gains",
        ])
    };
    let after = at(next + if at(next) == "hp" { 1 } else { 2 });
    points
        && tokens[place.saturating_sub(5)..place].iter().any(lost)
        && !matches!(after, "left" | "remaining" | "total" | "max" | "maximum")
}
