//! The abstract contents of values with respect to addresses, and the families of derived values:
//! see [`contents`](super::contents).

use program::ssa::Type;
use terms::entity::PrimaryMap;

terms::entity! {
    /// A set of values derived from addresses.
    Family, "family"
}

/// The abstract content of a value.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Content {
    /// It may be the address of an object, or null.
    pub(super) address: bool,
    /// It may be a number that is not an address.
    pub(super) number: bool,
    /// It may be derived from addresses.
    pub(super) derived: Option<Family>,
    /// It may be null or a small number, which is never the address of an object. A value without
    /// any content is unreached so far.
    pub(super) neutral: bool,
    /// The part of a derived value that depends on the placement is below 2 to this power: see
    /// [`magnitude`](super::magnitude).
    pub(super) bits: u32,
}

impl Content {
    pub(super) const NUMBER: Content =
        Content { address: false, number: true, derived: None, neutral: false, bits: 0 };
    pub(super) const ADDRESS: Content =
        Content { address: true, number: false, derived: None, neutral: false, bits: 0 };
    pub(super) const NEUTRAL: Content =
        Content { address: false, number: false, derived: None, neutral: true, bits: 0 };

    /// Whether nothing is known yet.
    pub(super) fn is_unreached(self) -> bool {
        self == Content::default()
    }

    /// Whether it is null or an address.
    pub(super) fn is_address(self) -> bool {
        self.address && !self.number && self.derived.is_none()
    }

    /// Whether it may be computed by the program, with any dependence on addresses.
    pub(super) fn is_computed(self) -> bool {
        self.number || self.derived.is_some()
    }

    /// Whether it is independent of the placement of objects.
    pub(super) fn is_clean(self) -> bool {
        !self.address && self.derived.is_none()
    }
}

#[derive(Clone, Copy, Debug)]
struct FamilyData {
    parent: Family,
    is_internal: bool,
    /// Whether all members are exclusive disjunctions of addresses and members.
    is_xor: bool,
}

/// The families, as a union-find.
#[derive(Clone, Debug, Default)]
pub(super) struct Families {
    data: PrimaryMap<Family, FamilyData>,
}

impl Families {
    /// The representative of a family.
    pub(super) fn root(&self, family: Family) -> Family {
        let mut family = family;
        while self.data[family].parent != family {
            family = self.data[family].parent;
        }
        family
    }

    /// Whether the members of the family keep their internal values.
    pub(super) fn is_internal(&self, family: Family) -> bool {
        self.data[self.root(family)].is_internal
    }

    /// Whether all members are exclusive disjunctions of addresses.
    pub(super) fn is_xor(&self, family: Family) -> bool {
        self.data[self.root(family)].is_xor
    }

    /// Creates a family.
    pub(super) fn fresh(&mut self, is_xor: bool, is_internal: bool) -> Family {
        let parent = self.data.next_key();
        self.data.push(FamilyData { parent, is_internal, is_xor })
    }

    /// Unites two families; returns the representative.
    pub(super) fn unite(&mut self, a: Family, b: Family) -> Family {
        let (a, b) = (self.root(a), self.root(b));
        if a == b {
            return a;
        }
        let (first, second) = (a.min(b), a.max(b));
        let other = self.data[second];
        self.data[second].parent = first;
        let data = &mut self.data[first];
        data.is_internal |= other.is_internal;
        data.is_xor &= other.is_xor;
        first
    }

    /// Makes the members keep their internal values.
    pub(super) fn make_internal(&mut self, family: Family) {
        let root = self.root(family);
        self.data[root].is_internal = true;
    }

    /// Records that the family has members that are not exclusive disjunctions.
    pub(super) fn make_general(&mut self, family: Family) {
        let root = self.root(family);
        self.data[root].is_xor = false;
    }

    /// The join of two contents.
    pub(super) fn join(&mut self, a: Content, b: Content) -> Content {
        let derived = match (a.derived, b.derived) {
            (Some(a), Some(b)) => Some(self.unite(a, b)),
            (a, b) => a.or(b).map(|family| self.root(family)),
        };
        let joined = Content {
            address: a.address || b.address,
            number: a.number || b.number,
            derived,
            neutral: a.neutral || b.neutral,
            bits: a.bits.max(b.bits),
        };
        if let (true, Some(family)) = (joined.address, derived) {
            self.make_internal(family);
        }
        joined
    }

    /// The content of a variable of type `ty` that is assigned `content`.
    pub(super) fn as_type(&mut self, content: Content, ty: Type) -> Content {
        match ty {
            Type::Bool => Content::default(),
            Type::Pointer { .. } => {
                if let Some(family) = content.derived {
                    self.make_internal(family);
                    return Content { address: true, ..content };
                }
                // A pointer that is only null so far.
                Content { address: content.address || (content.neutral && !content.number), ..content }
            }
            Type::Int { .. } => content,
        }
    }
}
