//! Promises of the journal about the storage under it: crashes and faults at every place.

mod crash_images;
mod disk;
mod faults;
