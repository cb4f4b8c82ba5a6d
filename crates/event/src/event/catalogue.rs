//! The macro of the catalogue: from one line for each event come its codec, family, audience, place in the story and texts.

/// Declares a macro that hands a family's lines on to the next one, so that each family is written where its structs are.
macro_rules! family {
    (($d:tt) $name:ident $($lines:tt)*) => {
        macro_rules! $name {
            ([$d($d done:tt)*] $d next:ident $d($d rest:ident)*) => {
                $d next! { [$d($d done)* $($lines)*] $d($d rest)* }
            };
        }
    };
}

/// Declares the events by families. Each line: type number, version, name (and frozen structs of older versions, as in
/// [`words!`](crate::words::words)), the rule of its audience, `story` or `aside`, and its fields that are [`Text`](crate::Text)s.
macro_rules! catalogue {
    ([$(
        $(#[$meta:meta])*
        $family:ident {
            $(
                $number:literal v $version:literal $name:ident $(from $old_version:literal $old:ident)*
                    : $audience:ident, $story:ident, [$($text:ident),*] $(keeps $reply:ident)?;
            )*
        }
    )*]) => {
        $crate::words::words! {
            /// One decision. Type numbers from 100; a number is never reused and never the enum's index.
            pub enum Event {
                $($($number v $version $name $(from $old_version $old)*,)*)*
            }
        }

        /// Events by what they are about. The enums are exhaustive: who matches them answers for every event.
        pub mod family {
            $(
                $(#[$meta])*
                #[derive(Clone, Copy, Debug)]
                #[allow(missing_docs, reason = "the structs are documented")]
                pub enum $family<'a> {
                    $($name(&'a super::$name),)*
                }
            )*

            /// The family that an event belongs to.
            #[derive(Clone, Copy, Debug)]
            #[allow(missing_docs, reason = "the enums are documented")]
            pub enum Family<'a> {
                $($family($family<'a>),)*
                /// Written by a build that knows more events than this one.
                Unknown(&'a $crate::Unknown),
            }
        }

        impl Event {
            /// Every event's name and the rule of its audience.
            pub const AUDIENCES: &'static [(&'static str, &'static str)] =
                &[$($((stringify!($name), stringify!($audience)),)*)*];

            /// The event as one of its family.
            pub fn family(&self) -> family::Family<'_> {
                match self {
                    $($(Event::$name(word) => family::Family::$family(family::$family::$name(word)),)*)*
                    Event::Unknown(unknown) => family::Family::Unknown(unknown),
                }
            }

            /// Who may know the event's text.
            pub fn audience(&self) -> $crate::Audience {
                match self {
                    $($(Event::$name(word) => $audience(word),)*)*
                    Event::Unknown(_) => $crate::Audience::Dm,
                }
            }

            /// Is it part of the story? What only says how often a call was tried, or that somebody closed a laptop, is not.
            pub fn is_story(&self) -> bool {
                match self {
                    $($(Event::$name(_) => $crate::event::catalogue::is_story!($story),)*)*
                    Event::Unknown(_) => false,
                }
            }

            /// The texts that the event holds; the first one is what it says.
            pub fn texts(&self) -> Vec<&$crate::Text> {
                match self {
                    $($(Event::$name(_word) => vec![$(&_word.$text),*],)*)*
                    Event::Unknown(_) => Vec::new(),
                }
            }

            /// The replies without which the event cannot be shown: those that its texts point into, and that of its tool call.
            pub fn replies(&self) -> impl Iterator<Item = $crate::CallId> {
                let call = match self {
                    $($(Event::$name(_word) => {
                        let call: Option<$crate::CallId> = None;
                        $(let call = call.or(Some(_word.$reply));)?
                        call
                    })*)*
                    Event::Unknown(_) => None,
                };
                self.texts().into_iter().filter_map($crate::Text::reply).chain(call)
            }
        }
    };
}

/// What the catalogue's words for it mean.
macro_rules! is_story {
    (story) => {
        true
    };
    (aside) => {
        false
    };
}
pub(crate) use is_story;
