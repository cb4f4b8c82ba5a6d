//! Something a character carries.

use super::Trait;

pub(in super::super) const KEEPSAKES: &[Trait] = &[
    Trait::new(
        "brass whistle that has never worked",
        [
            "The brass whistle round my neck has never made a sound, and I try to breathe in the same style.",
            "Before anything that matters I touch my whistle, which is mute, brass, and the calmest thing I own.",
        ],
    ),
    Trait::new(
        "child's left-hand mitten",
        [
            "Folded small against my ribs is a child's mitten, a left one, and I take care not to lean on it.",
            "Two of my fingers fit inside the little left-hand mitten, so I let them sit there for one breath.",
        ],
    ),
    Trait::new(
        "button from a drowned man's coat",
        [
            "My thumbnail knows the four holes of the drowned man's button, and counts them again in case of change.",
            "Somewhere a drowned man's coat is short of a button, which I hold tighter than he did.",
        ],
    ),
    Trait::new(
        "tin cup with somebody else's initials",
        [
            "The tin cup at my belt bears somebody else's initials, and I try to behave well on their behalf.",
            "With one fingertip I trace the two letters scratched in my tin cup, neither of which is mine.",
        ],
    ),
    Trait::new(
        "key to a house that burned down",
        [
            "The door that my old key fitted is gone, stairs and all, and the key has not been told.",
            "There is comfort in a heavy key, even when its house is ash, and my palm closes round it.",
        ],
    ),
    Trait::new(
        "bad drawing of a good dog",
        [
            "In my breast pocket is a dog drawn with five legs, who was good on all four.",
            "Whoever drew that dog for me could not do ears but caught the patience, which is why I carry it.",
        ],
    ),
    Trait::new(
        "letter that I have never opened",
        [
            "I press the sealed letter flat under my shirt, where it has been good or bad news for years.",
            "Years of leaving one letter sealed have taught me to stand a good deal of not knowing.",
        ],
    ),
    Trait::new(
        "horseshoe nail bent into a ring",
        [
            "My ring was a horseshoe nail once, and needs turning until its square head sits against the palm.",
            "It takes a hammer and some hope to make a ring of a horseshoe nail, and mine pinches now.",
        ],
    ),
    Trait::new(
        "pair of spectacles with one lens",
        [
            "On go the spectacles with their one lens, and I take half the matter sharply and half on trust.",
            "I polish the one lens of my spectacles and then, so as to be fair, the hole.",
        ],
    ),
    Trait::new(
        "bundle of candle ends",
        [
            "The candle ends shift in my pocket like knuckles, eleven of them, none good for more than a psalm.",
            "A person who saves candle ends, as I do, does nothing by halves that can be done by inches.",
        ],
    ),
    Trait::new(
        "wooden spoon with bite marks",
        [
            "Along the handle of my wooden spoon runs a row of bite marks, where my fingertips sit, one to a tooth.",
            "Somebody bit my wooden spoon in pain or in a hurry, both of which I understand.",
        ],
    ),
    Trait::new(
        "prayer book with all the wrong prayers",
        [
            "There is nothing for this in my prayer book, so I begin, inwardly, on the thanksgiving for turnips.",
            "All the prayers in my little book are wrong, but the corners are soft, and I hold one.",
        ],
    ),
    Trait::new(
        "fish hook that caught a bishop",
        [
            "The fish hook under my lapel once had a bishop by the ear, so I turn that side away.",
            "I was after perch the day my hook took the bishop, and I have aimed modestly ever since.",
        ],
    ),
    Trait::new(
        "ribbon from a fair I did not win",
        [
            "The ends want tucking in on the fair ribbon round my wrist, which was meant for someone else's marrow.",
            "The judges at the fair looked straight past me, but their ribbon blew my way, and I smooth it flat.",
        ],
    ),
    Trait::new(
        "cracked hand bell",
        [
            "I keep two fingers on the clapper of my hand bell, which is cracked and sounds like a dropped pan.",
            "For luck I run a nail along the crack in my bell, lip to shoulder, lightly, in case it spreads.",
        ],
    ),
    Trait::new(
        "torn half of a marriage bond",
        [
            "My half of the marriage bond stops in the middle of the word honour, and I fold it there.",
            "Since the marriage bond tore straight through both our names, I have held most things by the edges.",
        ],
    ),
    Trait::new(
        "walnut with a face carved on it",
        [
            "The carved walnut in my pocket wants turning, so that its little face looks the same way as mine.",
            "The face on my walnut was carved with a doubtful mouth, which mine copies when I concentrate.",
        ],
    ),
    Trait::new(
        "set of loaded dice that I use only to lose",
        [
            "My loaded dice are for sending other people home happy, so I push them deep under the handkerchief.",
            "Weighting a pair of dice against oneself takes hot lead and a steady hand, and I remember the hand.",
        ],
    ),
    Trait::new(
        "map of a village that was drowned",
        [
            "On my map the drowned village is still dry, pump and all, so I walk its lane in my head.",
            "I smooth the map where it has worn through, at the church, which the lake had before the creases did.",
        ],
    ),
    Trait::new(
        "stub of red chalk",
        [
            "Red dust comes off the chalk onto my thumb, to be wiped where I always wipe it, behind the ear.",
            "One line a month is all I allow my stub of red chalk, and I am as sparing with gestures.",
        ],
    ),
    Trait::new(
        "spoon that belonged to an abbess",
        [
            "The abbess's spoon rides upright in my boot, as she would have wished, and I straighten my back to match.",
            "An abbess ate thin soup with this spoon through forty Lents, and I try for her composure.",
        ],
    ),
    Trait::new(
        "list of names with one crossed out",
        [
            "Nine names on my list are plain to read, but it is the crossed-out one I say over to myself.",
            "Down the list of names, inside my pocket, goes a fingertip to the groove where the pen crossed one out.",
        ],
    ),
    Trait::new(
        "very small jar of very old honey",
        [
            "The honey in my tiny jar is older than my boots and has never been hurried, which I keep in mind.",
            "I tilt the very small jar a little, though that honey has not stirred since my grandmother was in pinafores.",
        ],
    ),
    Trait::new(
        "dented thimble",
        [
            "My thimble has a dent that presses on the nail, but I wear it for anything that wants care.",
            "I tap the dented thimble against my front teeth, twice, which is how I settle to a thing.",
        ],
    ),
    Trait::new(
        "theatre ticket for a night when it burned down",
        [
            "I was late for the theatre the night it burned, and have kept the ticket as a cure for fretting.",
            "Under my thumb is row F, on a ticket to a theatre that burned before the interval.",
        ],
    ),
    Trait::new(
        "cork from the only good bottle",
        [
            "The cork turns between finger and thumb while I remember its bottle, there having been only one good one.",
            "I smell my cork before I begin, for it was a good bottle and I was there for all of it.",
        ],
    ),
    Trait::new(
        "glass eye, brown, not mine",
        [
            "In my pocket I turn the glass eye to face the lining, since being watched makes me clumsy.",
            "My own two eyes do the looking, while the brown glass one rests in my fist, warm as an egg.",
        ],
    ),
    Trait::new(
        "dog collar with the name filed off",
        [
            "The plate of the dog collar is worn bright with waiting, where somebody filed it clean.",
            "I have tried every name I know on the dog whose nameless collar this is, and there goes another.",
        ],
    ),
    Trait::new(
        "page torn from a cookery book",
        [
            "Take six eggs, says the torn page in my pocket, and I steady myself as though I had them.",
            "My page of the cookery book ends halfway down a custard, at stir gently, which I take as general advice.",
        ],
    ),
    Trait::new(
        "clay pipe that was somebody's wedding present",
        [
            "Somebody was handed this clay pipe at their wedding, so I carry it bowl upward, out of respect.",
            "Painted round the bowl of my clay pipe are a bride, a groom and a date, and I thumb the groom.",
        ],
    ),
    Trait::new(
        "doorknob from a house in Vine Street",
        [
            "A quarter turn to the left is what the Vine Street doorknob always needed, and gets, inside my pocket.",
            "Anyone who carries a Vine Street doorknob must lean a little to that side, and I allow for it.",
        ],
    ),
    Trait::new(
        "snail shell painted blue",
        [
            "A fingertip goes into the blue snail shell as far as the bend, which is as far as it ever goes.",
            "My snail shell was painted blue with a brush of about three hairs, which is the standard I aspire to.",
        ],
    ),
    Trait::new(
        "ferry token that nobody takes any more",
        [
            "I walk the ferry token along my knuckles, as that is the only crossing it still buys.",
            "Every ferryman has handed my token back, so I have grown used to going the long way round.",
        ],
    ),
    Trait::new(
        "pawn ticket for a violin",
        [
            "The pawn ticket lives under my collar, where the violin used to sit, and my chin goes down to it.",
            "Four fingers of my left hand go through a jig on the pawn ticket, which is all the violin I have.",
        ],
    ),
    Trait::new(
        "knitted hat for a very small head",
        [
            "Down in my pocket my fist wears a knitted hat, which was made for a head no bigger.",
            "Knitting so small a hat took somebody thin needles and long evenings, and I feel along the rows.",
        ],
    ),
    Trait::new(
        "brass button with an anchor on it",
        [
            "The anchor on my brass button has been rubbed nearly flat for reassurance, but there is some left.",
            "An anchor the size of a lentil, on a brass button, is my whole navy, and my thumb leans on it.",
        ],
    ),
    Trait::new(
        "bundle of receipts tied with a bootlace",
        [
            "Receipts for all I ever paid are tied in a bootlace inside my coat, and I tug the knot.",
            "I hold that nothing is over until there is a receipt, and I pat the laced bundle to make room.",
        ],
    ),
    Trait::new(
        "tuning fork in no known key",
        [
            "I carry my tuning fork by its prongs to keep it quiet, because its note agrees with nobody.",
            "Against the bone behind my ear the tuning fork hums in no key at all, and I set myself by that.",
        ],
    ),
    Trait::new(
        "piece of chalk cliff in a handkerchief",
        [
            "Each time I unwrap the bit of cliff it leaves more chalk in the handkerchief, so I only squeeze.",
            "The lump of cliff in my handkerchief used to hold up the edge of a field, so I grip it with respect.",
        ],
    ),
    Trait::new(
        "magnifying glass with a chip out of it",
        [
            "My thumb fits the chip in the magnifying glass so well that I hold the thing by its fault.",
            "I wipe the magnifying glass and, from habit, look a little to the left of the chip.",
        ],
    ),
    Trait::new(
        "lock without a key",
        [
            "I put a fingertip to the keyhole of my lock, where no key has been in my time.",
            "Having owned a lock for half my life and never its key, I am on good terms with stubbornness.",
        ],
    ),
    Trait::new(
        "peppermint tin with a tooth in it",
        [
            "I hold the peppermint tin level, so that the tooth inside does not rattle.",
            "My tongue counts its way round my teeth, all but the one that lives in the peppermint tin.",
        ],
    ),
    Trait::new(
        "postcard addressed to the wrong street",
        [
            "Right name, wrong street, says the postcard I carry, and it has made me look twice at everything.",
            "The postcard in my coat was sent to a street its people never lived in, and I stroke the bent corner.",
        ],
    ),
    Trait::new(
        "pressed thistle",
        [
            "The thistle is pressed flat but has kept its prickles, one of which attends to my palm.",
            "All the purple has been pressed out of my thistle but none of the temper, and I have gone much the same way.",
        ],
    ),
    Trait::new(
        "carpenter's pencil down to an inch",
        [
            "Behind my ear is an inch of carpenter's pencil, to be touched, like wood, before committing myself.",
            "Now that my carpenter's pencil is down to an inch, I draw every line in my head first.",
        ],
    ),
    Trait::new(
        "summons for somebody else",
        [
            "I carry a summons in another person's name, and have felt answerable for most things ever since.",
            "The summons in my coat orders a stranger to appear without delay, which always makes me feel late.",
        ],
    ),
];
