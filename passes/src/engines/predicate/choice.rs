//! Choices that have names: one table for the parser, the help and the documentation.

/// A value of a choice, as users name it.
#[derive(Clone, Copy, Debug)]
pub struct Named<T: 'static> {
    /// What users write.
    pub name: &'static str,
    /// What it means, in one sentence.
    pub about: &'static str,
    /// The value.
    pub value: T,
}

/// A type whose values have names.
pub trait Choice: Copy + Eq + Sized + 'static {
    /// All values, in the order in which they are listed.
    const ALL: &'static [Named<Self>];

    /// The value of this name.
    #[must_use]
    fn named(name: &str) -> Option<Self> {
        Self::ALL.iter().find(|named| named.name == name).map(|named| named.value)
    }

    /// The name of the value.
    #[must_use]
    fn name(self) -> &'static str {
        Self::ALL.iter().find(|named| named.value == self).map_or("", |named| named.name)
    }
}

/// Defines an enumeration with names.
macro_rules! choice {
    ($(#[$about:meta])* $name:ident { $($variant:ident = $text:literal, $help:literal;)+ }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        pub enum $name {
            $(#[doc = $help] $variant,)+
        }

        impl $crate::engines::predicate::choice::Choice for $name {
            const ALL: &'static [$crate::engines::predicate::choice::Named<Self>] = &[
                $($crate::engines::predicate::choice::Named { name: $text, about: $help, value: $name::$variant },)+
            ];
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str($crate::engines::predicate::choice::Choice::name(*self))
            }
        }
    };
}
pub(crate) use choice;
