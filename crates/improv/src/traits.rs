//! What makes a character a person, and how each of it shows in play.

mod fears;
mod flaws;
mod keepsakes;
mod pasts;
mod wants;

pub(super) use fears::FEARS;
pub(super) use flaws::FLAWS;
pub(super) use keepsakes::KEEPSAKES;
pub(super) use pasts::PASTS;
pub(super) use wants::WANTS;

/// A want, a fear, a flaw, a keepsake or a past.
pub(super) struct Trait {
    /// The words for it, in the first person.
    pub(super) is: &'static str,
    /// What the character says of it beside a deed, whatever the deed is and wherever it is done.
    pub(super) shows: [&'static str; 2],
    /// What somebody says who has been told of a want.
    pub(super) heard: &'static str,
    /// What comes of a want when the story has ended well, and when it has not.
    pub(super) after: [&'static str; 2],
}

impl Trait {
    /// Nothing at all.
    pub(super) const NONE: Trait = Trait::new("", ["", ""]);

    const fn new(is: &'static str, shows: [&'static str; 2]) -> Trait {
        Trait { is, shows, heard: "", after: ["", ""] }
    }
}

/// The one of these that the text speaks of in the first person.
pub(super) fn spoken_of(list: &'static [Trait], text: &str) -> Option<&'static Trait> {
    list.iter().find(|listed| super::read::names(text, listed.is))
}
