//! Small loops with the invariants that prove them.

use super::formula::{Expr, Live, Numbers, Symbols, Written, build, parse};
use crate::evidence::Invariants;
use crate::transform::{Pipeline, ViewLimits, prepare_for_views};
use encode::{Encoding, Theories};
use program::ssa::{Block, Program};
use program::text::parse_text;
use std::collections::BTreeMap;
use terms::TermPool;
use views::blocks::{BlockFormulas, CutPointKind, Origin, block_formulas};
use views::{BlockOperator, Config};

/// A program whose loops have inductive invariants.
pub(super) struct Sample {
    pub(super) name: &'static str,
    /// The width of all variables in bits.
    pub(super) width: u32,
    pub(super) text: String,
    /// The invariant at each loop head, in weak topological order.
    pub(super) invariants: Vec<&'static str>,
    /// Whether they also hold over integers without wrap-around.
    pub(super) numbers: &'static [Numbers],
}

const BOTH: &[Numbers] = &[Numbers::BitVectors, Numbers::Integers];
const BITS: &[Numbers] = &[Numbers::BitVectors];

/// `while (condition) updates; assert(property)`, everything over names.
struct Loop {
    name: &'static str,
    /// `u4`, `i5`.
    ty: &'static str,
    inputs: &'static [&'static str],
    assume: &'static str,
    /// Name, initial value, value after an iteration.
    state: &'static [(&'static str, &'static str, &'static str)],
    /// Inputs of each iteration.
    choices: &'static [&'static str],
    condition: &'static str,
    property: &'static str,
    invariant: &'static str,
    numbers: &'static [Numbers],
}

impl Loop {
    fn sample(&self) -> Sample {
        let width: u32 = self.ty[1..].parse().expect("a width");
        let names: Vec<&str> = self
            .inputs
            .iter()
            .chain(self.state.iter().map(|(name, ..)| name))
            .chain(self.choices)
            .copied()
            .collect();
        let value =
            |name: &str| names.iter().position(|other| *other == name).map(|index| format!("v{index}"));
        let term = |text: &str| {
            let spaced = text.replace('(', " ( ").replace(')', " ) ");
            let tokens = spaced.split_whitespace().map(|token| match (value(token), token.parse::<u64>()) {
                (Some(value), _) => value,
                (None, Ok(number)) => format!("#b{number:0width$b}", width = width as usize),
                (None, Err(_)) => token.to_owned(),
            });
            tokens.collect::<Vec<_>>().join(" ").replace("( ", "(").replace(" )", ")")
        };
        let havocs = |names: &[&str]| {
            names
                .iter()
                .map(|name| {
                    let value = value(name).expect("a name");
                    format!("    {value}: {} \"{name}\" = havoc input \"nondet\"\n", self.ty)
                })
                .collect::<String>()
        };
        let list = |texts: Vec<String>| texts.join(", ");
        let parameters = list(
            self.state
                .iter()
                .map(|(name, ..)| format!("{}: {} \"{name}\"", value(name).expect("a name"), self.ty))
                .collect(),
        );
        let text = format!(
            "machine 32\nentry f0\nproperty p0 reach-call \"the property\"\nfunction f0 \"main\" () {{\n  block b0:\n{}    \
             branch {} then b1({}) else b4\n  block b1({parameters}):\n{}    branch {} then b2 else b3\n  block b2:\n    goto b1({})\n  \
             block b3:\n    branch {} then b4 else b5\n  block b4:\n    stop exit\n  block b5:\n    error p0\n}}\n",
            havocs(self.inputs),
            term(self.assume),
            list(self.state.iter().map(|(_, first, _)| term(first)).collect()),
            havocs(self.choices),
            term(self.condition),
            list(self.state.iter().map(|(.., next)| term(next)).collect()),
            term(self.property),
        );
        Sample { name: self.name, width, text, invariants: vec![self.invariant], numbers: self.numbers }
    }
}

