//! Documents for people.
