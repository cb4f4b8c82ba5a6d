//! Expressions of dice as books write them, as the one roll of the engine's that comes nearest.

/// Dice of one roll, as the bundled limits have it. What is more is counted by its average.
const DICE_MAX: u32 = 20;

/// A roll that the engine can make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Roll {
    /// For example `2d6+3`.
    pub text: String,
    /// Is it all that the expression says? Otherwise some of it is there by its average.
    pub exact: bool,
    /// Did the expression add the roller's own modifier? It is left out.
    pub modifier_left_out: bool,
}

impl Roll {
    /// Reads `2d6 + 3`, `4d6+4d6`, `1d8 + MOD` or `5`; nothing when it is none of these or comes to nothing.
    pub fn read(text: &str) -> Option<Roll> {
        let folded: String = text.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_lowercase();
        let mut sum = Sum { exact: true, ..Sum::default() };
        let mut rest = folded.as_str();
        let mut sign = 1;
        while !rest.is_empty() {
            let end = rest.find(['+', '-']).unwrap_or(rest.len());
            sum.add(&rest[..end], sign)?;
            sign = if rest[end..].starts_with('-') { -1 } else { 1 };
            rest = match rest.get(end + 1..) {
                Some("") => return None,
                more => more.unwrap_or(""),
            };
        }
        sum.roll()
    }

    /// Several kinds of damage of one blow: the first as dice, the others by their averages.
    pub fn together<'a>(texts: impl IntoIterator<Item = &'a str>) -> Option<Roll> {
        let joined: Vec<&str> = texts.into_iter().collect();
        Roll::read(&joined.join("+"))
    }
}

#[derive(Default)]
struct Sum {
    count: u32,
    sides: u32,
    constant: i32,
    exact: bool,
    modifier_left_out: bool,
}

impl Sum {
    fn add(&mut self, term: &str, sign: i32) -> Option<()> {
        if term == "mod" {
            self.modifier_left_out = true;
            return Some(());
        }
        let Some((count, sides)) = term.split_once('d') else {
            let number: i32 = term.parse().ok()?;
            self.constant = self.constant.checked_add(sign * number)?;
            return Some(());
        };
        let count: u32 = if count.is_empty() { 1 } else { count.parse().ok()? };
        let sides: u32 = sides.parse().ok()?;
        if sign < 0 || !(1..=1_000).contains(&count) || !(2..=1_000).contains(&sides) {
            return None;
        }
        if self.sides == 0 {
            self.sides = sides;
        }
        if self.sides == sides && self.count + count <= DICE_MAX {
            self.count += count;
            return Some(());
        }
        let kept = if self.sides == sides { DICE_MAX.saturating_sub(self.count) } else { 0 };
        self.count += kept;
        self.exact = false;
        // The average of a die, rounded down over all of them, as stat blocks print it.
        let average = (count - kept) * (sides + 1) / 2;
        self.constant = self.constant.checked_add(i32::try_from(average).ok()?)?;
        Some(())
    }

    fn roll(self) -> Option<Roll> {
        let (count, sides, constant, exact) = match (self.count, self.constant) {
            (0, 1) => (1, 2, -1, true), // A blow that hits does at least 1.
            (0, fixed) if fixed > 1 => (1, 2, fixed - 1, false),
            (0, _) => return None,
            (count, constant) => (count, self.sides, constant, self.exact),
        };
        if !(-1_000..=1_000).contains(&constant) {
            return None;
        }
        let text = match constant {
            0 => format!("{count}d{sides}"),
            constant => format!("{count}d{sides}{constant:+}"),
        };
        Some(Roll { text, exact, modifier_left_out: self.modifier_left_out })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> (String, bool) {
        let roll = Roll::read(text).unwrap();
        (roll.text, roll.exact)
    }

    #[test]
    fn what_the_engine_can_roll_stays_as_it_is() {
        for (text, wanted) in [("2d6", "2d6"), ("1d6 + 2", "1d6+2"), ("d8-1", "1d8-1"), ("3d4 + 3", "3d4+3")]
        {
            assert_eq!(read(text), (wanted.to_owned(), true), "{text}");
        }
        assert_eq!(read("4d6 + 4d6"), ("8d6".to_owned(), true));
        assert_eq!(read("1"), ("1d2-1".to_owned(), true));
    }

    #[test]
    fn what_it_cannot_roll_is_there_by_its_average() {
        assert_eq!(read("2d10+6+1d8"), ("2d10+10".to_owned(), false));
        assert_eq!(read("20d6+20d6"), ("20d6+70".to_owned(), false));
        assert_eq!(read("25d10"), ("20d10+27".to_owned(), false));
        assert_eq!(read("70"), ("1d2+69".to_owned(), false));
        assert_eq!(Roll::together(["1d6+2", "2d6"]).map(|roll| roll.text), Some("3d6+2".to_owned()));
    }

    #[test]
    fn the_modifier_of_whoever_rolls_is_left_out_and_told_of() {
        let roll = Roll::read("1d8 + MOD").unwrap();
        assert_eq!((roll.text.as_str(), roll.modifier_left_out), ("1d8", true));
    }

    #[test]
    fn other_texts_are_no_rolls() {
        for text in
            ["", "0", "-3", "plenty", "1d1", "0d6", "2d6+", "1d6+x", "d", "1d6-1d4", "9999999999", "1d6+9999"]
        {
            assert_eq!(Roll::read(text), None, "{text}");
        }
    }
}
