//! Printer of transition systems in BTOR2 (Niemetz, Preiner, Wolf, Biere, *BTOR2, BtorMC and
//! Boolector 3.0*, CAV 2018): bit vectors and arrays of them, one node in each line.
//!
//! In BTOR2, the next value of a state is a function of the state and the inputs, and constraints
//! hold in every frame up to the bad one. Here, steps are a relation:
//! * A next value that every step determines is that function
//!   ([`TransitionSystem::functions`]); any other is an input.
//! * The rest of the relation guards the state `valid`, which is true at first and becomes false
//!   with the first step that the relation does not permit. A bad state counts only while `valid`
//!   holds, so a bad state without a successor is found as well.
//! * An initial value that is a constant is an `init` line. The rest of the initial states is a
//!   constraint that the state `start`, true in the first frame only, switches on.
//!
//! A truth value is one bit. A constant array in a term is a state that keeps its initial value.

use crate::updates::Contents;
use crate::{TransitionSystem, Update, Updates, updates, variable_name};
use rustc_hash::FxHashMap;
use std::fmt::Write;
use terms::{Op, Sort, Term, TermPool, print};

/// The reason why BTOR2 cannot express a system.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Inexpressible {
    /// A sort that is neither a bit vector nor an array of bit vectors.
    #[error("BTOR2 has bit vectors and arrays of them, but no values of sort {0}")]
    Sort(String),
    /// An operator.
    #[error("BTOR2 has no operator for the term {0}")]
    Operator(String),
}

impl TransitionSystem {
    /// Returns the text of the system, after `comments`, lines that start with `;`.
    ///
    /// # Errors
    /// If BTOR2 cannot express it.
    pub fn to_btor2(&self, pool: &mut TermPool, comments: &str) -> Result<String, Inexpressible> {
        let (functions, guard) = self.functions(pool);
        let (values, init) = self.initial_values(pool);
        let mut writer = Writer { text: comments.to_owned(), ..Writer::default() };
        let bit = writer.sort(pool, Sort::Bool)?;
        // The reference parser requires that an initial value comes before its state.
        let truth = pool.tru();
        let truth = writer.term(pool, truth)?;
        let mut initial = Vec::with_capacity(values.len());
        for value in values {
            initial.push(match value {
                // The value of an array is that of all its elements.
                Some(value) if matches!(pool.op(value), Op::ConstArray(_)) => {
                    Some(writer.term(pool, pool.children(value)[0])?)
                }
                Some(value) => Some(writer.term(pool, value)?),
                None => None,
            });
        }
        let mut ids = Vec::with_capacity(self.states.len());
        for variable in &self.states {
            let sort = writer.sort(pool, pool.sort(variable.symbol))?;
            let id = writer.line(&format!("state {sort} {}", word(&variable.name)));
            writer.nodes.insert(variable.symbol, id);
            ids.push((sort, id));
        }
        for &input in &self.inputs {
            let name = variable_name(pool, input);
            writer.input(pool, input, &name)?;
        }
        for (variable, function) in self.states.iter().zip(&functions) {
            if function.is_none() {
                writer.input(pool, variable.next, &format!("{}.next", variable.name))?;
            }
        }
        for (&(sort, id), value) in ids.iter().zip(initial) {
            if let Some(value) = value {
                writer.line(&format!("init {sort} {id} {value}"));
            }
        }
        if pool.as_bool(init) != Some(true) {
            let start = writer.line(&format!("state {bit} start"));
            writer.line(&format!("init {bit} {start} {truth}"));
            writer.line(&format!("next {bit} {start} {}", -truth));
            let init = writer.term(pool, init)?;
            let node = writer.line(&format!("or {bit} {} {init}", -start));
            writer.line(&format!("constraint {node}"));
        }
        let mut bad = writer.term(pool, self.bad)?;
        if pool.as_bool(guard) != Some(true) {
            let valid = writer.line(&format!("state {bit} valid"));
            writer.line(&format!("init {bit} {valid} {truth}"));
            let guard = writer.term(pool, guard)?;
            let next = writer.line(&format!("and {bit} {valid} {guard}"));
            writer.line(&format!("next {bit} {valid} {next}"));
            bad = writer.line(&format!("and {bit} {valid} {bad}"));
        }
        for ((variable, function), (sort, id)) in self.states.iter().zip(functions).zip(ids) {
            let value = match function {
                Some(value) => writer.term(pool, value)?,
                None => writer.nodes[&variable.next],
            };
            writer.line(&format!("next {sort} {id} {value}"));
        }
        writer.line(&format!("bad {bad}"));
        Ok(writer.text)
    }

    /// The constants that the initial states fix, and the formula of the initial states without
    /// their equations.
    fn initial_values(&self, pool: &mut TermPool) -> (Vec<Option<Term>>, Term) {
        let mut updates = Updates::default();
        for variable in &self.states {
            updates.insert(variable.next, Update { after: variable.symbol, value: None });
        }
        let contents = Contents::new(pool, self.init, &updates);
        updates::determine(pool, self.init, &contents, &mut updates);
        for update in updates.values_mut() {
            update.value = update.value.filter(|&value| match pool.op(value) {
                Op::ConstArray(_) => pool.op(pool.children(value)[0]).is_constant(),
                op => op.is_constant(),
            });
        }
        let rest = updates::guard(pool, self.init, &contents, &updates);
        (updates.values().map(|update| update.value).collect(), rest)
    }
}

/// A name as a word: without white space and without the start of a comment.
fn word(name: &str) -> String {
    name.replace(|character: char| character.is_whitespace() || character == ';', "_")
}

