//! The choice of domains: `intervals,equalities*zones,paths(octagons)`.
//!
//! Commas separate stages: each stage is solved in the context of the invariants of the previous
//! ones. `*` is the product, `paths(…)` the combination over symbolic paths, `phases(…)` a domain
//! for each phase of a loop, `segments(…)` one for each segment of arrays. `backward(…)` is a stage
//! with facts [from above](crate::backward). A product binds stronger than a comma, and parentheses
//! group.

use crate::bounds::{self, Search, Shape, Sum};
use crate::candidates::{self, Kind};
use crate::domain::Domain;
use crate::guarded::Guarded;
use crate::paths::Paths;
use crate::product::Product;
use crate::table::Base;
use crate::{bits, congruences, hulls, values};
use std::fmt;
use std::str::FromStr;
use terms::TermPool;

/// The stages of an inference.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Spec {
    /// The domains of the stages.
    pub stages: Vec<DomainSpec>,
    /// How bounds are searched.
    pub search: Search,
}

/// A domain.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum DomainSpec {
    /// Bounds of linear terms.
    Bounds(Shape),
    /// Formulas that are kept or dropped.
    Candidates(Kind),
    /// Linear equations.
    Hulls,
    /// Congruences of single numbers.
    Congruences,
    /// Bits that all values share.
    Bits,
    /// Small sets of values.
    Values,
    /// Domains side by side.
    Product(Vec<DomainSpec>),
    /// A domain for each way into a relation.
    Paths(Box<DomainSpec>),
    /// A domain for each segment of the arrays of a relation.
    Segments(Box<DomainSpec>),
    /// A domain for each phase of a loop.
    Phases(Box<DomainSpec>),
    /// A domain over the states from which a query may be derived: a whole stage.
    Backward(Box<DomainSpec>),
}

/// The domains without parts: name, meaning, and the domain.
pub const DOMAINS: &[(&str, &str, DomainSpec)] = &[
    ("intervals", "x <= c and x >= c, signed and unsigned", DomainSpec::Bounds(Shape::Intervals)),
    ("zones", "x <= c, x >= c and x - y <= c", DomainSpec::Bounds(Shape::Zones)),
    (
        "octagons",
        "x <= c, x >= c, x - y <= c, x + y <= c and x + y >= c",
        DomainSpec::Bounds(Shape::Octagons),
    ),
    (
        "rates",
        "x - c*y <= d, for x that grows c times as fast as y at most",
        DomainSpec::Bounds(Shape::Rates),
    ),
    (
        "multiples",
        "c*x - y <= d and c*x - y >= d, for products c*x of the program",
        DomainSpec::Bounds(Shape::Multiples),
    ),
    ("equalities", "x = y and x != y", DomainSpec::Candidates(Kind::Equalities)),
    ("orders", "x <= y and x < y", DomainSpec::Candidates(Kind::Orders)),
    ("literals", "conditions of the program", DomainSpec::Candidates(Kind::Literals)),
    ("disjunctions", "disjunctions of two conditions", DomainSpec::Candidates(Kind::Disjunctions)),
    ("hulls", "linear equations, for machine integers modulo 2^w", DomainSpec::Hulls),
    ("congruences", "x = r (mod m)", DomainSpec::Congruences),
    ("bits", "bits of x that are always the same", DomainSpec::Bits),
    ("values", "x is one of at most four values", DomainSpec::Values),
];

/// The name of stages with facts from above.
const BACKWARD: &str = "backward";

/// The number of nested parentheses that are read.
const MAX_DEPTH: usize = 16;

/// An error in a choice of domains.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// There is no domain of this name.
    #[error("there is no domain `{0}`; the domains are {names}, paths(…), phases(…) and segments(…); backward(…) is a stage of its own", names = names())]
    Unknown(String),
    /// The text does not continue as expected.
    #[error("expected {expected} at `{found}`")]
    Expected {
        /// The expected continuation.
        expected: &'static str,
        /// The rest of the text.
        found: String,
    },
    /// A template of the user is not a sum of arguments with factors.
    #[error("`{0}` is not a template; write for example `2*x-y`")]
    Template(String),
}

