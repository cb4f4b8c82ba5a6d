//! Model servers on loopback, and what is made of what they say.

mod asides;
mod http;
mod shared;
mod support;