#[derive(Default)]
struct Writer {
    text: String,
    last: i64,
    sorts: FxHashMap<String, i64>,
    /// The nodes of terms; a negative number is the complement of a node.
    nodes: FxHashMap<Term, i64>,
    arrays: FxHashMap<(i64, i64), i64>,
}

impl Writer {
    fn line(&mut self, node: &str) -> i64 {
        self.last += 1;
        let _ = writeln!(self.text, "{} {node}", self.last);
        self.last
    }

    fn sort(&mut self, pool: &TermPool, sort: Sort) -> Result<i64, Inexpressible> {
        let text = match sort {
            Sort::Bool => "sort bitvec 1".to_owned(),
            Sort::BitVec(width) => format!("sort bitvec {width}"),
            Sort::Array(parts) => {
                let (index, element) = pool.array_sort_parts(parts);
                if [index, element].iter().any(|part| matches!(part, Sort::Array(_))) {
                    return Err(Inexpressible::Sort(print::sort(pool, sort)));
                }
                format!("sort array {} {}", self.sort(pool, index)?, self.sort(pool, element)?)
            }
            _ => return Err(Inexpressible::Sort(print::sort(pool, sort))),
        };
        if let Some(&id) = self.sorts.get(&text) {
            return Ok(id);
        }
        let id = self.line(&text);
        self.sorts.insert(text, id);
        Ok(id)
    }

    fn input(&mut self, pool: &TermPool, symbol: Term, name: &str) -> Result<(), Inexpressible> {
        let sort = self.sort(pool, pool.sort(symbol))?;
        let id = self.line(&format!("input {sort} {}", word(name)));
        self.nodes.insert(symbol, id);
        Ok(())
    }

    /// The node of a term; writes the nodes that it needs.
    fn term(&mut self, pool: &TermPool, root: Term) -> Result<i64, Inexpressible> {
        let mut order = Vec::new();
        pool.visit(&[root], |term| !self.nodes.contains_key(&term), |term| order.push(term));
        for term in order {
            if !self.nodes.contains_key(&term) {
                let node = self.node(pool, term)?;
                self.nodes.insert(term, node);
            }
        }
        Ok(self.nodes[&root])
    }

    fn node(&mut self, pool: &TermPool, term: Term) -> Result<i64, Inexpressible> {
        let children: Vec<i64> = pool.children(term).iter().map(|child| self.nodes[child]).collect();
        let sort = self.sort(pool, pool.sort(term))?;
        let operator = match pool.op(term) {
            Op::True => return Ok(self.line(&format!("one {sort}"))),
            Op::False => return Ok(self.line(&format!("zero {sort}"))),
            Op::BvConst(_) => {
                let bits = pool.as_bit_vector(term).expect("a constant has bits").to_string();
                // SMT-LIB's text has a prefix for the radix.
                return Ok(match (bits.strip_prefix("#x"), bits.strip_prefix("#b")) {
                    (Some(digits), _) => self.line(&format!("consth {sort} {digits}")),
                    (_, Some(digits)) => self.line(&format!("const {sort} {digits}")),
                    _ => unreachable!("a bit vector is hexadecimal or binary, not {bits}"),
                });
            }
            Op::Not | Op::BvNot => return Ok(-children[0]),
            Op::ConstArray(_) if pool.op(pool.children(term)[0]).is_constant() => {
                let value = children[0];
                if let Some(&known) = self.arrays.get(&(sort, value)) {
                    return Ok(known);
                }
                let state = self.line(&format!("state {sort}"));
                self.line(&format!("init {sort} {state} {value}"));
                self.line(&format!("next {sort} {state} {state}"));
                self.arrays.insert((sort, value), state);
                return Ok(state);
            }
            Op::Extract { high, low } => {
                return Ok(self.line(&format!("slice {sort} {} {high} {low}", children[0])));
            }
            Op::ZeroExtend(bits) => return Ok(self.line(&format!("uext {sort} {} {bits}", children[0]))),
            Op::SignExtend(bits) => return Ok(self.line(&format!("sext {sort} {} {bits}", children[0]))),
            Op::And | Op::BvAnd => "and",
            Op::Or | Op::BvOr => "or",
            Op::Xor | Op::BvXor => "xor",
            Op::Ite => "ite",
            Op::Eq => "eq",
            Op::BvNeg => "neg",
            Op::BvAdd => "add",
            Op::BvSub => "sub",
            Op::BvMul => "mul",
            Op::BvUdiv => "udiv",
            Op::BvUrem => "urem",
            Op::BvSdiv => "sdiv",
            Op::BvSrem => "srem",
            Op::BvShl => "sll",
            Op::BvLshr => "srl",
            Op::BvAshr => "sra",
            Op::BvUlt => "ult",
            Op::BvUle => "ulte",
            Op::BvSlt => "slt",
            Op::BvSle => "slte",
            Op::Concat => "concat",
            Op::Select => "read",
            Op::Store => "write",
            _ => {
                let text = pool.display(term).to_string();
                let short: String = text.chars().take(80).collect();
                return Err(Inexpressible::Operator(short));
            }
        };
        match (pool.op(term), &children[..]) {
            // Connectives may have more operands than two.
            (Op::And | Op::Or, [first, rest @ ..]) => {
                let mut node = *first;
                for child in rest {
                    node = self.line(&format!("{operator} {sort} {node} {child}"));
                }
                Ok(node)
            }
            _ => {
                let operands: Vec<String> = children.iter().map(ToString::to_string).collect();
                Ok(self.line(&format!("{operator} {sort} {}", operands.join(" "))))
            }
        }
    }
}