fn names() -> String {
    DOMAINS.iter().map(|(name, _, _)| *name).collect::<Vec<_>>().join(", ")
}

impl Spec {
    /// One stage for each domain.
    #[must_use]
    pub fn of(stages: Vec<DomainSpec>) -> Self {
        Spec { stages, search: Search::default() }
    }
}

impl DomainSpec {
    /// Whether a part speaks of segments of arrays: for a system with [distinguished
    /// cells](crate::cells).
    #[must_use]
    pub fn has_segments(&self) -> bool {
        match self {
            DomainSpec::Segments(_) => true,
            DomainSpec::Product(parts) => parts.iter().any(DomainSpec::has_segments),
            DomainSpec::Paths(inner) | DomainSpec::Phases(inner) => inner.has_segments(),
            _ => false,
        }
    }

    /// The product with another domain, in the same direction.
    #[must_use]
    pub fn beside(&self, other: DomainSpec) -> Self {
        match self {
            DomainSpec::Backward(inner) => DomainSpec::Backward(Box::new(inner.beside(other))),
            domain => DomainSpec::Product(vec![other, domain.clone()]),
        }
    }

    /// Whether a part has one element for each phase of a loop.
    pub(crate) fn has_phases(&self) -> bool {
        match self {
            DomainSpec::Phases(_) => true,
            DomainSpec::Product(parts) => parts.iter().any(DomainSpec::has_phases),
            DomainSpec::Paths(inner) | DomainSpec::Segments(inner) => inner.has_phases(),
            _ => false,
        }
    }

    /// Makes the domain.
    pub(crate) fn make(&self, pool: &mut TermPool, base: &Base<'_>) -> Box<dyn Domain> {
        match self {
            DomainSpec::Bounds(shape) => Box::new(bounds::bounds(pool, base, shape.clone())),
            DomainSpec::Candidates(kind) => Box::new(candidates::candidates(base, *kind)),
            DomainSpec::Hulls => Box::new(hulls::hulls(base)),
            DomainSpec::Congruences => Box::new(congruences::congruences(base)),
            DomainSpec::Bits => Box::new(bits::bits(base)),
            DomainSpec::Values => Box::new(values::values(base)),
            DomainSpec::Product(parts) => {
                Box::new(Product::new(parts.iter().map(|part| part.make(pool, base)).collect()))
            }
            DomainSpec::Paths(inner) => Box::new(Paths::new(base.system, &mut || inner.make(pool, base))),
            DomainSpec::Segments(inner) => Box::new(Guarded::segments(pool, base, inner)),
            DomainSpec::Phases(inner) => Box::new(Guarded::phases(pool, base, inner)),
            DomainSpec::Backward(_) => unreachable!("it is a stage"),
        }
    }
}

impl fmt::Display for DomainSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            DomainSpec::Bounds(Shape::Templates(_)) => f.write_str("templates"),
            DomainSpec::Product(parts) => {
                for (index, part) in parts.iter().enumerate() {
                    let separator = if index == 0 { "" } else { "*" };
                    write!(f, "{separator}{part}")?;
                }
                Ok(())
            }
            DomainSpec::Paths(inner) => write!(f, "paths({inner})"),
            DomainSpec::Segments(inner) => write!(f, "segments({inner})"),
            DomainSpec::Phases(inner) => write!(f, "phases({inner})"),
            DomainSpec::Backward(inner) => write!(f, "backward({inner})"),
            simple => {
                let entry = DOMAINS.iter().find(|(_, _, domain)| domain == simple);
                f.write_str(entry.map_or("", |(name, _, _)| name))
            }
        }
    }
}

