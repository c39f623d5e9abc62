//! Interpolants, in one of two dialects.
//!
//! *SMTInterpol* (Christ, Hoenicke, Nutz, *SMTInterpol: An Interpolating SMT Solver*, SPIN 2012):
//! the parts are named assertions, and `get-interpolants` returns the interpolants of a tree.
//! *MathSAT*: each assertion belongs to a group, and `(get-interpolant (g0 … gi))` returns the
//! interpolant between these groups and all others; the interpolants of growing lists from one
//! proof are inductive. Each problem is solved by a process of its own.

use crate::conversation::{Conversation, Purpose};
use crate::replies::elements;
use crate::{Dialect, Specification, Theories};
use backends::child::Patience;
use backends::interpolation::{
    Interpolants, Interpolator, InterpolatorFactory, Preference, Problem, Shape, arguments,
};
use backends::{Limits, ProverFactory, Reason};
use frontend::smtlib::{Command, Script};
use grammars::source::SourceMap;
use std::fmt::Write;
use std::rc::Rc;
use std::time::Duration;
use terms::print::Session;
use terms::{Term, TermPool};

pub(crate) struct ProcessInterpolatorFactory {
    pub(crate) specification: Rc<Specification>,
    pub(crate) dialect: Dialect,
}

/// The prefix of the names of parts.
const PART: &str = "hornwork!part!";

fn shape(dialect: Dialect) -> Shape {
    match dialect {
        Dialect::Smtinterpol => Shape::Tree,
        Dialect::Mathsat => Shape::Sequence,
    }
}

impl InterpolatorFactory for ProcessInterpolatorFactory {
    fn name(&self) -> &'static str {
        self.specification.name
    }

    fn solver(&self) -> Option<&'static str> {
        Some(self.specification.name)
    }

    fn shape(&self) -> Shape {
        shape(self.dialect)
    }

    fn theories(&self) -> Vec<&'static str> {
        self.specification.capabilities.theories.clone()
    }

    fn placement(&self) -> backends::Placement {
        backends::Placement::OwnProcess
    }

    fn new_interpolator(
        &self,
        _solver: &Rc<dyn ProverFactory>,
        _preference: Preference,
    ) -> Box<dyn Interpolator> {
        let specification = Rc::clone(&self.specification);
        Box::new(ProcessInterpolator { specification, dialect: self.dialect })
    }
}

struct ProcessInterpolator {
    specification: Rc<Specification>,
    dialect: Dialect,
}

impl Interpolator for ProcessInterpolator {
    fn name(&self) -> &str {
        self.specification.name
    }

    fn solver(&self) -> Option<&str> {
        Some(self.specification.name)
    }

    fn shape(&self) -> Shape {
        shape(self.dialect)
    }

    fn interpolate(&mut self, pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Interpolants {
        self.solve(pool, problem, limits).into()
    }
}

impl ProcessInterpolator {
    fn solve(&self, pool: &mut TermPool, problem: &Problem, limits: &Limits) -> Result<Interpolants, Reason> {
        if let Some(reason) = limits.exceeded() {
            return Err(reason);
        }
        if problem.tree.shape() > self.shape() {
            return Err(Reason::Unsupported("this shape of interpolation problems".to_owned()));
        }
        let parts: Vec<Term> = problem.parts.iter().map(|part| pool.and(part)).collect();
        let mut theories = Theories::default();
        for &part in &parts {
            theories.check(pool, part, &self.specification.capabilities)?;
        }
        let mut session = Session::new();
        let text = self.assertions(pool, &parts, &mut session);
        if session.has_renamed() {
            return Err(Reason::Unsupported("symbols of the same name".to_owned()));
        }
        let patience = Patience::new(limits, Duration::ZERO);
        let purpose = Purpose::Interpolation;
        let mut conversation = Conversation::open(&self.specification, "ALL", purpose, &patience)?;
        match conversation.ask_one(&text, &patience)?.as_str() {
            "unsat" => {}
            "sat" => return Ok(Interpolants::Satisfiable(None)),
            "unknown" => return Err(Reason::Incomplete("unknown".to_owned())),
            reply => return Err(conversation.unexpected(reply)),
        }
        let texts = self.interpolants(&mut conversation, problem, &patience)?;
        let terms = texts.iter().map(|text| read(pool, &mut session, text));
        let terms: Vec<Term> = terms
            .map(|term| term.map_err(|text| Reason::Unsupported(format!("this interpolant: {text}"))))
            .collect::<Result<_, _>>()?;
        Ok(Interpolants::Found(terms))
    }

    /// The declarations, the parts and a check.
    fn assertions(&self, pool: &TermPool, parts: &[Term], session: &mut Session) -> String {
        let mut text = String::new();
        let written = (|| {
            session.declare(&mut text, pool, parts)?;
            for (number, &part) in parts.iter().enumerate() {
                text.push_str("(assert (! ");
                session.term(&mut text, pool, part)?;
                let keyword = match self.dialect {
                    Dialect::Smtinterpol => ":named",
                    Dialect::Mathsat => ":interpolation-group",
                };
                writeln!(text, " {keyword} {PART}{number}))")?;
            }
            writeln!(text, "(check-sat)")
        })();
        written.expect("a string takes any text");
        text
    }

    /// The interpolants as text, one for each part except the root.
    fn interpolants(
        &self,
        conversation: &mut Conversation,
        problem: &Problem,
        patience: &Patience,
    ) -> Result<Vec<String>, Reason> {
        let count = problem.parts.len() - 1;
        if count == 0 {
            return Ok(Vec::new());
        }
        match self.dialect {
            Dialect::Smtinterpol => {
                let command = format!("(get-interpolants {})\n", arguments(problem, PART));
                let reply = conversation.ask_one(&command, patience)?;
                let found = elements(&reply).filter(|found| found.len() == count);
                found.ok_or_else(|| conversation.unexpected(&reply))
            }
            Dialect::Mathsat => {
                let mut commands = String::new();
                for last in 0..count {
                    let groups: Vec<String> = (0..=last).map(|part| format!("{PART}{part}")).collect();
                    writeln!(commands, "(get-interpolant ({}))", groups.join(" "))
                        .expect("a string takes any text");
                }
                let replies = conversation.ask(&commands, patience)?;
                match replies.first() {
                    _ if replies.len() == count => Ok(replies),
                    first => Err(conversation.unexpected(first.map_or("nothing", String::as_str))),
                }
            }
        }
    }
}

/// Reads a formula over the declared symbols of the session.
///
/// # Errors
/// The text, if it is no formula.
fn read(pool: &mut TermPool, session: &mut Session, text: &str) -> Result<Term, String> {
    let shown = || text.chars().take(100).collect::<String>();
    let mut script = "(set-logic ALL)\n".to_owned();
    session.declarations(&mut script, pool).expect("a string takes any text");
    writeln!(script, "(assert {text})").expect("a string takes any text");
    let mut map = SourceMap::new();
    let file = map.add("interpolant", script.into_bytes()).map_err(|_| shown())?;
    let mut script = Script::new(&map, file);
    let mut found = None;
    while let Some(step) = script.next(pool) {
        match step {
            Ok(step) => {
                if let Command::Assert { formula, .. } = step.command {
                    found = Some(formula);
                }
            }
            Err(diagnostic) => return Err(format!("{}: {}", shown(), diagnostic.message)),
        }
    }
    found.ok_or_else(shown)
}
