//! Data types: enumerations and records as the sorts that terms have.
//!
//! A reader represents a data type by an uninterpreted sort, and its constructors, selectors and
//! testers by symbols and functions of the pool, so that terms over data types are well-sorted
//! terms. No solver sees them: [`Datatypes::flatten`] replaces each term of a data type by its
//! *components*.
//!
//! | data type | components |
//! |---|---|
//! | enumeration: constructors without fields | with one constructor none, with two a Bool, with 2ⁿ a bit vector of n bits, else an integer in a *range* |
//! | record: one constructor, not recursive | those of its fields |
//! | array of records, of enumerations | an array for each component of the element |
//!
//! A quantified variable becomes its components, quantified together with their ranges: `∀x. φ`
//! becomes `∀c. range(c) ⇒ φ`, and `∃x. φ` becomes `∃c. range(c) ∧ φ`. All other terms of a data
//! type consist of variables and constructors, so their components are in range. Hence the
//! flattened formula holds iff the original one does: neither a model nor a derivation depends on
//! a value that no constructor has.
//!
//! # Limits
//! The elements of an array are not quantified, so they cannot be restricted to a range: an
//! enumeration of an array has 2ⁿ constructors. An index has exactly one component,
//! which is no array of data types. Parametric and recursive data types, and several constructors
//! with fields, are not supported.
//!
//! # Cost
//! Linear in the number of distinct terms and of their components.

mod flatten;
mod present;
#[cfg(test)]
mod tests;

pub use present::Access;

use indexmap::IndexMap;
use num_bigint::BigUint;
use rustc_hash::{FxBuildHasher, FxHashMap};
use std::rc::Rc;
use terms::{FunctionSymbol, Sort, Term, TermPool};

/// The greatest number of components of a sort.
pub const MOST_COMPONENTS: usize = 1000;
/// The greatest depth of records and arrays with data types in each other.
pub const DEEPEST: u32 = 100;

/// The data types of a script.
#[derive(Clone, Debug, Default)]
pub struct Datatypes {
    types: IndexMap<Sort, Datatype, FxBuildHasher>,
    heads: FxHashMap<Head, (Sort, usize)>,
    roles: FxHashMap<FunctionSymbol, Role>,
    /// The codes of the constructors of enumerations.
    codes: FxHashMap<Term, Term>,
    /// The components of each sort, with its depth: of records and arrays in each other.
    layouts: FxHashMap<Sort, (Layout, u32)>,
}

/// A data type.
#[derive(Clone, Debug)]
pub struct Datatype {
    /// The constructors, at least one.
    pub constructors: Rc<[Constructor]>,
}

/// A constructor of a data type.
#[derive(Clone, Debug)]
pub struct Constructor {
    /// The name, unquoted.
    pub name: String,
    /// Its symbol, or its function if there are fields.
    pub head: Head,
    /// The function that tells whether a value was made by this constructor.
    pub tester: FunctionSymbol,
    /// The fields.
    pub fields: Vec<Field>,
}

/// The symbol or function of a constructor.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Head {
    /// A constant.
    Constant(Term),
    /// A function.
    Function(FunctionSymbol),
}

/// A field of a constructor.
#[derive(Clone, Debug)]
pub struct Field {
    /// The name of the selector, unquoted.
    pub name: String,
    /// The sort of the field.
    pub sort: Sort,
    /// The selector.
    pub selector: FunctionSymbol,
}

/// The meaning of a function.
#[derive(Clone, Copy, Debug)]
enum Role {
    Constructor,
    /// The components of the field begin at this one.
    Selector {
        start: usize,
        sort: Sort,
    },
    /// Whether the value has this code; `None` in a record, where it always holds.
    Tester(Option<Term>),
}

/// A component of a sort.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Component {
    /// The suffix of its name: the selectors that lead to it, each after a dot.
    pub suffix: String,
    /// Its sort.
    pub sort: Sort,
    /// The number of values of an integer in a range.
    pub range: Option<usize>,
}

/// The components of a sort.
pub type Layout = Rc<[Component]>;

