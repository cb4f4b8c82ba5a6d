//! How often fair dice show what was seen: in whole numbers, so that every machine says the same.

/// Certainty. Probabilities are whole numbers of this many.
pub(crate) const ONE: u128 = 1_000_000_000_000_000_000;

/// The chance that so many dice sum to at least `sum`, or, if `low`, to at most that.
pub(crate) fn of_sum(sides: u16, count: usize, sum: u64, low: bool) -> u128 {
    let sides = usize::from(sides);
    // By sums above `count`, the least: entry 0 is all ones.
    let mut chances = vec![ONE];
    for _ in 0..count {
        let mut next = vec![0; chances.len() + sides - 1];
        let mut row: u128 = 0;
        for (place, chance) in next.iter_mut().enumerate() {
            row += chances.get(place).copied().unwrap_or(0);
            row -= place.checked_sub(sides).and_then(|gone| chances.get(gone)).copied().unwrap_or(0);
            *chance = row / sides as u128;
        }
        chances = next;
    }
    let least = usize::try_from(sum).unwrap_or(usize::MAX).saturating_sub(count);
    let counted = chances.iter().enumerate();
    counted
        .filter(|(place, _)| if low { *place <= least } else { *place >= least })
        .map(|(_, chance)| *chance)
        .sum()
}

/// The chance that one of the faces comes at least `times` among so many dice, at most.
pub(crate) fn of_face(sides: u16, count: usize, times: usize) -> u128 {
    let sides = u128::from(sides);
    // By how often one face has come; the last entry is "as often as that or more".
    let mut chances = vec![0; times + 1];
    chances[0] = ONE;
    for _ in 0..count {
        for place in (0..=times).rev() {
            let stays = if place == times { chances[place] } else { chances[place] * (sides - 1) / sides };
            let comes = place.checked_sub(1).map_or(0, |before| chances[before] / sides);
            chances[place] = stays + comes;
        }
    }
    (chances[times] * sides).min(ONE)
}

/// The chance that all dice lie within some range of so many faces, at most.
pub(crate) fn of_range(sides: u16, count: usize, width: u16) -> u128 {
    let places = u128::from(sides.saturating_sub(width) + 1);
    let one = (0..count).fold(ONE, |chance, _| chance * u128::from(width) / u128::from(sides));
    (one * places).min(ONE)
}

/// The chance that one face comes so many times in a row somewhere among so many dice, at most.
pub(crate) fn of_streak(sides: u16, count: usize, length: usize) -> u128 {
    let one = (1..length).fold(ONE, |chance, _| chance / u128::from(sides));
    (one * count as u128).min(ONE)
}

/// "40,000", of a chance of one in so many; two leading digits, because no more of it means anything.
pub(crate) fn odds(chance: u128) -> u64 {
    let odds = u64::try_from(ONE / chance.max(1)).unwrap_or(u64::MAX);
    let scale = 10u64.pow(odds.checked_ilog10().unwrap_or(0).saturating_sub(1));
    odds / scale * scale
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In millionths, rounded down.
    fn millionths(chance: u128) -> u128 {
        chance / (ONE / 1_000_000)
    }

    #[test]
    fn chances_are_those_of_books() {
        // Two dice show twelve once in 36 times, and seven or less 21 times in 36.
        assert_eq!(millionths(of_sum(6, 2, 12, false)), 27_777);
        assert_eq!(millionths(of_sum(6, 2, 7, true)), 583_333);
        // Six sixes of six: 1 / 46,656 for a given face, six times that for any.
        assert_eq!(millionths(of_face(6, 6, 6)), 128);
        assert_eq!(millionths(of_range(20, 2, 10)), 1_000_000);
        assert_eq!(millionths(of_range(20, 12, 6)), 7);
        assert_eq!(millionths(of_streak(20, 10, 4)), 1_250);
    }

    #[test]
    fn odds_have_two_digits_that_mean_something() {
        assert_eq!(odds(ONE / 41_234), 41_000);
        assert_eq!(odds(ONE), 1);
    }
}
