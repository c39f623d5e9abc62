//! Quantified invariants: a proof by facts about all cells of an array, and changes that are
//! refused.

use super::*;
use crate::engines::bmc::{self, Growth, Schedule};
use crate::engines::induction;
use crate::evidence::Verdict;
use program::text::parse_text;
use terms::{Substitution, TermPool};

/// `for (i = 0; i < n; i++) a[i] = 7; for (i = 0; i < n; i++) if (a[i] != 7) error;`
const FILL: &str = "machine 64
entry f0
region r0 \"memory\" bytes
object o0 \"a\" size 4000 align 4 regions r0
property p0 reach-call \"call of reach_error\"

function f0 \"main\" () {
  block b0:
    v0: ptr \"&a\" = address-of o0
    goto b1
  block b1:
    v1: i32 \"n\" = havoc input \"__VERIFIER_nondet_int\"
    branch (or (bvslt v1 #x00000000) (not (bvslt v1 #x000003e9))) then b3 else b2
  block b2:
    goto b4(#x00000000)
  block b3:
    stop exit
  block b4(v2: i32 \"i\"):
    branch (bvslt v2 v1) then b5 else b6
  block b5:
    store r0 [(bvadd v0 (bvmul ((_ sign_extend 32) v2) #x0000000000000004))] i32 #x00000007
    v3: i32 \"i\" = (bvadd v2 #x00000001)
    goto b4(v3)
  block b6:
    goto b7(#x00000000)
  block b7(v4: i32 \"i\"):
    branch (bvslt v4 v1) then b8 else b3
  block b8:
    v5: i32 = load r0 [(bvadd v0 (bvmul ((_ sign_extend 32) v4) #x0000000000000004))]
    branch (not (= v5 #x00000007)) then b10 else b9
  block b9:
    v6: i32 \"i\" = (bvadd v4 #x00000001)
    goto b7(v6)
  block b10:
    error p0
}
";

struct Proved {
    pool: TermPool,
    program: Program,
    invariants: Invariants,
}

fn prove(encoding: Encoding) -> Proved {
    let mut pool = TermPool::new();
    let program = parse_text(&mut pool, FILL).unwrap_or_else(|error| panic!("{error}"));
    let schedule = Schedule { first: 1, growth: Growth::Linear, largest: Some(2), free: 0 };
    let search = bmc::Config { theories: Theories::of(encoding), ..bmc::Config::new(schedule) };
    let config = induction::Config::new(search);
    let report = induction::run(&mut pool, &program, &backend_yices::factory(), &config, &mut ());
    let Verdict::Safe(Certificate::Inductive(invariants)) = report.verdict else {
        panic!("{encoding:?}: {:?}", report.verdict)
    };
    assert!(invariants.index.is_some());
    Proved { pool, program, invariants: *invariants }
}

impl Proved {
    fn validate(&mut self) -> Result<Validated, NotValidated> {
        let certificate = Certificate::Inductive(Box::new(self.invariants.clone()));
        let factory = backend_yices::factory();
        validate(&mut self.pool, &self.program, &certificate, &factory, &Limits::default())
    }

    fn replace(&mut self, from: Term, to: Term) {
        let mut substitution = Substitution::new();
        substitution.insert(from, to);
        for formula in self.invariants.at.values_mut() {
            *formula = substitution.apply(&mut self.pool, *formula);
        }
    }
}

#[test]
fn a_proof_about_all_cells_is_accepted() {
    for encoding in [Encoding::QfAbvfp, Encoding::QfAuflira] {
        let result = prove(encoding).validate();
        assert!(result.is_ok(), "{encoding:?}: {result:?}");
    }
}

#[test]
fn a_wrong_quantified_invariant_is_refused() {
    for encoding in [Encoding::QfAbvfp, Encoding::QfAuflira] {
        // Another value in all cells.
        let mut proved = prove(encoding);
        let [seven, eight] = match encoding {
            Encoding::QfAbvfp => [7, 8].map(|value| proved.pool.bv(32, value)),
            _ => [7, 8].map(|value| proved.pool.int(value)),
        };
        proved.replace(seven, eight);
        let result = proved.validate();
        assert!(matches!(result, Err(NotValidated::Rejected(Rejection::Refuted(_)))), "{result:?}");
        // All cells, not only those of the segment.
        let mut proved = prove(encoding);
        for formula in proved.invariants.at.values_mut() {
            let mut stronger = Vec::new();
            for conjunct in proved.pool.conjuncts(&[*formula]) {
                let disjuncts = proved.pool.children(conjunct).to_vec();
                let is_about_cell = |&term: &Term| proved.pool.display(term).to_string().contains("select");
                let cell = disjuncts.into_iter().find(is_about_cell);
                stronger.push(cell.filter(|_| proved.pool.op(conjunct) == terms::Op::Or).unwrap_or(conjunct));
            }
            *formula = proved.pool.and(&stronger);
        }
        let result = proved.validate();
        assert!(matches!(result, Err(NotValidated::Rejected(Rejection::Refuted(_)))), "{result:?}");
    }
}

#[test]
fn the_index_must_be_quantified() {
    let mut proved = prove(Encoding::QfAbvfp);
    proved.invariants.index = None;
    let result = proved.validate();
    assert!(matches!(result, Err(NotValidated::Rejected(Rejection::ForeignSymbol { .. }))), "{result:?}");
}

#[test]
fn without_the_fact_about_cells_the_error_is_not_excluded() {
    let mut proved = prove(Encoding::QfAbvfp);
    let index = proved.invariants.index.expect("an index");
    for formula in proved.invariants.at.values_mut() {
        let mut conjuncts = proved.pool.conjuncts(&[*formula]);
        conjuncts.retain(|&conjunct| {
            let symbols = proved.pool.free_symbols(conjunct);
            symbols.into_iter().all(|symbol| proved.pool.symbol_term(symbol) != index.symbol)
        });
        *formula = proved.pool.and(&conjuncts);
    }
    let result = proved.validate();
    assert!(
        matches!(result, Err(NotValidated::Rejected(Rejection::Refuted(Claim::Safety { .. })))),
        "{result:?}"
    );
}

#[test]
fn an_index_of_another_sort_is_refused() {
    let mut proved = prove(Encoding::QfAbvfp);
    let index = proved.invariants.index.as_mut().expect("an index");
    index.sort = Sort::BitVec(8);
    let result = proved.validate();
    assert!(matches!(result, Err(NotValidated::Rejected(Rejection::Sort { .. }))), "{result:?}");
}