const LOOPS: &[Loop] = &[
    Loop {
        name: "count",
        ty: "u5",
        inputs: &["n"],
        assume: "true",
        state: &[("i", "0", "(bvadd i 1)")],
        choices: &[],
        condition: "(bvult i n)",
        property: "(= i n)",
        invariant: "(<=u i n)",
        numbers: BOTH,
    },
    Loop {
        name: "pour",
        ty: "u4",
        inputs: &["n"],
        assume: "true",
        state: &[("x", "n", "(bvsub x 1)"), ("y", "0", "(bvadd y 1)")],
        choices: &[],
        condition: "(bvult 0 x)",
        property: "(= y n)",
        invariant: "(== (+ x y) n)",
        numbers: BOTH,
    },
    Loop {
        name: "double",
        ty: "u4",
        inputs: &["n"],
        assume: "true",
        state: &[("i", "0", "(bvadd i 1)"), ("y", "0", "(bvadd y 2)")],
        choices: &[],
        condition: "(bvult i n)",
        property: "(= y (bvadd n n))",
        invariant: "(and (<=u i n) (== y (* 2 i)))",
        numbers: BITS,
    },
    Loop {
        name: "five",
        ty: "i5",
        inputs: &[],
        assume: "true",
        state: &[("i", "0", "(bvadd i 1)")],
        choices: &[],
        condition: "(bvslt i 5)",
        property: "(= i 5)",
        invariant: "(and (<=s 0 i) (<=s i 5))",
        numbers: BOTH,
    },
    Loop {
        name: "saturate",
        ty: "u4",
        inputs: &["s"],
        assume: "(bvult s 4)",
        state: &[("x", "s", "(ite (bvult x 12) (bvadd x 3) x)")],
        choices: &["c"],
        condition: "(= c 0)",
        property: "(bvule x 14)",
        invariant: "(<=u x 14)",
        numbers: BOTH,
    },
    Loop {
        name: "even",
        ty: "u5",
        inputs: &[],
        assume: "true",
        state: &[("x", "0", "(bvadd x 2)")],
        choices: &["c"],
        condition: "(= c 0)",
        property: "(= (bvand x 1) 0)",
        invariant: "(== (& x 1) 0)",
        numbers: BITS,
    },
    Loop {
        name: "maximum",
        ty: "u4",
        inputs: &["a"],
        assume: "true",
        state: &[("m", "a", "(ite (bvult m c) c m)")],
        choices: &["c"],
        condition: "(bvult c 9)",
        property: "(bvule a m)",
        invariant: "(<=u a m)",
        numbers: BOTH,
    },
    Loop {
        name: "swap",
        ty: "u3",
        inputs: &["a", "b"],
        assume: "true",
        state: &[("x", "a", "y"), ("y", "b", "x")],
        choices: &["c"],
        condition: "(bvult c 3)",
        property: "(= (bvadd x y) (bvadd a b))",
        invariant: "(or (and (== x a) (== y b)) (and (== x b) (== y a)))",
        numbers: BOTH,
    },
    Loop {
        name: "meet",
        ty: "u4",
        inputs: &["n"],
        assume: "true",
        state: &[("i", "0", "(bvadd i 1)"), ("j", "n", "(bvsub j 1)")],
        choices: &[],
        condition: "(bvult i j)",
        property: "(or (= i j) (= i (bvadd j 1)))",
        invariant: "(or (<=u i j) (== i (+ j 1)))",
        numbers: BOTH,
    },
    Loop {
        name: "lock",
        ty: "u3",
        inputs: &[],
        assume: "true",
        state: &[("held", "0", "(bvsub 1 held)"), ("count", "0", "(ite (= held 0) (bvadd count 1) count)")],
        choices: &["c"],
        condition: "(= c 0)",
        property: "(bvule held 1)",
        invariant: "(or (== held 0) (== held 1))",
        numbers: BOTH,
    },
    Loop {
        name: "down",
        ty: "i5",
        inputs: &["n"],
        assume: "(bvsle 0 n)",
        state: &[("x", "n", "(bvsub x 1)")],
        choices: &[],
        condition: "(bvslt 0 x)",
        property: "(= x 0)",
        invariant: "(<=s 0 x)",
        numbers: BOTH,
    },
    Loop {
        name: "window",
        ty: "u4",
        inputs: &["n"],
        assume: "(bvult n 10)",
        state: &[
            ("lo", "n", "(ite (bvult c 8) (bvadd lo 1) lo)"),
            ("hi", "(bvadd n 3)", "(ite (bvult c 8) (bvadd hi 1) hi)"),
        ],
        choices: &["c"],
        condition: "(bvult hi 15)",
        property: "(= (bvsub hi lo) 3)",
        invariant: "(and (== hi (+ lo 3)) (<=u lo 12))",
        numbers: BOTH,
    },
    Loop {
        name: "mask",
        ty: "u3",
        inputs: &["a", "b"],
        assume: "true",
        state: &[("x", "0", "(bvand a b)")],
        choices: &["c"],
        condition: "(= c 0)",
        property: "(bvule x a)",
        invariant: "(or (== x 0) (== x (& a b)))",
        // Over integers, the conjunction is a function with axioms, which are not complete.
        numbers: BITS,
    },
];

