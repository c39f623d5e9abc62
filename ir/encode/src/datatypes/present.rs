//! Values and parameters in data types.

use super::{Constructor, Datatypes, Head};
use std::fmt::{self, Write};
use std::rc::Rc;
use terms::print::{quote, sort as sort_text};
use terms::{Sort, TermPool, Value};

/// How a formula over components gets them from a parameter of a data type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Access {
    /// A term, as text.
    Term(String),
    /// An array that satisfies this formula, as text, and no other does. The sort of the array.
    Array(Sort, String),
}

impl Datatypes {
    /// Writes the value with these components in the syntax of SMT-LIB, and an array as
    /// `{index: element, …, else: element}`.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn write_value(
        &mut self,
        out: &mut dyn Write,
        pool: &mut TermPool,
        sort: Sort,
        components: &[Value],
    ) -> fmt::Result {
        if !self.concerns(pool, sort) {
            return match components {
                [only] => write!(out, "{only}"),
                _ => unreachable!("a value without data types has one component"),
            };
        }
        let Sort::Array(parts) = sort else {
            let constructors = Rc::clone(&self.types[&sort].constructors);
            if let [Constructor { name, fields, .. }] = &constructors[..]
                && !fields.is_empty()
            {
                write!(out, "({}", quote(name))?;
                let mut rest = components;
                for field in fields {
                    let (own, others) = rest.split_at(self.layout(pool, field.sort).len());
                    out.write_str(" ")?;
                    self.write_value(out, pool, field.sort, own)?;
                    rest = others;
                }
                return out.write_str(")");
            }
            return match constructors.get(index_of(components)) {
                Some(constructor) => out.write_str(&quote(&constructor.name)),
                None => write!(out, "{}", components[0]),
            };
        };
        let (index_sort, element_sort) = pool.array_sort_parts(parts);
        let arrays: Vec<_> = components
            .iter()
            .map(|component| match component {
                Value::Array(array) => array,
                other => unreachable!("a component of an array is an array, not {other:?}"),
            })
            .collect();
        let mut indices: Vec<&Value> =
            arrays.iter().flat_map(|array| array.entries().map(|(index, _)| index)).collect();
        indices.sort_unstable();
        indices.dedup();
        out.write_str("{")?;
        for index in indices {
            self.write_value(out, pool, index_sort, std::slice::from_ref(index))?;
            out.write_str(": ")?;
            let element: Vec<Value> = arrays.iter().map(|array| array.select(index).clone()).collect();
            self.write_value(out, pool, element_sort, &element)?;
            out.write_str(", ")?;
        }
        out.write_str("else: ")?;
        let default: Vec<Value> = arrays.iter().map(|array| array.default().clone()).collect();
        self.write_value(out, pool, element_sort, &default)?;
        out.write_str("}")
    }

    /// The components of the parameter `of`, a text. The component number `n` is an array called
    /// `names[n]` if it is not a term.
    pub fn access(&mut self, pool: &mut TermPool, sort: Sort, of: &str, names: &[String]) -> Vec<Access> {
        let layout = self.layout(pool, sort);
        let places = layout.iter().zip(names).enumerate();
        let accesses = places.map(|(place, (component, name))| match self.term(pool, sort, of, place) {
            Some(term) => Access::Term(term),
            None => Access::Array(component.sort, self.equation(pool, sort, name, of, (place, 0))),
        });
        accesses.collect()
    }

    /// The component number `place` of the term `of`, if it is a term of SMT-LIB.
    fn term(&mut self, pool: &mut TermPool, sort: Sort, of: &str, place: usize) -> Option<String> {
        if !self.concerns(pool, sort) {
            return Some(of.to_owned());
        }
        let constructors = Rc::clone(&self.types.get(&sort)?.constructors);
        if constructors[0].fields.is_empty() {
            return Some(code_text(&constructors, of));
        }
        let (name, sort, place) = self.field(pool, &constructors[0], place);
        self.term(pool, sort, &format!("({name} {of})"), place)
    }

    /// The selector and the sort of the field that has the component number `place`, and the
    /// number of the component there.
    fn field(
        &mut self,
        pool: &mut TermPool,
        constructor: &Constructor,
        mut place: usize,
    ) -> (String, Sort, usize) {
        for field in &constructor.fields {
            let length = self.layout(pool, field.sort).len();
            if place < length {
                return (quote(&field.name).into_owned(), field.sort, place);
            }
            place -= length;
        }
        unreachable!("a record has the components of its fields")
    }

    /// The formula that `array` is the component number `place` of the term `of`, below `depth`
    /// quantifiers of this formula.
    fn equation(
        &mut self,
        pool: &mut TermPool,
        sort: Sort,
        array: &str,
        of: &str,
        (place, depth): (usize, u32),
    ) -> String {
        if let Some(term) = self.term(pool, sort, of, place) {
            return format!("(= {array} {term})");
        }
        let Sort::Array(parts) = sort else {
            let constructors = Rc::clone(&self.types[&sort].constructors);
            let (name, sort, place) = self.field(pool, &constructors[0], place);
            return self.equation(pool, sort, array, &format!("({name} {of})"), (place, depth));
        };
        let (index, element) = pool.array_sort_parts(parts);
        let variable = format!("index!{depth}");
        let code = self.term(pool, index, &variable, 0).expect("an index has one component");
        let array = format!("(select {array} {code})");
        let equation =
            self.equation(pool, element, &array, &format!("(select {of} {variable})"), (place, depth + 1));
        format!("(forall (({variable} {})) {equation})", sort_text(pool, index))
    }
}

/// The number of the constructor of an enumeration with this component.
fn index_of(components: &[Value]) -> usize {
    match components {
        [] => 0,
        [Value::Bool(value)] => usize::from(*value),
        [Value::BitVec(_)] => components[0].as_u64().map_or(usize::MAX, |code| code as usize),
        [Value::Int(value)] => usize::try_from(value).unwrap_or(usize::MAX),
        other => unreachable!("{other:?} is no component of an enumeration"),
    }
}

/// The code of a term of an enumeration.
fn code_text(constructors: &[Constructor], of: &str) -> String {
    let is = |constructor: &Constructor| {
        debug_assert!(matches!(constructor.head, Head::Constant(_)));
        format!("(= {of} {})", quote(&constructor.name))
    };
    let count = constructors.len();
    if count == 2 {
        return is(&constructors[1]);
    }
    let width = count.is_power_of_two().then(|| count.ilog2() as usize);
    let code = |index: usize| match width {
        Some(width) => format!("#b{index:0width$b}"),
        None => index.to_string(),
    };
    let mut text = String::new();
    for (index, constructor) in constructors[..count - 1].iter().enumerate() {
        let _ = write!(text, "(ite {} {} ", is(constructor), code(index));
    }
    text.push_str(&code(count - 1));
    text.extend(std::iter::repeat_n(')', count - 1));
    text
}
