//! Random loops over small bounded variables: all algorithms agree with bounded model checking
//! where both decide, and no certificate is rejected.
//!
//! `HORNWORK_LOOPS=FIRST..END` selects other seeds.

use backends::interpolation::{Interpolating, Interpolation, Preference};
use backends::{Limits, ProverFactory};
use frontend::c::lower::{Options, lower};
use frontend::c::{sema, types::DataModel};
use frontend::spec::Specification;
use grammars::source::SourceMap;
use passes::engines::bmc::{self, Schedule};
use passes::engines::clauses::pdr::Pdr;
use passes::engines::induction::{self, Engines, Method};
use passes::engines::predicate::config::Induction;
use passes::engines::predicate::presets::PRESETS;
use passes::engines::predicate::{self, Config};
use passes::evidence::Verdict;
use passes::transform::Pipeline;
use passes::validate::{NotValidated, validate};
use program::ssa::Program;
use std::fmt::Write;
use std::ops::Range;
use std::rc::Rc;
use std::time::{Duration, Instant};
use terms::TermPool;

/// The time limit of one run.
const TIME: Duration = Duration::from_secs(2);

/// Generates the text of a program.
struct Maker {
    state: u64,
    text: String,
    /// The number of loops.
    loops: usize,
}

impl Maker {
    /// A number below `limit` (xorshift).
    fn below(&mut self, limit: u64) -> u64 {
        self.state ^= self.state << 13;
        self.state ^= self.state >> 7;
        self.state ^= self.state << 17;
        self.state % limit
    }

    fn variable(&mut self) -> char {
        ['a', 'b', 'c'][self.below(3) as usize]
    }

    fn condition(&mut self) -> String {
        let (one, other, constant) = (self.variable(), self.variable(), self.below(6));
        match self.below(5) {
            0 => "__VERIFIER_nondet_int()".to_owned(),
            1 => format!("{one} < {other}"),
            2 => format!("{one} == {constant}"),
            3 => format!("{one} > {constant}"),
            _ => format!("{one} != {other}"),
        }
    }

    fn assignment(&mut self) {
        let (to, from, other) = (self.variable(), self.variable(), self.variable());
        let (constant, modulus) = (self.below(4) + 1, self.below(5) + 3);
        let value = match self.below(4) {
            0 => constant.to_string(),
            1 => format!("({from} + {constant}) % {modulus}"),
            2 => format!("({from} + {other}) % {modulus}"),
            _ => from.to_string(),
        };
        let _ = writeln!(self.text, "{to} = {value};");
    }

    /// Some statements with at most `depth` further levels, where `break` belongs to a loop if
    /// there is one.
    fn statements(&mut self, depth: usize, around: Around) {
        for _ in 0..self.below(3) + 1 {
            match self.below(6) {
                0 | 1 if depth > 0 && self.loops < 3 => self.iteration(depth - 1),
                2 | 3 if depth > 0 => {
                    let condition = self.condition();
                    let _ = writeln!(self.text, "if ({condition}) {{");
                    self.statements(depth - 1, around);
                    self.text.push_str("} else {\n");
                    self.statements(depth - 1, around);
                    self.text.push_str("}\n");
                }
                4 if around == Around::Loop => {
                    let condition = self.condition();
                    let _ = writeln!(self.text, "if ({condition}) break;");
                }
                _ => self.assignment(),
            }
        }
    }

    fn iteration(&mut self, depth: usize) {
        let (number, most) = (self.loops, self.below(4) + 1);
        self.loops += 1;
        let head = match self.below(3) {
            0 => "while (__VERIFIER_nondet_int()) {".to_owned(),
            _ => format!("for (unsigned i{number} = 0; i{number} < {most}; i{number}++) {{"),
        };
        let _ = writeln!(self.text, "{head}");
        self.statements(depth, Around::Loop);
        self.text.push_str("}\n");
    }
}

/// The statement that `break` would leave.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    Nothing,
    Loop,
}

fn program(seed: u64) -> String {
    let state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    let mut maker = Maker { state, text: String::new(), loops: 0 };
    for _ in 0..10 {
        maker.below(2);
    }
    let values = [maker.below(4), maker.below(4), maker.below(4)];
    let [a, b, c] = values;
    maker.text = format!(
        "int __VERIFIER_nondet_int(void);\nvoid reach_error(void);\nint main(void) {{\nunsigned a = {a}, b = {b}, c = {c};\n"
    );
    maker.statements(1, Around::Nothing);
    maker.iteration(2);
    maker.statements(1, Around::Nothing);
    let (one, other) = (maker.condition(), maker.condition());
    let _ = writeln!(maker.text, "if (({one}) && ({other})) reach_error();\n}}");
    maker.text
}

