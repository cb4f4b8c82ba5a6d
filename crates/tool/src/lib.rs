//! One file per tool: its name, its arguments, a pure decision.
