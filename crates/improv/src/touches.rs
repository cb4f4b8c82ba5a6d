//! What a scene touches in a character: somebody who is afraid of deep water stands in it.

use super::persona::Persona;
use super::read::names;
use super::request::Request;
use super::traits::Trait;

/// In so many messages of its own a character speaks of itself once: it is there for the story.
const APART: usize = 4;

/// How a trait begins, and the words of a scene that touch it.
const TOUCHES: &[(&str, &[&str])] = &[
    ("deep water", &["pool", "water", "river", "current"]),
    ("dogs that do not bark", &["dog", "dogs"]),
    ("locked rooms", &["locked", "lock-up", "cellar"]),
    ("priests with ledgers", &["ledger", "book", "tally"]),
    ("turning into my father", &["father"]),
    ("heights,", &["climb", "tower", "roof", "ladder", "ledge"]),
    ("silence at a dinner table", &["supper", "quiet", "silence"]),
    ("fire in a thatched street", &["fire", "flames", "hearth"]),
    ("large crowds", &["crowd", "square"]),
    ("my own handwriting", &["pen", "write", "ink"]),
    ("letters with a black seal", &["letter", "letters", "seal"]),
    ("geese", &["goose", "geese", "hens"]),
    ("signing anything", &["pen", "ink", "sign"]),
    ("the second knock", &["door", "knocks"]),
    ("magistrates", &["judge", "bailiff", "magistrate"]),
    ("thunder", &["storm", "lightning", "thunder"]),
    ("bridges without a rail", &["plank", "planks", "bridge"]),
    ("the noise a floor makes", &["plank", "planks", "floor", "timbers"]),
    ("stairs that go down", &["stairs", "cellar"]),
    ("swans", &["swan"]),
    ("ice that", &["ice"]),
    ("weddings,", &["wedding", "bride"]),
    ("ropes that", &["rope", "ropes"]),
    ("the smell of a snuffed candle", &["candle", "candles", "lantern"]),
    ("my name on a list", &["list", "waybill", "names"]),
    ("standing up to speak", &["speech", "speeches", "listen", "attention"]),
    ("sums with a remainder", &["tally", "sum", "columns", "numbers"]),
    ("a horse that looks at me", &["horse", "horses", "mule", "mules"]),
    ("small boys", &["boy", "boys"]),
    ("ring the flood bell", &["bell"]),
    ("count sacks", &["tally", "sacks", "flour"]),
    ("carry letters", &["letter", "letters", "snow"]),
    ("sing at other people's weddings", &["sing", "song", "wedding"]),
    ("row the night ferry", &["ferry", "oar"]),
    ("guard a bridge", &["bridge"]),
    ("teach the magistrate's children", &["whistle"]),
    ("mend nets", &["lash", "knot", "knots"]),
    ("keep the accounts", &["tally", "accounts", "columns", "toll book"]),
    ("sweep chimneys", &["chimney", "soot", "coal", "climb"]),
    ("light the street lamps", &["lamp", "lamps", "lantern"]),
    ("read contracts aloud", &["regulations", "tariff", "clause", "law"]),
    ("call the hours", &["clock", "hour"]),
    ("mark the high water", &["flood", "flooded"]),
    ("hold the horses", &["horses", "mules"]),
    ("walk in front of a steam roller", &["tram"]),
    ("shout the names", &["name", "names"]),
    ("carry the other end", &["barrels", "sledge"]),
    ("buy back the ferry", &["ferry", "cards"]),
    ("be trusted with a key", &["key"]),
    ("bring home the bell", &["bell"]),
    ("finish the map", &["map"]),
    ("put my grandmother's fiddle", &["fiddle", "fiddler"]),
    ("find the fourth verse", &["song", "verse", "sing"]),
    ("win the plum-cake", &["plum", "plums", "cake"]),
    ("see the sea", &["sea"]),
    ("learn to read the letter", &["letter", "letters"]),
    ("dance at a wedding", &["wedding", "dance"]),
    ("have a dog again", &["dog"]),
    ("stand up in a full room", &["crowd", "room"]),
    ("find an honest use", &["lock", "pocket"]),
    ("find the child", &["child", "boy"]),
    ("sleep one night without counting", &["count", "counting"]),
    ("hear a certain judge", &["judge"]),
    ("child's left-hand mitten", &["child", "boy", "cold"]),
    ("button from a drowned man's coat", &["drowned", "river", "pool", "water"]),
    ("tin cup", &["soup"]),
    ("key to a house", &["key", "lock"]),
    ("bad drawing of a good dog", &["dog"]),
    ("letter that I have never opened", &["letter", "letters"]),
    ("pair of spectacles", &["spectacles", "read"]),
    ("bundle of candle ends", &["candle"]),
    ("wooden spoon", &["spoon", "soup"]),
    ("cracked hand bell", &["bell"]),
    ("torn half of a marriage bond", &["bride", "wedding"]),
    ("map of a village that was drowned", &["flooded", "village"]),
    ("stub of red chalk", &["tariff", "chalk"]),
    ("list of names", &["list", "names", "name"]),
    ("theatre ticket", &["ticket"]),
    ("ferry token", &["ferry", "ticket"]),
    ("tuning fork", &["note", "hums", "song"]),
    ("magnifying glass", &["read", "tally", "book"]),
    ("lock without a key", &["lock"]),
    ("knitted hat", &["boy", "child", "passenger"]),
    ("summons for somebody else", &["bailiff", "locked"]),
    ("doorknob from", &["door"]),
    ("carpenter's pencil", &["wedge", "beam"]),
];

/// What a check and the way of it touch in the character; mostly nothing, and nothing twice.
pub(super) fn touched(request: &Request<'_>, persona: &Persona, done: &str) -> String {
    let done = done.to_lowercase();
    let all = [persona.fear, persona.keepsake, persona.past, persona.want];
    let says = |own: &str| all.iter().any(|own_trait| own_trait.shows.iter().any(|text| own.contains(text)));
    if request.own_lines().take(APART).any(|line| says(&line.text)) {
        return String::new();
    }
    let is_touched = |own: &&&Trait| {
        let words = TOUCHES.iter().filter(|(begins, _)| own.is.starts_with(begins));
        words.flat_map(|(_, words)| words.iter()).any(|word| names(&done, word))
    };
    let is_new = |text: &&str| !text.is_empty() && !request.own_lines().any(|line| line.text.contains(text));
    let mut texts = all.iter().filter(is_touched).flat_map(|own| own.shows.iter().copied());
    texts.find(is_new).unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::traits::{FEARS, KEEPSAKES, PASTS, WANTS};

    #[test]
    fn every_entry_is_of_one_trait() {
        for (begins, words) in TOUCHES {
            let all = [FEARS, KEEPSAKES, PASTS, WANTS].into_iter().flatten();
            assert_eq!(all.filter(|listed| listed.is.starts_with(begins)).count(), 1, "{begins}");
            assert!(!words.is_empty(), "{begins}");
        }
    }
}
