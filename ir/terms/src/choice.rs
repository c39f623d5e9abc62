//! Enumerations for user options: one table for the parser, the help and the manual.
//!
//! [`choice!`](crate::choice!) defines an enumeration together with the name and the help text of
//! each value. The command line derives its parser and help from [`Choice::TABLE`] and has no
//! enumerations of its own. Not for enumerations with fields: these have their own parsers.

/// A named value of an enumeration.
#[derive(Clone, Copy, Debug)]
pub struct Named<T: 'static> {
    /// The name as users write it.
    pub name: &'static str,
    /// The meaning, in one sentence without a full stop.
    pub about: &'static str,
    /// The value.
    pub value: T,
}

/// An enumeration whose values have names.
pub trait Choice: Copy + Eq + Sized + 'static {
    /// All values, in the order in which help lists them.
    const TABLE: &'static [Named<Self>];

    /// All values.
    fn all() -> impl Iterator<Item = Self> {
        Self::TABLE.iter().map(|named| named.value)
    }

    /// The value with this name (case-sensitive).
    #[must_use]
    fn named(name: &str) -> Option<Self> {
        Self::TABLE.iter().find(|named| named.name == name).map(|named| named.value)
    }

    /// The name of the value.
    #[must_use]
    fn name(self) -> &'static str {
        Self::TABLE.iter().find(|named| named.value == self).map_or("", |named| named.name)
    }
}

/// Defines an enumeration and its table: `Variant = "name", "help";` for each value. Attributes of
/// the enumeration and of its variants are kept; the help of a value is also its documentation.
///
/// ```
/// use terms::choice::Choice;
///
/// terms::choice! {
///     /// A direction.
///     #[derive(Default)]
///     Direction {
///         #[default]
///         Forward = "forward", "from the entry";
///         Backward = "backward", "from the error";
///     }
/// }
/// assert_eq!(Direction::named("backward"), Some(Direction::Backward));
/// assert_eq!(Direction::default().to_string(), "forward");
/// ```
#[macro_export]
macro_rules! choice {
    ($(#[$about:meta])* $name:ident {
        $($(#[$attribute:meta])* $variant:ident = $text:literal, $help:literal;)+
    }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name {
            $(#[doc = $help] $(#[$attribute])* $variant,)+
        }

        impl $crate::choice::Choice for $name {
            const TABLE: &'static [$crate::choice::Named<Self>] = &[
                $($crate::choice::Named { name: $text, about: $help, value: $name::$variant },)+
            ];
        }

        impl ::std::fmt::Display for $name {
            fn fmt(&self, f: &mut ::std::fmt::Formatter<'_>) -> ::std::fmt::Result {
                f.write_str($crate::choice::Choice::name(*self))
            }
        }
    };
}
