//! Typed indices and the tables they index.
//!
//! An entity (`Block`, `Value`, …) is a `u32` with a type. It is `Copy`, ordered by creation, and
//! its `Display` is its name in the text form. A [`PrimaryMap`] owns the data of all entities of
//! one kind and assigns the indices; a [`SecondaryMap`] annotates entities and grows on demand.

use std::fmt;
use std::hash::Hash;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// A typed index, see [`entity!`](crate::entity!).
pub trait Entity: Copy + Eq + Ord + Hash + fmt::Debug {
    /// The entity with index `index`.
    fn new(index: usize) -> Self;
    /// The position in the owning [`PrimaryMap`].
    fn index(self) -> usize;
}

/// Declares an entity type whose text name is `prefix` followed by the index.
#[macro_export]
macro_rules! entity {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, serde::Serialize, serde::Deserialize)]
        pub struct $name(pub u32);

        impl $crate::entity::Entity for $name {
            fn new(index: usize) -> Self {
                $name(u32::try_from(index).expect("an entity table holds fewer than 2^32 entries"))
            }
            fn index(self) -> usize {
                self.0 as usize
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl std::fmt::Debug for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                std::fmt::Display::fmt(self, f)
            }
        }
    };
}

/// The table that owns the data of all entities of type `K`.
#[derive(Clone, PartialEq, Eq)]
pub struct PrimaryMap<K, V> {
    entries: Vec<V>,
    key: PhantomData<K>,
}

impl<K: Entity, V> PrimaryMap<K, V> {
    /// Creates an empty table.
    pub fn new() -> Self {
        PrimaryMap { entries: Vec::new(), key: PhantomData }
    }

    /// Adds an entry and returns its index.
    pub fn push(&mut self, value: V) -> K {
        let key = self.next_key();
        self.entries.push(value);
        key
    }

    /// The index that the next [`push`](Self::push) returns.
    pub fn next_key(&self) -> K {
        K::new(self.entries.len())
    }

    /// The number of entries.
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no entry.
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The entry of `key`, if there is one.
    pub fn get(&self, key: K) -> Option<&V> {
        self.entries.get(key.index())
    }

    /// All indices in order of creation.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + use<K, V> {
        (0..self.entries.len()).map(K::new)
    }

    /// All entries in order of creation.
    pub fn values(&self) -> impl DoubleEndedIterator<Item = &V> + ExactSizeIterator {
        self.entries.iter()
    }

    /// All entries, mutable, in order of creation.
    pub fn values_mut(&mut self) -> impl DoubleEndedIterator<Item = &mut V> + ExactSizeIterator {
        self.entries.iter_mut()
    }

    /// All indices with their entries, in order of creation.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &V)> + ExactSizeIterator {
        self.entries.iter().enumerate().map(|(i, v)| (K::new(i), v))
    }

    /// All indices with their entries, mutable, in order of creation.
    pub fn iter_mut(&mut self) -> impl DoubleEndedIterator<Item = (K, &mut V)> + ExactSizeIterator {
        self.entries.iter_mut().enumerate().map(|(i, v)| (K::new(i), v))
    }
}

impl<K: Entity, V> Default for PrimaryMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Entity, V> Index<K> for PrimaryMap<K, V> {
    type Output = V;
    fn index(&self, key: K) -> &V {
        &self.entries[key.index()]
    }
}

impl<K: Entity, V> IndexMut<K> for PrimaryMap<K, V> {
    fn index_mut(&mut self, key: K) -> &mut V {
        &mut self.entries[key.index()]
    }
}

impl<K: Entity + fmt::Debug, V: fmt::Debug> fmt::Debug for PrimaryMap<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

impl<K: Entity, V> FromIterator<V> for PrimaryMap<K, V> {
    fn from_iter<I: IntoIterator<Item = V>>(entries: I) -> Self {
        PrimaryMap { entries: entries.into_iter().collect(), key: PhantomData }
    }
}

/// An annotation of the entities of type `K`: every key has a value, initially the default.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SecondaryMap<K, V> {
    entries: Vec<V>,
    default: V,
    key: PhantomData<K>,
}

impl<K: Entity, V: Clone + Default> SecondaryMap<K, V> {
    /// Creates a map in which every key has the value `V::default()`.
    pub fn new() -> Self {
        Self::with_default(V::default())
    }
}

impl<K: Entity, V: Clone> SecondaryMap<K, V> {
    /// Creates a map in which every key has the value `default`.
    pub fn with_default(default: V) -> Self {
        SecondaryMap { entries: Vec::new(), default, key: PhantomData }
    }
}

impl<K: Entity, V: Clone + Default> Default for SecondaryMap<K, V> {
    fn default() -> Self {
        Self::new()
    }
}

impl<K: Entity, V> Index<K> for SecondaryMap<K, V> {
    type Output = V;
    fn index(&self, key: K) -> &V {
        self.entries.get(key.index()).unwrap_or(&self.default)
    }
}

impl<K: Entity, V: Clone> IndexMut<K> for SecondaryMap<K, V> {
    fn index_mut(&mut self, key: K) -> &mut V {
        let index = key.index();
        if index >= self.entries.len() {
            self.entries.resize(index + 1, self.default.clone());
        }
        &mut self.entries[index]
    }
}
