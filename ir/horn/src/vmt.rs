//! Printer of transition systems in VMT-LIB, the format of nuXmv, ic3ia and other model checkers
//! (<https://vmt-lib.fbk.eu>): SMT-LIB whose definitions are annotated.
//!
//! `(define-fun .x () Int (! x :next x.next))` makes `x` a variable of the state; `:init`,
//! `:trans` and `:invar-property` annotate the initial states, the steps, and the states that an
//! invariant permits. All other constants are inputs. SMT solvers ignore the annotations.

use crate::TransitionSystem;
use std::fmt::{self, Write};
use terms::print::{self, Clause, Labels, Unique};
use terms::{Op, Term, TermPool};

impl TransitionSystem {
    /// Writes the system, with `header`, which consists of comments and `set-info` commands.
    ///
    /// # Errors
    /// If `out` fails.
    pub fn write_vmt(&self, out: &mut dyn Write, pool: &mut TermPool, header: &str) -> fmt::Result {
        let property = pool.not(self.bad);
        let pool = &*pool;
        let mut labels = Labels::default();
        let mut unique = Unique::for_readers();
        let mut label = |term: Term, name: &str| {
            if let Op::Symbol(symbol) = pool.op(term) {
                labels.symbols.insert(symbol, unique.claim(name));
            }
        };
        for variable in &self.states {
            label(variable.symbol, &variable.name);
        }
        for variable in &self.states {
            label(variable.next, &format!("{}.next", variable.name));
        }
        for &input in &self.inputs {
            let name = crate::variable_name(pool, input);
            label(input, name.rsplit_once('!').map_or(&*name, |(name, _)| name));
        }
        let states = self.states.iter().flat_map(|variable| [variable.symbol, variable.next]);
        let symbols: Vec<Term> = states.chain(self.inputs.iter().copied()).collect();
        let mut terms = symbols.clone();
        terms.extend([self.init, self.trans, property]);
        let names = Clause::new(pool, &terms, &labels);
        let text = |term: Term| {
            let mut text = String::new();
            names.term(&mut text, term).map(|()| text)
        };
        out.write_str(header)?;
        for &symbol in &symbols {
            writeln!(out, "(declare-fun {} () {})", text(symbol)?, print::sort(pool, pool.sort(symbol)))?;
        }
        let definition = |name: &str| {
            // The names of definitions differ from those of symbols.
            let mut names = unique.clone();
            print::quote(&names.claim(name)).into_owned()
        };
        for (index, variable) in self.states.iter().enumerate() {
            let sort = print::sort(pool, pool.sort(variable.symbol));
            let (symbol, next) = (text(variable.symbol)?, text(variable.next)?);
            let name = definition(&format!(".state{index}"));
            writeln!(out, "(define-fun {name} () {sort} (! {symbol} :next {next}))")?;
        }
        for (name, annotation, term) in [
            (".init", ":init true", self.init),
            (".trans", ":trans true", self.trans),
            (".property", ":invar-property 0", property),
        ] {
            writeln!(
                out,
                "(define-fun {} () Bool\n  (! {}\n   {annotation}))",
                definition(name),
                text(term)?
            )?;
        }
        Ok(())
    }
}