/// An inner loop that counts up to the counter of the outer loop.
const NESTED: &str = "machine 32
entry f0
property p0 reach-call \"the property\"
function f0 \"main\" () {
  block b0:
    v0: u3 \"n\" = havoc input \"nondet\"
    goto b1(#b000)
  block b1(v1: u3 \"i\"):
    branch (bvult v1 v0) then b2(#b000) else b6
  block b2(v2: u3 \"j\"):
    branch (bvult v2 v1) then b3 else b4
  block b3:
    v3: u3 = (bvadd v2 #b001)
    goto b2(v3)
  block b4:
    branch (= v2 v1) then b5 else b7
  block b5:
    v4: u3 = (bvadd v1 #b001)
    goto b1(v4)
  block b6:
    branch (bvule v1 v0) then b8 else b7
  block b7:
    error p0
  block b8:
    stop exit
}
";

/// A loop up, and then one down.
const SEQUENCE: &str = "machine 32
entry f0
property p0 reach-call \"the property\"
function f0 \"main\" () {
  block b0:
    v0: u4 \"n\" = havoc input \"nondet\"
    goto b1(#x0)
  block b1(v1: u4 \"i\"):
    branch (bvult v1 v0) then b2 else b3(v1, #x0)
  block b2:
    v2: u4 = (bvadd v1 #x1)
    goto b1(v2)
  block b3(v3: u4 \"k\", v4: u4 \"d\"):
    branch (bvult #x0 v3) then b4 else b5
  block b4:
    v5: u4 = (bvsub v3 #x1)
    v6: u4 = (bvadd v4 #x1)
    goto b3(v5, v6)
  block b5:
    branch (= v4 v0) then b6 else b7
  block b6:
    stop exit
  block b7:
    error p0
}
";

/// All programs.
pub(super) fn samples() -> Vec<Sample> {
    let mut samples: Vec<Sample> = LOOPS.iter().map(Loop::sample).collect();
    samples.push(Sample {
        name: "nested",
        width: 3,
        text: NESTED.to_owned(),
        invariants: vec!["(<=u i n)", "(and (<u i n) (<=u j i))"],
        numbers: BOTH,
    });
    samples.push(Sample {
        name: "sequence",
        width: 4,
        text: SEQUENCE.to_owned(),
        invariants: vec!["(<=u i n)", "(== (+ k d) n)"],
        numbers: BOTH,
    });
    samples
}

/// The sample of this name.
pub(super) fn sample(name: &str) -> Sample {
    samples().into_iter().find(|sample| sample.name == name).expect("a sample")
}

/// A sample as terms.
pub(super) struct Opened {
    pub(super) pool: TermPool,
    pub(super) program: Program,
    pub(super) prepared: Program,
    /// Cut at loop heads.
    pub(super) blocks: BlockFormulas,
    /// The live variables at each loop head.
    pub(super) live: BTreeMap<Block, Vec<Live>>,
    pub(super) written: Written,
    pub(super) width: u32,
}

impl Opened {
    pub(super) fn new(sample: &Sample) -> Self {
        let mut pool = TermPool::new();
        let program =
            parse_text(&mut pool, &sample.text).unwrap_or_else(|error| panic!("{}: {error}", sample.name));
        let mut prepared = program.clone();
        prepare_for_views(&mut pool, &mut prepared, ViewLimits::default(), &Pipeline::none())
            .expect("no recursion");
        let blocks =
            block_formulas(&mut pool, &prepared, BlockOperator::L, Config::STANDARD).expect("blocks");
        let mut live = BTreeMap::new();
        let mut written = Written::new();
        let mut invariants = sample.invariants.iter();
        for data in blocks.cut_points.values() {
            let CutPointKind::Block(block) = data.kind else { continue };
            let variables = data.state.iter().map(|&variable| {
                let data = &blocks.variables[variable];
                let Origin::Value(value) = data.origin else { panic!("samples have no memory") };
                let name = prepared.functions[prepared.entry].values[value].name.clone();
                Live {
                    name: name.unwrap_or_else(|| value.to_string()),
                    origin: data.origin,
                    sort: data.sort,
                    representation: data.representation,
                }
            });
            live.insert(block, variables.collect());
            written.insert(block, parse(invariants.next().expect("an invariant for each loop")));
        }
        Opened { pool, program, prepared, blocks, live, written, width: sample.width }
    }

    /// Invariants as evidence.
    pub(super) fn invariants(&mut self, written: &Written, numbers: Numbers) -> Invariants {
        let mut symbols = Symbols::new();
        let at = written
            .iter()
            .map(|(&block, expression)| (block, self.formula(&mut symbols, block, expression, numbers)))
            .collect();
        let encoding = match numbers {
            Numbers::BitVectors => Encoding::QfAbvfp,
            Numbers::Integers => Encoding::QfAuflira,
        };
        Invariants {
            theories: Theories::of(encoding),
            pipeline: Pipeline::none(),
            limits: ViewLimits::default(),
            symbols,
            at,
            index: None,
        }
    }

    pub(super) fn formula(
        &mut self,
        symbols: &mut Symbols,
        block: Block,
        expression: &Expr,
        numbers: Numbers,
    ) -> terms::Term {
        build(&mut self.pool, symbols, expression, &self.live[&block], numbers, self.width)
    }
}
