//! What a character did before, after "I used to".

use super::Trait;

pub(in super::super) const PASTS: &[Trait] = &[
    Trait::new(
        "ring the flood bell",
        [
            "The flood bell taught me to pull with the back and the knees, and let the arms come after.",
            "I listen for water under everything, as one does after years of having the flood bell's rope to mind.",
        ],
    ),
    Trait::new(
        "count sacks for a miller who could not",
        [
            "I count under my breath in fives, as I did the miller's sacks, with a finger bent for each.",
            "That miller could not count past four sacks, and blamed me for the fifth, so I go over everything twice.",
        ],
    ),
    Trait::new(
        "carry letters over the pass in winter",
        [
            "Over the pass in winter one kept the letters dry and the feet second, and I order my worries likewise.",
            "My toes curl as they did on the pass, with the winter letters on my back and the road guesswork.",
        ],
    ),
    Trait::new(
        "sing at other people's weddings",
        [
            "From singing at weddings I know how to look glad while breathing low, below the belt, where it does not show.",
            "I sang three hundred couples up the aisle, none of them mine, and can keep time through anything.",
        ],
    ),
    Trait::new(
        "set bones for a travelling circus",
        [
            "My fingers go first to where it would hurt, as when the circus brought me its acrobats folded.",
            "In the circus I set collarbones between one act and the next, which is a school for brisk thumbs.",
        ],
    ),
    Trait::new(
        "row the night ferry",
        [
            "Years of rowing the ferry backwards through the dark have taught my shoulders to do some of the seeing.",
            "On the night ferry I steered by the sound of the bank, and my head tilts to listen yet.",
        ],
    ),
    Trait::new(
        "catch eels for a convent",
        [
            "An eel cannot be held by squeezing, as I learned getting the convent its dinner, so my fingers try persuasion.",
            "I caught Friday's eels for a convent, up to the thighs in cold and silence, and neither surprises me.",
        ],
    ),
    Trait::new(
        "guard a bridge that nobody wanted",
        [
            "For six years I guarded a bridge that nobody wanted, and I can keep my dignity in any posture.",
            "Looking stern with nothing behind it was my whole defence of that unwanted bridge, and my chin takes it up.",
        ],
    ),
    Trait::new(
        "paint saints on inn signs",
        [
            "A saint on an inn sign must be known at a gallop, so I begin with the large shapes.",
            "I hold my breath as I did for the eyes of saints, up a ladder, with the inn sign swinging.",
        ],
    ),
    Trait::new(
        "teach the magistrate's children to whistle",
        [
            "The magistrate's children learned to whistle by my puffing at them, and my lips purse whenever I try hard.",
            "Having taught whistling to a magistrate's five, all at once, I have patience stored up in the ears.",
        ],
    ),
    Trait::new(
        "dig graves and, once, un-dig one",
        [
            "Digging graves, one squares the corners though they will not be seen again, and the habit has never left my wrists.",
            "Once I had to un-dig a grave, and have since gone about things as if they might want undoing.",
        ],
    ),
    Trait::new(
        "mend nets by lamplight",
        [
            "Knot by knot is how a net is mended, under a bad lamp, and even in haste I go knot by knot.",
            "My fingers were brought up on torn nets and a smoky lamp, so they scarcely trouble my eyes at all.",
        ],
    ),
    Trait::new(
        "play the villain in a company of seven",
        [
            "One eyebrow goes up of its own accord, for I was the villain three seasons in a company of seven.",
            "Being the villain in a company of seven meant also being the thunder, so I can attend to two things.",
        ],
    ),
    Trait::new(
        "mind the bees of a deaf bishop",
        [
            "Bees mind what is sudden, and so did the deaf bishop whose bees they were, so even my haste is smooth.",
            "With the bishop deaf, I was all the ears his hives had, and the change of note is what I listen for.",
        ],
    ),
    Trait::new(
        "keep the accounts of a very small war",
        [
            "I kept the accounts of a very small war, and nothing since has seemed too slight to be entered.",
            "In my head I rule two columns, as I did for our war, which came to eleven mules and a hat.",
        ],
    ),
    Trait::new(
        "sell hot chestnuts outside the gaol",
        [
            "Hot chestnuts left me fingertips of leather, and the gaol wall at my back a habit of honesty.",
            "Outside the gaol I sold chestnuts to people with a long wait ahead, and I caught the waiting off them.",
        ],
    ),
    Trait::new(
        "sweep chimneys",
        [
            "One elbow up and one down is how you climb a chimney, and to this day my elbows take sides.",
            "I narrow my eyes and breathe shallow, as one does below a chimney with the brush halfway up it.",
        ],
    ),
    Trait::new(
        "train falcons that would not come back",
        [
            "My falcons never came back, but they taught me to hold out an arm long after it aches.",
            "After so many falcons gone over the hill, I let a thing have its head and I keep my temper.",
        ],
    ),
    Trait::new(
        "light the street lamps on the poor side of town",
        [
            "From lighting lamps on the poor side of town I know how to make one match do for three.",
            "The crick in my neck is from lighting street lamps where the rents were low, and I favour it as I begin.",
        ],
    ),
    Trait::new(
        "read contracts aloud for people who could not",
        [
            "I look to the foot of everything first, where the small print was in all those contracts I read to people.",
            "Reading contracts out to other people, I came to respect the word notwithstanding, and I leave room for one.",
        ],
    ),
    Trait::new(
        "call the hours in a town with one clock",
        [
            "In a town with one clock my voice was all the others, so I pace myself by quarters.",
            "The town's one clock was often slow, and I called its hours regardless, with the straight face I keep by me.",
        ],
    ),
    Trait::new(
        "paint the numbers on pews",
        [
            "A seven on a pew end must be done in one stroke without a wobble, and my wrist recalls it.",
            "Pew by pew I painted numbers down a whole church, both aisles, so I like to take things in order.",
        ],
    ),
    Trait::new(
        "carry the other end of pianos",
        [
            "I always had the other end of the piano, the one going backwards, and my heels have stayed inquisitive.",
            "With pianos one learned to bend at the knee, and to blame nobody at the other end.",
        ],
    ),
    Trait::new(
        "mind the left luggage at a coaching inn",
        [
            "Minding left luggage, I came to know a thing by its weight and smell, with the straps done up.",
            "My thoughts go on shelves with a ticket each, like unclaimed trunks at the coaching inn, and I reach one down.",
        ],
    ),
    Trait::new(
        "cheat at skittles for the regiment",
        [
            "For the honour of the regiment I cheated at skittles, and my left foot edges forward by itself.",
            "There is a cough that covers a nudged skittle, taught me by the regiment, and my throat prepares it.",
        ],
    ),
    Trait::new(
        "stuff owls for gentlemen",
        [
            "Having stuffed owls for gentlemen, I can wear an air of mild surprise for as long as it is needed.",
            "Small stitches, with the seam underneath, were how I did owls for gentlemen, and are how I do most things.",
        ],
    ),
    Trait::new(
        "mark the high water on a wall",
        [
            "I used to scratch the line on the wall where the flood had been, and I measure trouble against my knees.",
            "On the wall I marked how high the water came, and in my head I always add a hand.",
        ],
    ),
    Trait::new(
        "write love letters by the dozen, for others",
        [
            "I wrote love by the dozen for other people to sign, so I know where to put the pause.",
            "At a penny a love letter I pined for half the county, and the knack of prompt feeling has stayed.",
        ],
    ),
    Trait::new(
        "hold the horses outside the bank",
        [
            "Outside the bank I held the horses and asked nothing, and have kept the loose wrist and the blank face.",
            "Six horses' bridles in one fist, while others were busy in the bank, are why I lean back and keep breathing.",
        ],
    ),
    Trait::new(
        "bottle plums for a bishop",
        [
            "A plum for the bishop went into its bottle stalk down and unbruised, and I handle everything so.",
            "For nine autumns my hands were purple with the bishop's plums, and they know a tight lid by the feel.",
        ],
    ),
    Trait::new(
        "measure people for coffins, by eye",
        [
            "By eye, and without seeming to, I measured people for coffins, and I take the size of most things politely.",
            "Measuring for coffins left me a glance that goes shoulder, heel, shoulder, and I run it over the business before me.",
        ],
    ),
    Trait::new(
        "walk in front of a steam roller with a flag",
        [
            "With a red flag I walked ahead of a steam roller, so I go forward as if something large were following.",
            "I have had ten tons of steam at my heels and a flag in my hand, and know better than to look round.",
        ],
    ),
    Trait::new(
        "sort buttons at the poorhouse",
        [
            "Bone from brass from horn, my fingertips sort as they go, as they did with the poorhouse buttons.",
            "Sorting buttons at the poorhouse, I saw that nearly everything has a fellow somewhere if one is not proud.",
        ],
    ),
    Trait::new(
        "blow the organ at St. Osyth's",
        [
            "I pumped the organ at St. Osyth's from behind a curtain, and can put my weight into things unthanked.",
            "Down slowly, up quickly, never starve the pipes, was the rule of the bellows at St. Osyth's, and I breathe by it.",
        ],
    ),
    Trait::new(
        "shout the names at auctions",
        [
            "Names were what I shouted at auctions, hundreds a day, so I fill my chest to the bottom before starting.",
            "After years of crying bidders' names at auctions I notice every scratched nose, beginning with my own.",
        ],
    ),
    Trait::new(
        "deliver milk to an island",
        [
            "Milk must be rowed to an island without temper, or it arrives as butter, so I keep myself level.",
            "I took the milk over to the island on every sort of sea, and my hips do the balancing yet.",
        ],
    ),
];
