//! Whole campaigns as the application library seats and plays them.

mod slow_model;