/// The reason why a sort has no components.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    /// Neither an enumeration nor a record.
    #[error("the data type `{0}` has several constructors, some with fields")]
    Variant(String),
    /// A record that contains itself.
    #[error("the data type `{0}` is recursive")]
    Recursive(String),
    /// Records or arrays in each other.
    #[error("records and arrays are nested more than {DEEPEST} deep")]
    TooDeep,
    /// Too many components.
    #[error("a sort has more than {MOST_COMPONENTS} components")]
    TooLarge,
    /// An element of an array has a range.
    #[error("an array of the enumeration `{0}`, whose number of constructors is not a power of two")]
    Element(String),
    /// An index has a range.
    #[error("an array indexed by the enumeration `{0}`, whose number of constructors is not a power of two")]
    Index(String),
    /// An index does not have one component.
    #[error("an array indexed by `{0}`, which is not a single value")]
    RecordIndex(String),
}

impl Datatypes {
    /// Whether no data type was declared.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.types.is_empty()
    }

    /// The data type of a sort.
    #[must_use]
    pub fn get(&self, sort: Sort) -> Option<&Datatype> {
        self.types.get(&sort)
    }

    /// The constructor with this symbol or function.
    #[must_use]
    pub fn constructor(&self, head: Head) -> Option<&Constructor> {
        let &(sort, index) = self.heads.get(&head)?;
        Some(&self.types[&sort].constructors[index])
    }

    /// All constructors.
    fn constructors(&self) -> impl Iterator<Item = &Constructor> {
        self.types.values().flat_map(|datatype| datatype.constructors.iter())
    }

    /// The names of constructors and selectors.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.constructors().flat_map(|constructor| {
            let fields = constructor.fields.iter().map(|field| &*field.name);
            fields.chain([&*constructor.name])
        })
    }

    /// Adds data types that may refer to each other, with the sorts that stand for them.
    ///
    /// # Errors
    /// The first sort that is not supported, with the reason. No data type is then added.
    pub fn declare(
        &mut self,
        pool: &mut TermPool,
        datatypes: Vec<(Sort, Datatype)>,
    ) -> Result<(), (Sort, Unsupported)> {
        let sorts: Vec<Sort> = datatypes.iter().map(|&(sort, _)| sort).collect();
        self.types.extend(datatypes);
        let mut active = Vec::new();
        for &sort in &sorts {
            if let Err(reason) = self.compute_layout(pool, sort, &mut active) {
                for sort in &sorts {
                    self.types.swap_remove(sort);
                }
                let types = &self.types;
                self.layouts.retain(|sort, _| types.contains_key(sort));
                return Err((sort, reason));
            }
        }
        for sort in sorts {
            self.assign_roles(pool, sort);
        }
        Ok(())
    }

    fn assign_roles(&mut self, pool: &mut TermPool, sort: Sort) {
        let constructors = Rc::clone(&self.types[&sort].constructors);
        let is_record = !constructors[0].fields.is_empty();
        for (index, constructor) in constructors.iter().enumerate() {
            let code = if is_record { None } else { code(pool, constructors.len(), index) };
            self.roles.insert(constructor.tester, Role::Tester(code));
            self.heads.insert(constructor.head, (sort, index));
            match constructor.head {
                Head::Function(function) => {
                    self.roles.insert(function, Role::Constructor);
                }
                Head::Constant(symbol) => {
                    // The only value of its sort has no components.
                    self.codes.insert(symbol, code.unwrap_or(symbol));
                }
            }
            let mut start = 0;
            for field in &constructor.fields {
                self.roles.insert(field.selector, Role::Selector { start, sort: field.sort });
                start += self.layout(pool, field.sort).len();
            }
        }
    }

    /// The components of a sort that [`check`](Self::check) accepts.
    pub fn layout(&mut self, pool: &mut TermPool, sort: Sort) -> Layout {
        self.compute_layout(pool, sort, &mut Vec::new()).expect("the sort is checked").0
    }

    /// Checks that a sort has components.
    ///
    /// # Errors
    /// The reason why it has none.
    pub fn check(&mut self, pool: &mut TermPool, sort: Sort) -> Result<(), Unsupported> {
        self.compute_layout(pool, sort, &mut Vec::new()).map(drop)
    }

    fn compute_layout(
        &mut self,
        pool: &mut TermPool,
        sort: Sort,
        active: &mut Vec<Sort>,
    ) -> Result<(Layout, u32), Unsupported> {
        let plain = |sort| Component { suffix: String::new(), sort, range: None };
        if let Some(known) = self.layouts.get(&sort) {
            return Ok(known.clone());
        }
        let mut depth = 0;
        let layout: Layout = match sort {
            Sort::Array(_) if !self.concerns(pool, sort) => [plain(sort)].into(),
            Sort::Array(_) if active.len() >= DEEPEST as usize => return Err(Unsupported::TooDeep),
            Sort::Array(parts) => {
                let (index, element) = pool.array_sort_parts(parts);
                active.push(sort);
                let (indices, index_depth) = self.compute_layout(pool, index, active)?;
                let (elements, element_depth) = self.compute_layout(pool, element, active)?;
                active.pop();
                depth = 1 + index_depth.max(element_depth);
                let name = |sort| terms::print::sort(pool, sort);
                let index_sort = match &indices[..] {
                    // An array of data types is no term over the index.
                    [Component { sort: Sort::Array(_), .. }] if self.concerns(pool, index) => {
                        return Err(Unsupported::RecordIndex(name(index)));
                    }
                    [Component { sort, range: None, .. }] => *sort,
                    [_] => return Err(Unsupported::Index(name(index))),
                    _ => return Err(Unsupported::RecordIndex(name(index))),
                };
                if elements.iter().any(|component| component.range.is_some()) {
                    return Err(Unsupported::Element(name(element)));
                }
                let arrays = elements.iter().map(|component| Component {
                    sort: pool.array_sort(index_sort, component.sort),
                    ..component.clone()
                });
                arrays.collect()
            }
            _ => match self.types.get(&sort) {
                None => [plain(sort)].into(),
                Some(datatype) => {
                    let name = || terms::print::sort(pool, sort);
                    let constructors = &datatype.constructors;
                    let count = constructors.len();
                    if constructors.iter().all(|constructor| constructor.fields.is_empty()) {
                        let component = |sort, range| Component { suffix: String::new(), sort, range };
                        match count {
                            1 => [].into(),
                            2 => [component(Sort::Bool, None)].into(),
                            _ if count.is_power_of_two() => {
                                [component(Sort::BitVec(count.ilog2()), None)].into()
                            }
                            _ => [component(Sort::Int, Some(count))].into(),
                        }
                    } else if count > 1 {
                        return Err(Unsupported::Variant(name()));
                    } else if active.contains(&sort) {
                        return Err(Unsupported::Recursive(name()));
                    } else if active.len() >= DEEPEST as usize {
                        return Err(Unsupported::TooDeep);
                    } else {
                        let constructors = Rc::clone(constructors);
                        active.push(sort);
                        let mut components = Vec::new();
                        for field in &constructors[0].fields {
                            let (layout, below) = self.compute_layout(pool, field.sort, active)?;
                            depth = depth.max(1 + below);
                            components.extend(layout.iter().map(|component| Component {
                                suffix: format!(".{}{}", field.name, component.suffix),
                                ..component.clone()
                            }));
                            if components.len() > MOST_COMPONENTS {
                                return Err(Unsupported::TooLarge);
                            }
                        }
                        active.pop();
                        components.into()
                    }
                }
            },
        };
        if depth > DEEPEST {
            return Err(Unsupported::TooDeep);
        }
        self.layouts.insert(sort, (Rc::clone(&layout), depth));
        Ok((layout, depth))
    }
}

/// The component of the constructor number `index` of `count`; `None` if there is only one.
fn code(pool: &mut TermPool, count: usize, index: usize) -> Option<Term> {
    match count {
        1 => None,
        2 => Some(pool.bool(index == 1)),
        _ if count.is_power_of_two() => Some(pool.bv(count.ilog2(), index as u64)),
        _ => Some(pool.int_big(&BigUint::from(index).into())),
    }
}
