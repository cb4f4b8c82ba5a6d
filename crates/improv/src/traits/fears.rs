//! What a character is afraid of, after "is afraid of".

use super::Trait;

pub(in super::super) const FEARS: &[Trait] = &[
    Trait::new(
        "deep water",
        [
            "The world has a good deal of deep water in it, and my toes keep feeling for the bottom.",
            "My chin goes up a little, as it did when the water proved deeper than the ferryman had said.",
        ],
    ),
    Trait::new(
        "being thanked in public",
        [
            "Should thanks come into this, I would like them put in a note, unsigned, and slid under my door.",
            "Being thanked by name before a whole parish turned my ears red, and they are warming already at the memory.",
        ],
    ),
    Trait::new(
        "dogs that do not bark",
        [
            "A dog that barks has at least stated its business, and I am listening for the kind that has not.",
            "One of my shins bears the marks of a dog that never barked, and it prickles as I carry on.",
        ],
    ),
    Trait::new(
        "locked rooms without a window",
        [
            "Somewhere in my head a key turns on the wrong side of a door, and I catch myself wanting a window.",
            "Having been locked in a salt store without a window, I take a little extra breath in advance of everything.",
        ],
    ),
    Trait::new(
        "priests with ledgers",
        [
            "It occurs to me that a priest may be entering this in a ledger, and I do my best to resemble a short entry.",
            "Ever since a priest read my sins back to me from a ledger, with subtotals, I move like somebody being added up.",
        ],
    ),
    Trait::new(
        "the sound of a cart stopping outside",
        [
            "My hands get on with it while my ears stay behind to listen for a cart pulling up outside.",
            "The cart that took away our furniture stopped outside with a small squeak, and I brace for that squeak even now.",
        ],
    ),
    Trait::new(
        "turning into my father",
        [
            "Partway through I notice my father's way of breathing through the nose, and I try to breathe like somebody else.",
            "Just so would my father have gone about it, down to the grunt, and I leave out the grunt.",
        ],
    ),
    Trait::new(
        "heights, including chairs",
        [
            "My knees want it noted that they once stood on a kitchen chair and have not cared for heights since.",
            "Anything above the seat of a stool counts with me as a cliff, so I keep my weight low.",
        ],
    ),
    Trait::new(
        "being recognised by the wrong cousin",
        [
            "I have several cousins, one of whom must on no account know my face again, so I keep it in my collar.",
            "Now would be the moment for the wrong cousin to come by and call me by my childhood name.",
        ],
    ),
    Trait::new(
        "silence at a dinner table",
        [
            "I keep up a line of small talk in my head, having been raised where only the spoons spoke at dinner.",
            "Somebody once put down a fork at supper and nobody spoke until the plums, and my stomach remembers it now.",
        ],
    ),
    Trait::new(
        "fire in a thatched street",
        [
            "My nose goes ahead of me in all things, sniffing for a smoulder in somebody's thatch.",
            "Where I was a child one thatch touched the next, and I still pat my pockets over for anything that might glow.",
        ],
    ),
    Trait::new(
        "large crowds with one idea",
        [
            "My elbows are still out from the day a crowd in full agreement carried me the length of a market.",
            "Three people of one mind make a choir, and I prefer not to think what three hundred make.",
        ],
    ),
    Trait::new(
        "my own handwriting",
        [
            "A note in my own hand once told me to be careful, without saying of what, and I am, in a general way.",
            "It helps not to think how this would look in my handwriting, which leans like somebody leaving.",
        ],
    ),
    Trait::new(
        "letters with a black seal",
        [
            "My thumb runs over my fingertips as if a letter had left black wax on them, and I go on.",
            "Letters sealed in black have a way of catching up with people who are busy, and I am busy.",
        ],
    ),
    Trait::new(
        "people who are nice before noon",
        [
            "Kindness should come after the midday meal, and I keep a private watch for anybody who is early with it.",
            "The last person to be charming to me at breakfast sold me half a mule, so my smile stays in my pocket.",
        ],
    ),
    Trait::new(
        "forgetting a face that I owe something",
        [
            "I go through the faces that I owe, as others tell beads, and one of the beads is quite smooth.",
            "Of one face that I owe a barrel of herring, only the eyebrows remain to me, and I hold on to those.",
        ],
    ),
    Trait::new(
        "geese",
        [
            "A goose comes into my mind at knee height, neck out, and I carry on a little sideways.",
            "The backs of my legs were bitten by a goose before I could spell one, and they still keep watch.",
        ],
    ),
    Trait::new(
        "signing anything",
        [
            "I would rather do ten such things than put my signature under one of them.",
            "Years ago I signed for a sack of barley and came into a lawsuit, and my writing hand has been shy ever since.",
        ],
    ),
    Trait::new(
        "the second knock at a door",
        [
            "One knock at a door may be chance, but a second means me, and my shoulders are waiting for it.",
            "In our house the first knock was for my mother and the second for the rest of us, and I still count.",
        ],
    ),
    Trait::new(
        "being left to mind the baby",
        [
            "So long as my arms are busy nobody can put a baby in them, and I keep them busy.",
            "I handle everything as though it might wake, as one does after minding somebody's baby for the length of a sermon.",
        ],
    ),
    Trait::new(
        "magistrates",
        [
            "Inside my head I explain all this to a magistrate, who writes down only the parts I leave out.",
            "A magistrate once asked me kindly for my side of it, and my collar has never sat easily again.",
        ],
    ),
    Trait::new(
        "thunder",
        [
            "Part of me is counting the gap before the thunder, as it has in all weathers since I was small.",
            "When thunder comes into my thoughts I pull my neck in, and I proceed like that, rather shorter.",
        ],
    ),
    Trait::new(
        "bridges without a rail",
        [
            "My left hand feels for a rail before I can tell it not to, as it has from the day of a certain bridge.",
            "I keep to the middle of whatever I do, like a person on a bridge that has no sides.",
        ],
    ),
    Trait::new(
        "being right too late",
        [
            "The right answer once came to me on the way home from a funeral, and I have thought in haste since.",
            "Most things are clear to me by the following Thursday, too late, and I try to hear Thursday from here.",
        ],
    ),
    Trait::new(
        "the noise a floor makes before it gives way",
        [
            "Floorboards sing one note just before they let a person through, and one of my ears stays tuned to it.",
            "I have heard an attic floor clear its throat, and from that day I have trodden like a guest.",
        ],
    ),
    Trait::new(
        "wells",
        [
            "A pebble took so long to answer, in the well at home, that I am still half listening for it.",
            "I do most things leaning slightly backwards, as though there were a well in front of my boots.",
        ],
    ),
    Trait::new(
        "a certain kind of quiet nod",
        [
            "I once saw two men nod quietly over my head, and I have tried from then on to be taller.",
            "Being shouted at never put me off anything, but the thought of one quiet nod makes my scalp creep.",
        ],
    ),
    Trait::new(
        "stairs that go down further than they should",
        [
            "A cellar stair at my aunt's had nine steps too many, all downward, and each of my feet remembers its share.",
            "Whenever I set a foot down I allow for one more stair below it, and then for several after that.",
        ],
    ),
    Trait::new(
        "doctors who hum",
        [
            "Round and round behind my ribs goes the tune that a doctor hummed over them, and I keep busy on top of it.",
            "Let a doctor frown and I am easy, but humming means something, and my pulse has started to keep time.",
        ],
    ),
    Trait::new(
        "swans",
        [
            "I was told early that a swan can break an arm, and I use both of mine with that in mind.",
            "Say what they like about grace, I have been looked at by a swan, and my neck still feels short.",
        ],
    ),
    Trait::new(
        "being asked what I do for a living",
        [
            "If asked what I do for a living I have three answers ready, and this belongs to none of them.",
            "With a busy enough face a person is seldom asked what they live on, so I wear my busiest.",
        ],
    ),
    Trait::new(
        "small boys with a plan",
        [
            "Somewhere, I feel sure, two small boys are holding a piece of string and whispering, and I press on.",
            "There was a bucket once, and a plan, and boys no higher than my belt, and I look up from time to time.",
        ],
    ),
    Trait::new(
        "ice that somebody else has tried",
        [
            "The ice that year already had footprints on it, which I took for encouragement, and encouragement still makes my ankles cold.",
            "I go about everything trying to weigh less than the miller, for whom, they told me, the ice had held.",
        ],
    ),
    Trait::new(
        "my sister's opinion",
        [
            "I can hear my sister drawing in her breath to say what she thinks, and I continue underneath it.",
            "What my sister thinks of this is already written on the inside of my skull, in her capitals, with underlining.",
        ],
    ),
    Trait::new(
        "weddings, from the second hour on",
        [
            "I enjoy the first hour of a wedding, and it is against the second that I keep my boots laced tightly.",
            "At a wedding in our family the uncles took off their coats in the second hour, and mine has stayed buttoned.",
        ],
    ),
    Trait::new(
        "ropes that have been mended",
        [
            "I run my mind along this as I would along a rope, feeling for the lump where it was mended.",
            "That rope was as good as new, its mender told me, and years later both my palms tighten at the memory.",
        ],
    ),
    Trait::new(
        "the smell of a snuffed candle",
        [
            "I breathe through my mouth for a while, in case somebody has pinched out a candle on my account.",
            "At home a snuffed candle meant that we did not want to be seen from the road, and my nose stays wary.",
        ],
    ),
    Trait::new(
        "anybody who says that it will not hurt",
        [
            "The barber told me that it would not hurt, and my tongue goes to the place as I carry on.",
            "I would sooner be told that it will hurt, a great deal, and be left to get on with it in peace.",
        ],
    ),
    Trait::new(
        "my name on a list",
        [
            "It would not surprise me to be on a list somewhere, spelt correctly, and I go on like somebody of another name.",
            "The alphabet goes slowly through my head, as it did when they read out the list, nearing my own name.",
        ],
    ),
    Trait::new(
        "the last house in a street",
        [
            "Our errands went up the street as far as the last house but one, and my feet would still like to stop there.",
            "The last house in a street has neighbours on one side only, and I keep my mind off the other.",
        ],
    ),
    Trait::new(
        "moths in numbers",
        [
            "What I took for a folded blanket was mostly moths, and I still begin everything at arm's length.",
            "One moth I can reason with, and two, but a third brushing through my thoughts sets all my woollens itching.",
        ],
    ),
    Trait::new(
        "standing up to speak",
        [
            "I can face most things, as long as they are not followed by a hush and my having to rise and speak.",
            "I once rose to say a few words, said the first of them, and am in some ways still standing there.",
        ],
    ),
    Trait::new(
        "sums with a remainder",
        [
            "I try to go about this so that nothing is left over, which I was told was the whole point of sums.",
            "My fingers want to go through my pockets for the remainder that a schoolteacher asked me for when I was six.",
        ],
    ),
    Trait::new(
        "scarecrows with good coats",
        [
            "I pass a scarecrow in rags without a thought, but I am thinking now of one whose coat had been brushed.",
            "My sleeves feel thin as I go on, and it is no use asking myself who pays a scarecrow's tailor.",
        ],
    ),
    Trait::new(
        "a horse that looks at me",
        [
            "Horses have their oats to look at, and a road, and I would ask them kindly to keep to those.",
            "Through an entire christening a grey mare looked at me, and at nobody else, and my ears feel conspicuous again.",
        ],
    ),
    Trait::new(
        "waking up in the wrong town",
        [
            "I pinch the skin of my wrist and say the name of my own town over in my head, then continue.",
            "Once I woke to another town's bells, in my own blanket, and I make sure of my boots now and then.",
        ],
    ),
];
