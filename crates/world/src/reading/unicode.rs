//! The Unicode tables of the toolchain, as decisions use them: lower case, and what is a letter, a digit, a space or a control character.
//!
//! FROZEN: an old reply is read anew by these tables. A toolchain with others fails here; then the tables as they were have to become
//! part of the program, for the rules versions that decided by them.

/// FNV-1a over what every character is to the rules.
fn tables() -> u64 {
    let mut digest = 0xcbf2_9ce4_8422_2325_u64;
    let mut add = |number: u32| digest = (digest ^ u64::from(number)).wrapping_mul(0x0100_0000_01b3);
    for c in '\0'..=char::MAX {
        let is = [c.is_alphanumeric(), c.is_alphabetic(), c.is_whitespace(), c.is_control()];
        is.into_iter().for_each(|is| add(u32::from(is)));
        c.to_lowercase().for_each(|lower| add(u32::from(lower)));
    }
    digest
}

#[test]
fn every_character_is_what_it_was() {
    assert_eq!((char::UNICODE_VERSION, tables()), ((17, 0, 0), 0x8f4b_78d0_94e6_b5b8));
}
