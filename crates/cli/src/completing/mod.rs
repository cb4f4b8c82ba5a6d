//! What a shell offers when somebody presses Tab: the program is asked with the line as far as it was typed, and answers with what can
//! stand there. It never fails and never waits, says nothing on standard error, and writes nothing: at worst nothing is offered.

mod bash;
mod candidates;
mod typed;

use std::ffi::OsString;
use std::io::Write;
use std::path::Path;
use std::sync::Arc;

use clap::{Command, CommandFactory};
use clap_complete::engine::ArgValueCompleter;
use clap_complete::env::{EnvCompleter, Shells};

use bash::Bash;
pub use typed::Known;
use typed::Typed;

/// The variable by which scripts of completion ask; every program that uses the same library has it.
const ASKED_BY: &str = "COMPLETE";
/// The variable in which some shells say which word is completed.
const INDEX: &str = "_CLAP_COMPLETE_INDEX";
/// A file in a folder of `$fpath` is run as the function itself when zsh first needs it.
const ZSH_FIRST: &str = "
if [ \"$funcstack[1]\" = \"_twicetold\" ]; then
    _clap_dynamic_completer_twicetold \"$@\"
fi
";

fn variable(name: &str) -> Option<OsString> {
    #[allow(clippy::disallowed_methods, reason = "a shell that completes a line asks by variables")]
    std::env::var_os(name)
}

/// The shell that asks; nothing where none of those that are known does. A variable of this name may be there for other reasons.
fn shell_named(name: &str) -> Option<&'static dyn EnvCompleter> {
    const SHELLS: Shells<'static> = Shells::builtins();
    match Path::new(name).file_stem()?.to_str()? {
        "bash" => Some(&Bash),
        name => SHELLS.0.iter().copied().find(|shell| shell.is(name)),
    }
}

/// The script that lets a shell ask this program, which is run as `program`.
pub fn script(shell: &str, program: &Path) -> Option<String> {
    let mut script = Vec::new();
    let shell = shell_named(shell)?;
    // By a path from elsewhere the program would not be found; by its name the shell finds it again, also a newer one.
    let is_path = program.components().count() > 1;
    let program = if is_path { std::path::absolute(program).ok()? } else { program.to_owned() };
    let program = program.to_string_lossy();
    shell.write_registration(ASKED_BY, "twicetold", "twicetold", &program, &mut script).ok()?;
    if shell.name() == "zsh" {
        script.extend(ZSH_FIRST.as_bytes());
    }
    String::from_utf8(script).ok()
}

/// Answers a shell, if one asks. Then there is nothing else to do.
pub fn answered(known: Known) -> bool {
    let Some(shell) = variable(ASKED_BY).and_then(|name| shell_named(name.to_str()?)) else { return false };
    std::panic::set_hook(Box::new(|_| {}));
    let arguments: Vec<OsString> = std::env::args_os().collect();
    let program = arguments.first().map(Path::new).unwrap_or(Path::new("twicetold"));
    let words: Vec<OsString> = arguments.iter().skip_while(|word| *word != "--").skip(1).cloned().collect();
    let answer = match words.is_empty() {
        true => script(shell.name(), program).map(String::into_bytes),
        false => offered(shell, words, known),
    };
    // Whoever closed standard output wants no answer.
    let _ = std::io::stdout().write_all(&answer.unwrap_or_default());
    true
}

/// What can stand at the place of the cursor, as the shell reads it.
fn offered(shell: &dyn EnvCompleter, words: Vec<OsString>, known: Known) -> Option<Vec<u8>> {
    let named = variable(INDEX).and_then(|index| index.to_str()?.parse().ok());
    let at = named.unwrap_or(words.len().saturating_sub(1));
    let (joined, place, _) = match shell.name() {
        "bash" => bash::joined(&words, at),
        _ => (words.clone(), at, OsString::new()),
    };
    let has_texts = !matches!(shell.name(), "bash" | "elvish");
    let mut program = completed(Typed::new(&joined, place, has_texts, known));
    let mut answer = Vec::new();
    shell.write_complete(&mut program, words, None, &mut answer).ok()?;
    Some(answer)
}

/// The command line with what can be offered for its values.
fn completed(typed: Typed) -> Command {
    let is_option = typed.current().to_string_lossy().starts_with('-');
    let mut program = crate::help::grouped(crate::Arguments::command());
    if !is_option {
        // An option that is hidden is offered only where nothing else can stand.
        program = program.disable_help_flag(true).disable_version_flag(true);
    }
    with_candidates(program, &Arc::new(typed), !is_option)
}

fn with_candidates(command: Command, typed: &Arc<Typed>, hides_options: bool) -> Command {
    let name = command.get_name().to_owned();
    let command = command.mut_args(|argument| {
        let argument = argument.clone().hide(hides_options && !argument.is_positional());
        match candidates::of(&name, argument.get_id().as_str()) {
            Some(values) => {
                let typed = Arc::clone(typed);
                argument.add(ArgValueCompleter::new(move |current: &std::ffi::OsStr| values(&typed, current)))
            }
            None => argument,
        }
    });
    command.mut_subcommands(|below| with_candidates(below, typed, hides_options))
}
