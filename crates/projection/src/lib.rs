//! What is derived from the journal for reading: prompts for seats, documents for people.
