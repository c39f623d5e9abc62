//! Checks, scopes and cores.

use crate::conversation::{Conversation, Purpose};
use crate::model::ProcessModel;
use crate::replies::{elements, unquoted};
use crate::{Scopes, Specification, Theories};
use backends::child::Patience;
use backends::{Limits, Outcome, Prover, Reason, Refutation, Support};
use std::fmt::Write;
use std::rc::Rc;
use std::time::Duration;
use terms::print::Session;
use terms::{Term, TermPool};

/// A prover; see the crate documentation.
pub(crate) struct ProcessProver {
    pub(crate) specification: Rc<Specification>,
    logic: String,
    pub(crate) limits: Limits,
    /// The assertions, by scope. The base scope always exists.
    scopes: Vec<Vec<Term>>,
    /// The assumptions of the last check.
    assumptions: Vec<Term>,
    theories: Theories,
    pub(crate) live: Option<Live>,
}

/// A process with the part of the assertions that it has received.
pub(crate) struct Live {
    pub(crate) conversation: Conversation,
    pub(crate) session: Session,
    /// For each scope of the process, the number of assertions that it has received.
    synced: Vec<usize>,
    /// Commands to be sent before the next check.
    pending: String,
    /// Whether the scope of the assumptions of the last check is open.
    is_assuming: bool,
    has_checked: bool,
}

/// The prefix of the names of assumptions.
const ASSUMPTION: &str = "hornwork!assumption!";

enum Answer {
    Sat,
    Unsat,
}

impl Live {
    fn close_assumptions(&mut self) {
        if std::mem::take(&mut self.is_assuming) {
            self.pop();
        }
    }

    fn push(&mut self) {
        self.pending.push_str("(push 1)\n");
        self.session.push();
    }

    fn pop(&mut self) {
        self.pending.push_str("(pop 1)\n");
        self.session.pop();
    }

    /// Adds declarations and an assertion, with a name if it is an assumption.
    fn assert(&mut self, pool: &TermPool, formula: Term, name: Option<usize>) {
        let Live { session, pending, .. } = self;
        let written = (|| {
            session.declare(pending, pool, &[formula])?;
            pending.push_str(if name.is_some() { "(assert (! " } else { "(assert " });
            session.term(pending, pool, formula)?;
            match name {
                Some(number) => writeln!(pending, " :named {ASSUMPTION}{number}))"),
                None => writeln!(pending, ")"),
            }
        })();
        written.expect("a string takes any text");
    }
}

impl ProcessProver {
    pub(crate) fn new(
        specification: &Rc<Specification>,
        logic: &str,
        limits: &Limits,
    ) -> Result<Self, Reason> {
        let mut prover = ProcessProver {
            specification: Rc::clone(specification),
            logic: logic.to_owned(),
            limits: limits.clone(),
            scopes: vec![Vec::new()],
            assumptions: Vec::new(),
            theories: Theories::default(),
            live: None,
        };
        // A program that does not start or refuses the logic is reported now.
        prover.start(&prover.patience())?;
        Ok(prover)
    }

    pub(crate) fn patience(&self) -> Patience {
        Patience::new(&self.limits, Duration::ZERO)
    }

    /// The assertions and the assumptions of the last check.
    pub(crate) fn formulas(&self) -> Vec<Term> {
        self.scopes.iter().flatten().chain(&self.assumptions).copied().collect()
    }

    fn start(&mut self, patience: &Patience) -> Result<(), Reason> {
        let conversation = Conversation::open(&self.specification, &self.logic, Purpose::Checks, patience)?;
        self.live = Some(Live {
            conversation,
            session: Session::new(),
            synced: vec![0],
            pending: String::new(),
            is_assuming: false,
            has_checked: false,
        });
        Ok(())
    }

    fn solve(&mut self, pool: &TermPool) -> Result<Answer, Reason> {
        let patience = self.patience();
        let is_used = self.live.as_ref().is_some_and(|live| live.has_checked);
        if is_used && self.specification.scopes == Scopes::Restart {
            self.live = None;
        }
        if self.live.is_none() {
            self.start(&patience)?;
        }
        let ProcessProver { live, scopes, assumptions, specification, .. } = self;
        let live = live.as_mut().expect("the process was just started");
        live.close_assumptions();
        let is_native = specification.scopes == Scopes::Native;
        for (level, formulas) in scopes.iter().enumerate() {
            if level == live.synced.len() {
                if is_native {
                    live.push();
                }
                live.synced.push(0);
            }
            for &formula in &formulas[live.synced[level]..] {
                live.assert(pool, formula, None);
            }
            live.synced[level] = formulas.len();
        }
        if !assumptions.is_empty() {
            if is_native {
                live.push();
                live.is_assuming = true;
            }
            let has_cores = specification.capabilities.unsat_cores == Support::Full;
            for (number, &assumption) in assumptions.iter().enumerate() {
                live.assert(pool, assumption, has_cores.then_some(number));
            }
        }
        live.pending.push_str("(check-sat)\n");
        live.has_checked = true;
        let commands = std::mem::take(&mut live.pending);
        let reply = live.conversation.ask_one(&commands, &patience)?;
        match reply.as_str() {
            "sat" => Ok(Answer::Sat),
            "unsat" => Ok(Answer::Unsat),
            "unknown" => Err(Reason::Incomplete(self.reason(&patience)?)),
            _ => Err(live.conversation.unexpected(&reply)),
        }
    }