impl FromStr for Spec {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let mut reader = Reader { rest: text.trim(), depth: 0 };
        let mut stages = vec![reader.stage()?];
        while reader.skip(',') {
            stages.push(reader.stage()?);
        }
        match reader.rest {
            "" => Ok(Spec::of(stages)),
            rest => Err(SpecError::Expected { expected: "`,` or `*`", found: rest.to_owned() }),
        }
    }
}

impl FromStr for Sum {
    type Err = SpecError;

    fn from_str(text: &str) -> Result<Self, SpecError> {
        let wrong = || SpecError::Template(text.to_owned());
        let mut parts = Vec::new();
        let mut rest = text.trim();
        while !rest.is_empty() {
            let (sign, after) = match rest.strip_prefix('-') {
                Some(after) => (-1, after),
                None => (1, rest.strip_prefix('+').unwrap_or(rest)),
            };
            if after.len() == rest.len() && !parts.is_empty() {
                return Err(wrong());
            }
            let end = after.find(['+', '-']).unwrap_or(after.len());
            let (part, next) = after.split_at(end);
            let (factor, name) = match part.split_once('*') {
                Some((factor, name)) => (factor.trim().parse::<i32>().map_err(|_| wrong())?, name),
                None => (1, part),
            };
            let name = name.trim();
            if name.is_empty() || name.starts_with(|first: char| first.is_ascii_digit()) || factor == 0 {
                return Err(wrong());
            }
            parts.push((sign * i64::from(factor), name.to_owned()));
            rest = next;
        }
        if parts.is_empty() { Err(wrong()) } else { Ok(Sum(parts)) }
    }
}

struct Reader<'t> {
    rest: &'t str,
    depth: usize,
}

impl Reader<'_> {
    fn skip(&mut self, wanted: char) -> bool {
        let after = self.rest.strip_prefix(wanted);
        if let Some(after) = after {
            self.rest = after.trim_start();
        }
        after.is_some()
    }

    fn stage(&mut self) -> Result<DomainSpec, SpecError> {
        let Some(rest) = self.rest.strip_prefix(BACKWARD) else { return self.product() };
        self.rest = rest.trim_start();
        let start = self.rest;
        let inner = self.in_parentheses()?;
        if inner.has_segments() {
            let expected = "a domain without segments(…)";
            return Err(SpecError::Expected { expected, found: start.to_owned() });
        }
        Ok(DomainSpec::Backward(Box::new(inner)))
    }

    fn product(&mut self) -> Result<DomainSpec, SpecError> {
        let mut parts = vec![self.factor()?];
        while self.skip('*') {
            parts.push(self.factor()?);
        }
        Ok(if parts.len() == 1 { parts.remove(0) } else { DomainSpec::Product(parts) })
    }

    fn factor(&mut self) -> Result<DomainSpec, SpecError> {
        let end = self.rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(self.rest.len());
        let (name, rest) = self.rest.split_at(end);
        if matches!(name, "" | "paths" | "phases" | "segments") {
            self.rest = rest.trim_start();
            let inner = self.in_parentheses()?;
            return Ok(match name {
                "paths" => DomainSpec::Paths(Box::new(inner)),
                "phases" => DomainSpec::Phases(Box::new(inner)),
                "segments" => DomainSpec::Segments(Box::new(inner)),
                _ => inner,
            });
        }
        let entry = DOMAINS.iter().find(|(known, _, _)| *known == name);
        let (_, _, domain) = entry.ok_or_else(|| SpecError::Unknown(name.to_owned()))?;
        self.rest = rest.trim_start();
        Ok(domain.clone())
    }

    fn in_parentheses(&mut self) -> Result<DomainSpec, SpecError> {
        self.depth += 1;
        if !self.skip('(') || self.depth > MAX_DEPTH {
            let found = if self.rest.is_empty() { "the end" } else { self.rest };
            return Err(SpecError::Expected { expected: "a domain", found: found.to_owned() });
        }
        let inner = self.product()?;
        self.depth -= 1;
        if !self.skip(')') {
            return Err(SpecError::Expected { expected: "`)`", found: self.rest.to_owned() });
        }
        Ok(inner)
    }
}