fn lowered(pool: &mut TermPool, text: &str) -> Program {
    let mut sources = SourceMap::new();
    let file = sources.add("random.c", text.as_bytes().to_vec()).expect("the program is small");
    let parsed = grammars::c::parse(&sources, file);
    let checked = sema::check(&parsed.unit, sema::Options { model: DataModel::Ilp32 });
    assert!(!checked.has_errors(), "{text}\n{:?}", checked.diagnostics);
    let specification = Specification::default_for_tool();
    lower(pool, &checked.program, &specification, &Options::new("main")).0
}

fn factory() -> Interpolating {
    let yices: Rc<dyn ProverFactory> = Rc::new(backend_yices::factory());
    let (solver, spacer) = (Rc::clone(&yices), backend_z3::interpolators());
    let interpolation = move || {
        let sources =
            spacer.iter().map(|source| source.new_interpolator(&solver, Preference::default())).collect();
        Interpolation { budget: Some(Duration::from_secs(1)), ..Interpolation::new(sources) }
    };
    Interpolating { factory: yices, interpolation: Rc::new(interpolation) }
}

/// How an algorithm proves programs.
fn method(induction: Induction) -> Method {
    match induction {
        Induction::None | Induction::KInduction | Induction::Kiki => Method::StepCase,
        Induction::Pdr => Method::Reachability,
        Induction::Horn => {
            let yices: Rc<dyn ProverFactory> = Rc::new(backend_yices::factory());
            let pdr = Pdr { factory: Rc::clone(&yices), interpolators: None };
            Method::Clauses(Engines { solvers: vec![Rc::new(pdr)], checkers: vec![yices] })
        }
    }
}

/// The verdict of an algorithm. A certificate is validated by another solver.
fn verdict(text: &str, config: &Config) -> Option<bool> {
    let mut pool = TermPool::new();
    let program = lowered(&mut pool, text);
    let factory = factory();
    let pipeline = Pipeline::standard();
    let schedule = Schedule::deepening(Some(64));
    let deadline = Some(Instant::now() + TIME);
    let settings = bmc::Config { deadline, pipeline, ..bmc::Config::new(schedule) };
    let verdict = match (config.is_unrolling(), config.induction) {
        (true, Induction::None) => bmc::run(&mut pool, &program, &factory, &settings, &mut ()).verdict,
        (true, induction) => {
            let config = induction::Config { method: method(induction), ..induction::Config::new(settings) };
            induction::run(&mut pool, &program, &factory, &config, &mut ()).verdict
        }
        (false, _) => {
            let settings = predicate::Settings::new(settings);
            predicate::run(&mut pool, &program, &factory, config, &settings, &mut ()).verdict
        }
    };
    match verdict {
        Verdict::Safe(certificate) => {
            let limits = Limits { deadline: Some(Instant::now() + TIME), ..Limits::default() };
            let checked = validate(&mut pool, &program, &certificate, &backend_z3::factory(), &limits);
            assert!(!matches!(checked, Err(NotValidated::Rejected(_))), "{checked:?}\n{text}");
            Some(true)
        }
        Verdict::Unsafe(_) => Some(false),
        Verdict::Unknown(_) => None,
    }
}

fn seeds() -> Range<u64> {
    let chosen = std::env::var("HORNWORK_LOOPS").ok().and_then(|text| {
        let (first, end) = text.split_once("..")?;
        Some(first.parse().ok()?..end.parse().ok()?)
    });
    chosen.unwrap_or(0..16)
}

#[test]
fn algorithms_agree_on_random_loops() {
    let (mut proofs, mut errors) = (0, 0);
    for seed in seeds() {
        let text = program(seed);
        let expected = verdict(&text, &PRESETS[0].config);
        let mut answers = vec![(PRESETS[0].name, expected)];
        for preset in &PRESETS[1..] {
            answers.push((preset.name, verdict(&text, &preset.config)));
        }
        let is_safe = answers.iter().any(|(_, answer)| *answer == Some(true));
        let is_unsafe = answers.iter().any(|(_, answer)| *answer == Some(false));
        assert!(!(is_safe && is_unsafe), "seed {seed}: {answers:?}\n{text}");
        proofs += answers.iter().filter(|(_, answer)| *answer == Some(true)).count();
        errors += answers.iter().filter(|(_, answer)| *answer == Some(false)).count();
    }
    assert!(proofs > 0 && errors > 0, "too few verdicts: {proofs} proofs and {errors} errors");
}
