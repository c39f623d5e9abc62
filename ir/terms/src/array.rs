//! Arrays.
//!
//! A `select` skips the stores below it whose indices are provably different from its own and stops
//! at one that is provably equal, for a bounded number of steps. Of two successive stores to one
//! index the older one is dropped.

use super::{Op, Sort, Term, TermPool};

/// The greatest number of stores that a `select` skips.
const MAX_WRITES: usize = 64;

impl TermPool {
    fn array_parts(&self, array: Term) -> (Sort, Sort) {
        match self.sort(array) {
            Sort::Array(sort) => self.array_sort_parts(sort),
            sort => panic!("{array} should be an array but is of sort {sort:?}"),
        }
    }

    /// `(select array index)`.
    pub fn select(&mut self, array: Term, index: Term) -> Term {
        let (index_sort, element_sort) = self.array_parts(array);
        assert!(
            self.sort(index) == index_sort,
            "the index {index} of sort {:?} should be of sort {index_sort:?}",
            self.sort(index)
        );
        let (array, value) = self.look_through(array, index);
        if let Some(value) = value {
            return value;
        }
        if let Some((c, x, y)) = self.as_ite(array)
            && let (_, Some(x)) = self.look_through(x, index)
            && let (_, Some(y)) = self.look_through(y, index)
        {
            return self.ite(c, x, y);
        }
        self.intern(Op::Select, element_sort, &[array, index])
    }

    /// The oldest array found with the same element at `index`, and the element if it is known.
    fn look_through(&self, mut array: Term, index: Term) -> (Term, Option<Term>) {
        for _ in 0..MAX_WRITES {
            match (self.op(array), self.children(array)) {
                (Op::Store, &[older, written, value]) => {
                    if written == index {
                        return (array, Some(value));
                    }
                    if !self.are_distinct(written, index) {
                        return (array, None);
                    }
                    array = older;
                }
                (Op::ConstArray(_), &[value]) => return (array, Some(value)),
                _ => return (array, None),
            }
        }
        (array, None)
    }

    /// `(store array index value)`.
    pub fn store(&mut self, array: Term, index: Term, value: Term) -> Term {
        let (index_sort, element_sort) = self.array_parts(array);
        assert!(
            self.sort(index) == index_sort && self.sort(value) == element_sort,
            "the index {index} of sort {:?} and the element {value} of sort {:?} should be of {index_sort:?} and {element_sort:?}",
            self.sort(index),
            self.sort(value)
        );
        let mut base = array;
        while self.op(base) == Op::Store && self.children(base)[1] == index {
            base = self.children(base)[0];
        }
        let writes_back = match (self.op(value), self.children(value)) {
            (Op::Select, &[source, source_index]) => source == base && source_index == index,
            _ => false,
        };
        if writes_back || self.look_through(base, index).1 == Some(value) {
            return base;
        }
        let sort = self.sort(base);
        self.intern(Op::Store, sort, &[base, index, value])
    }

    /// The constant array of sort `array_sort` with the element `value`.
    pub fn const_array(&mut self, array_sort: Sort, value: Term) -> Term {
        let Sort::Array(parts) = array_sort else { panic!("{array_sort:?} should be an array sort") };
        let element_sort = self.array_sort_parts(parts).1;
        assert!(
            self.sort(value) == element_sort,
            "the element {value} of sort {:?} should be of sort {element_sort:?}",
            self.sort(value)
        );
        self.intern(Op::ConstArray(parts), array_sort, &[value])
    }
}