    /// The reason of an `unknown`, in the words of the solver.
    fn reason(&mut self, patience: &Patience) -> Result<String, Reason> {
        let Some(live) = &mut self.live else { return Ok("unknown".to_owned()) };
        let reply = live.conversation.ask_one("(get-info :reason-unknown)\n", patience)?;
        let words = reply.strip_prefix("(:reason-unknown").and_then(|rest| rest.strip_suffix(')'));
        Ok(words.unwrap_or("unknown").trim().trim_matches('"').to_owned())
    }
}

impl Prover for ProcessProver {
    fn push(&mut self) -> Result<(), Reason> {
        self.scopes.push(Vec::new());
        Ok(())
    }

    fn pop(&mut self) -> Result<(), Reason> {
        if self.scopes.len() == 1 {
            return Err(Reason::Misuse("pop without push".to_owned()));
        }
        self.scopes.pop();
        if let Some(live) = &mut self.live
            && live.synced.len() > self.scopes.len()
        {
            match self.specification.scopes {
                Scopes::Native => {
                    live.close_assumptions();
                    live.synced.pop();
                    live.pop();
                }
                Scopes::Restart => self.live = None,
            }
        }
        Ok(())
    }

    fn assert(&mut self, pool: &TermPool, formula: Term) -> Result<(), Reason> {
        self.theories.check(pool, formula, &self.specification.capabilities)?;
        self.scopes.last_mut().expect("the base scope is never closed").push(formula);
        Ok(())
    }

    fn check(&mut self, pool: &TermPool, assumptions: &[Term]) -> Outcome<'_> {
        if let Some(reason) = self.limits.exceeded() {
            return Outcome::Unknown(reason);
        }
        for &assumption in assumptions {
            if let Err(reason) = self.theories.check(pool, assumption, &self.specification.capabilities) {
                return Outcome::Unknown(reason);
            }
        }
        self.assumptions = assumptions.to_vec();
        match self.solve(pool) {
            Ok(Answer::Sat) => Outcome::Sat(Box::new(ProcessModel::new(self))),
            Ok(Answer::Unsat) => Outcome::Unsat(Box::new(ProcessRefutation { prover: self })),
            Err(reason) => {
                if !matches!(reason, Reason::Incomplete(_)) {
                    self.live = None;
                }
                Outcome::Unknown(reason)
            }
        }
    }

    fn set_limits(&mut self, limits: &Limits) {
        self.limits = limits.clone();
    }
}

struct ProcessRefutation<'p> {
    prover: &'p mut ProcessProver,
}

impl Refutation for ProcessRefutation<'_> {
    fn unsat_core(&mut self) -> Result<Vec<usize>, Reason> {
        let count = self.prover.assumptions.len();
        if count == 0 {
            return Ok(Vec::new());
        }
        if self.prover.specification.capabilities.unsat_cores == Support::None {
            return Err(Reason::Unsupported("unsat cores".to_owned()));
        }
        let patience = self.prover.patience();
        let lost = || Reason::Fault("a core without a solver".to_owned());
        let live = self.prover.live.as_mut().ok_or_else(lost)?;
        let reply = live.conversation.ask_one("(get-unsat-core)\n", &patience);
        let core = reply.and_then(|reply| {
            let number = |name: &String| -> Option<usize> {
                let number = unquoted(name).strip_prefix(ASSUMPTION)?.parse().ok()?;
                (number < count).then_some(number)
            };
            let names = elements(&reply);
            let core = names.and_then(|names| names.iter().map(number).collect::<Option<Vec<usize>>>());
            core.ok_or_else(|| live.conversation.unexpected(&reply))
        });
        match core {
            Ok(mut core) => {
                core.sort_unstable();
                core.dedup();
                Ok(core)
            }
            Err(reason) => {
                self.prover.live = None;
                Err(reason)
            }
        }
    }
}
