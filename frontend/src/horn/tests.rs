//! Tests of the reader: the clauses of formulas in many forms, and errors.

use super::{Dialect, HornFile, Status, limits, read};
use grammars::source::{Diagnostic, SourceMap};
use horn::Notes;
use terms::TermPool;

fn try_read(pool: &mut TermPool, text: &str) -> Result<HornFile, Vec<String>> {
    let mut map = SourceMap::new();
    let file = map.add("a.smt2", text.as_bytes().to_vec()).expect("a small file");
    let position = |error: &Diagnostic| {
        let at = map.location(error.primary.span).expect("the error is in the file");
        format!("{}:{}: {}", at.line, at.column, error.message)
    };
    read(pool, &map, file).map_err(|errors| errors.iter().map(position).collect())
}

fn good(pool: &mut TermPool, text: &str) -> HornFile {
    try_read(pool, text).unwrap_or_else(|errors| panic!("{errors:?}\n{text}"))
}

/// The clauses as text: `body => head` without constraints, where they are true.
fn clauses(text: &str) -> Vec<String> {
    let mut pool = TermPool::new();
    let file = good(&mut pool, text);
    let atom = |atom: &horn::Atom| {
        let name = file.system.relations[atom.relation].name.clone();
        let arguments = atom.arguments.iter().map(|&argument| pool.display(argument).to_string());
        let arguments: Vec<String> = arguments.collect();
        if arguments.is_empty() { name } else { format!("{name}({})", arguments.join(",")) }
    };
    let clauses = file.system.clauses.values().map(|clause| {
        let mut body: Vec<String> = clause.body.iter().map(atom).collect();
        if pool.as_bool(clause.constraint) != Some(true) {
            body.push(pool.display(clause.constraint).to_string());
        }
        format!("{} => {}", body.join(" "), clause.head.as_ref().map_or("false".to_owned(), atom))
    });
    clauses.collect()
}

const RELATIONS: &str = "(declare-fun p (Int) Bool) (declare-fun q (Int Int) Bool) (declare-fun b () Bool)\n";

fn asserted(formula: &str) -> Vec<String> {
    clauses(&format!("{RELATIONS}(assert {formula})"))
}

fn error(formula: &str) -> String {
    let text = format!("{RELATIONS}(assert {formula})");
    let errors = try_read(&mut TermPool::new(), &text).expect_err(formula);
    assert_eq!(errors.len(), 1, "{errors:?}");
    errors[0].clone()
}

#[test]
fn a_clause_has_the_symbols_of_its_relations() {
    assert_eq!(asserted("(forall ((x Int)) (=> (p x) (p x)))"), [""; 0]);
    assert_eq!(
        asserted("(forall ((x Int) (y Int)) (=> (q x y) (q x 1)))"),
        ["q(q.0,q.1) (= q.1+ 1) => q(q.0,q.1+)"]
    );
    assert_eq!(
        asserted("(forall ((x Int) (y Int)) (=> (and (p x) (= y (+ x 1))) (p y)))"),
        ["p(p.0) (= p.0 (+ p.0+ (- 1))) => p(p.0+)"]
    );
    assert_eq!(asserted("(forall ((x Int)) (=> (q x x) b))"), ["q(q.0,q.1) (= q.0 q.1) => b"]);
    assert_eq!(
        asserted("(forall ((x Int) (y Int)) (=> (q x y) (q y x)))"),
        ["q(q.0,q.1) (and (= q.0+ q.1) (= q.0 q.1+)) => q(q.0+,q.1+)"]
    );
    assert_eq!(
        asserted("(forall ((x Int)) (=> (and (p x) (q x 3) (< x 5)) false))"),
        ["p(p.0) q(p.0,argument.0) (and (= 3 argument.0) (<= p.0 4)) => false"]
    );
    assert_eq!(
        asserted("(forall ((x Int) (y Int)) (=> (and (p 7) (q x y) (p y)) false))"),
        ["p(p.0) q(x,y) p(y) (= p.0 7) => false"]
    );
}

#[test]
fn updates_have_values_where_the_constraint_determines_them() {
    let mut pool = TermPool::new();
    let text = format!("{RELATIONS}(assert (forall ((x Int) (y Int)) (=> (q x y) (q (+ x 2) (* x y)))))");
    let file = good(&mut pool, &text);
    let clause = file.system.clauses.values().next().expect("a clause");
    let values: Vec<String> = clause
        .updates
        .values()
        .map(|update| update.value.map_or("unknown".to_owned(), |value| pool.display(value).to_string()))
        .collect();
    assert_eq!(values, ["(+ q.0 2)", "(* q.0 q.1)"]);
    assert_eq!(pool.as_bool(clause.guard), Some(true));
}

#[test]
fn queries_have_many_forms() {
    let query = ["p(p.0) (< 5 p.0) => false"];
    for formula in [
        "(forall ((x Int)) (=> (and (p x) (> x 5)) false))",
        "(forall ((x Int)) (not (and (p x) (> x 5))))",
        "(not (exists ((x Int)) (and (p x) (> x 5))))",
        "(forall ((x Int)) (=> (p x) (<= x 5)))",
        "(forall ((x Int)) (or (<= x 5) (not (p x))))",
        "(=> (exists ((x Int)) (and (p x) (> x 5))) false)",
        "(forall ((x Int)) (=> (p x) (=> (> x 5) false)))",
        "(let ((all (forall ((x Int)) (=> (p x) (<= x 5))))) (and all all))",
    ] {
        assert_eq!(asserted(formula), query, "{formula}");
    }
}

#[test]
fn connectives_are_split() {
    assert_eq!(
        asserted("(and (p 1) (forall ((x Int)) (=> (p x) b)))"),
        ["(= p.0+ 1) => p(p.0+)", "p(p.0) => b"]
    );
    assert_eq!(
        asserted("(forall ((x Int)) (=> (or (p x) (q x x)) b))"),
        ["p(p.0) => b", "q(q.0,q.1) (= q.0 q.1) => b"]
    );
    assert_eq!(
        asserted("(forall ((x Int)) (= (p x) (> x 0)))"),
        ["p(p.0) (<= p.0 0) => false", "(< 0 p.0+) => p(p.0+)"]
    );
    assert_eq!(
        asserted("(forall ((x Int)) (=> (ite (< x 0) (p x) b) false))"),
        ["p(p.0) (<= p.0 (- 1)) => false", "b (< (- 1) x) => false"]
    );
    assert_eq!(asserted("(forall ((x Int)) (=> (not (p x)) (> x 0)))"), ["(<= p.0+ 0) => p(p.0+)"]);
    assert_eq!(asserted("true"), [""; 0]);
    assert_eq!(asserted("b"), [" => b"]);
    assert_eq!(asserted("(not b)"), ["b => false"]);
}

#[test]
fn quantifiers_with_equal_variables_are_kept_apart() {
    let formula = "(=> (and (exists ((x Int)) (q x 1)) (exists ((x Int)) (q 2 x))) b)";
    assert_eq!(asserted(formula), ["q(q.0,q.1) q(argument.0,x!1) (and (= q.1 1) (= 2 argument.0)) => b"]);
    let pure = "(forall ((x Int)) (=> (and (p x) (exists ((y Int)) (= x (* 2 y)))) b))";
    assert_eq!(asserted(pure), ["p(p.0) (= p.0 (* 2 y)) => b"]);
    let kept = "(forall ((x Int)) (=> (and (p x) (forall ((y Int)) (< x (* y y)))) b))";
    assert!(asserted(kept)[0].contains("forall"), "{:?}", asserted(kept));
}

#[test]
fn many_cases_become_auxiliary_relations() {
    let or = |place: usize| format!("(or (p {place}) (q {place} x) b)");
    let ors: Vec<String> = (0..4).map(or).collect();
    let formula = format!("(forall ((x Int)) (=> (and {}) (p x)))", ors.join(" "));
    let clauses = asserted(&formula);
    assert_eq!(clauses.len(), 4 * 3 + 1);
    assert!(clauses.iter().any(|clause| clause.starts_with("case!0(") && clause.contains(" case!3(")));
    let few = format!("(forall ((x Int)) (=> (and {} {}) (p x)))", or(1), or(2));
    assert_eq!(asserted(&few).len(), 9);
}

#[test]
fn definitions_and_bindings_of_atoms_are_expanded() {
    let text = format!(
        "{RELATIONS}(define-fun step ((x Int) (y Int)) Bool (and (p x) (= y (+ x 1))))
        (define-fun all () Bool (forall ((x Int)) (=> (p x) b)))
        (assert (forall ((y Int) (x Int)) (=> (step y x) (p x)))) (assert all)
        (assert (forall ((x Int)) (let ((a (p x)) (c (> x 3))) (=> (and a c) b))))"
    );
    assert_eq!(
        clauses(&text),
        ["p(p.0) (= p.0 (+ p.0+ (- 1))) => p(p.0+)", "p(p.0) => b", "p(p.0) (< 3 p.0) => b"]
    );
}

#[test]
fn rules_and_queries_of_z3_are_clauses() {
    let text = "(declare-rel p (Int)) (declare-rel goal ()) (declare-var x Int) (declare-var y Int)
        (rule (p 0)) (rule (=> (and (p x) (= y (+ x 1))) (p y)) step)
        (rule (=> (and (p x) (exists ((x Int)) (p (* 2 x)))) goal))
        (query goal :print-certificate true)";
    assert_eq!(
        clauses(text),
        [
            "(= p.0+ 0) => p(p.0+)",
            "p(p.0) (= p.0 (+ p.0+ (- 1))) => p(p.0+)",
            "p(p.0) p(argument.0) (= argument.0 (* 2 x)) => goal",
            "goal => false"
        ]
    );
    let mut pool = TermPool::new();
    let file = good(&mut pool, text);
    assert_eq!(file.dialect, Dialect::Rules);
    assert_eq!(file.system.clauses.values().nth(1).map(|clause| &*clause.origin), Some("step (line 2)"));
}

#[test]
fn the_header_is_read() {
    let mut pool = TermPool::new();
    let file = good(&mut pool, "(set-logic HORN) (set-info :status unsat) (check-sat) (get-model) (exit) )");
    assert_eq!((file.logic.as_deref(), file.status), (Some("HORN"), Some(Status::Unsat)));
    assert_eq!(file.warnings.len(), 1, "there is no query");
}

#[test]
fn formulas_that_are_not_horn_are_located_errors() {
    let cases = [
        ("(or b (p 1))", "2:9: not a Horn clause: both `b` and `p` are on the derived side"),
        ("(exists ((x Int)) (p x))", "2:9: not a Horn clause: `p` is derived below an existential"),
        ("(=> (forall ((x Int)) (p x)) b)", "2:9: not a Horn clause: `p` is derived below"),
        ("(forall ((x Int)) (=> (p (ite b 1 x)) b))", "2:9: the relation `b` occurs inside of a term"),
        ("(xor b (p 1))", "2:9: not a Horn clause: both"),
    ];
    for (formula, expected) in cases {
        let found = error(formula);
        assert!(found.starts_with(expected), "{formula}: {found}");
    }
}

#[test]
fn unsupported_commands_and_symbols_are_located_errors() {
    let cases = [
        ("(declare-const c Int) (assert (p c))", "2:31: the constant `c` is neither"),
        ("(declare-fun f (Int) Int) (assert (p (f 1)))", "2:35: the function `f` is not a relation"),
        ("(declare-sort S 0) (declare-fun r (S) Bool) (assert (forall ((x S)) (r x)))", "2:53: variables of"),
        ("(push 1)", "2:1: `push` is not supported"),
        ("(check-sat) (assert b)", "2:21: an assertion after `check-sat`"),
        ("(assert (p 1 2))", "2:9: `p` takes 1 argument, not 2"),
        ("(assert (forall ((x Strange)) (p x)))", "2:21: the sort `Strange` is not declared"),
        ("(define-fun r ((x Int)) Bool (r x))", "2:31: `r` is not declared"),
        ("(assert (p true))", "2:12: argument 1 of `p` should be of sort Int"),
        (
            "(declare-datatype L ((nil) (cons (tail L))))",
            "2:19: not supported: the data type `L` has several",
        ),
        (
            "(declare-datatype C ((r) (g) (u)))(declare-fun f ((Array Int C)) Bool)",
            "2:51: not supported: an array of the enumeration `C`",
        ),
        (
            "(declare-datatype C ((r) (g)))(declare-fun c () C)(assert (= c r))",
            "2:59: the constant `c` is neither",
        ),
        (
            "(declare-datatype C ((r) (g)))(assert (forall ((x C)) (=> (match x ((r true))) (p 1))))",
            "2:59: this `match` has no case for the constructor `g`",
        ),
        (
            "(declare-datatype C ((r) (g)))(declare-const c C)(declare-const d C)(define-fun s () C (! c :next d))",
            "2:93: data types and declared sorts are not supported in a transition",
        ),
        (
            "(declare-datatype C ((r) (g)))(define-fun s () Bool (! (= r g) :init true))",
            "2:64: data types and declared sorts are not supported in a transition",
        ),
        (
            "(declare-const i Int)(define-fun s () Bool (! (= i 0) :init true))(define-fun t () Bool (! (= i 1) :trans true))",
            "2:55: the input `i` occurs in `:init` and in steps or properties",
        ),
        ("(declare-datatype |(P Int)| ((r) (g)))", "2:19: the name of a data type does not start"),
        ("(assert (p 1)", "2:1: this parenthesis is never closed"),
        ("(declare-fun p (Int) Bool)", "2:14: `p` is declared twice"),
    ];
    for (text, expected) in cases {
        let errors = try_read(&mut TermPool::new(), &format!("{RELATIONS}{text}")).expect_err(text);
        assert!(errors[0].starts_with(expected), "{text}: {errors:?}");
    }
}

#[test]
fn errors_are_limited() {
    let text = "(assert x)\n".repeat(1000);
    let errors = try_read(&mut TermPool::new(), &text).expect_err("there are errors");
    assert_eq!(errors.len(), limits::ERRORS);
}

#[test]
fn deep_and_wide_formulas_are_read() {
    let depth = 100_000;
    let mut text = format!("{RELATIONS}(assert (forall ((x Int)) ");
    for level in 0..depth {
        text.push_str(&format!("(let ((v{level} (=> (> x {level}) (p x)))) "));
    }
    text.push_str(&format!("v{}{}))", depth - 1, ")".repeat(depth)));
    assert_eq!(clauses(&text).len(), 1);
    let implications = format!(
        "{RELATIONS}(assert {}b{})",
        (0..depth).map(|number| format!("(=> (p {number}) ")).collect::<String>(),
        ")".repeat(depth)
    );
    assert_eq!(clauses(&implications).len(), 1);
    // Each level doubles the formula as a tree.
    let mut shared = format!("{RELATIONS}(assert (forall ((x Int)) (let ((a0 (p x))) ");
    for level in 1..60 {
        let below = level - 1;
        shared.push_str(&format!(
            "(let ((a{level} (and (or a{below} (p {level})) (or a{below} (q x {level}))))) "
        ));
    }
    shared.push_str(&format!("(=> a59 b){}", ")".repeat(59 + 3)));
    let file = try_read(&mut TermPool::new(), &shared);
    assert!(file.is_ok_and(|file| file.system.clauses.len() < 1000));
}

#[test]
fn copies_are_bounded() {
    let heads: Vec<String> = (0..20_000).map(|number| format!("(p {number})")).collect();
    let bodies: Vec<String> = (0..20_000).map(|number| format!("(q x {number})")).collect();
    let formula = format!("(forall ((x Int)) (=> (and {}) (and {})))", bodies.join(" "), heads.join(" "));
    assert!(error(&formula).contains("too many Horn clauses"));
}

#[test]
fn printed_systems_are_read_again() {
    let text = "(declare-fun inv (Int (Array Int Bool)) Bool) (declare-fun |a b| () Bool)
        (declare-fun x () Bool) (declare-fun error () Bool)
        (assert (forall ((x Int) (a (Array Int Bool))) (=> (= x 0) (inv x a))))
        (assert (forall ((x Int) (y Int) (a (Array Int Bool)))
            (=> (and (inv x a) (inv y a) (select a (+ x y))) (inv (+ x 1) (store a y false)))))
        (assert (forall ((x Int) (a (Array Int Bool))) (=> (and (inv x a) (< x 0)) |a b|)))
        (assert (=> (and |a b| x) false)) (assert (=> error false))";
    let mut pool = TermPool::new();
    let mut texts = vec![text.to_owned()];
    for round in 0..3 {
        let file = good(&mut pool, &texts[round]);
        assert_eq!(
            (file.system.relations.len(), file.system.clauses.len()),
            match round {
                0 => (4, 5),
                _ => (5, 6),
            }
        );
        texts.push(file.system.with_one_query(&mut pool).to_text(&pool, &Notes::default()));
    }
    // The positions in the comments differ.
    let plain =
        |text: &str| text.lines().filter(|line| !line.starts_with(';')).collect::<Vec<_>>().join("\n");
    assert_eq!(plain(&texts[2]), plain(&texts[3]));
}

#[test]
fn data_types_become_their_components() {
    let types = "(declare-datatypes ((C 0) (R 0)) (((r) (g) (u)) ((mk (c C) (n Int)))))
        (declare-fun s (R) Bool) (declare-fun t (C) Bool) (declare-var v C)\n";
    let read = |text: &str| clauses(&format!("{RELATIONS}{types}{text}"));
    // The range is part of each clause, and every argument is in it.
    assert_eq!(
        read("(assert (forall ((x R)) (=> (and (s x) ((_ is g) (c x))) (t (c x)))))"),
        ["s(s.0,s.1) (and (= s.0 t.0+) (= 1 s.0) (< (- 1) s.0) (<= s.0 2)) => t(t.0+)"]
    );
    assert_eq!(read("(assert (s (mk u 7)))"), ["(and (= 2 s.0+) (= s.1+ 7)) => s(s.0+,s.1+)"]);
    let rule = ["(and (not (= 0 t.0+)) (< (- 1) t.0+) (<= t.0+ 2)) => t(t.0+)"];
    assert_eq!(read("(assert (forall ((x C)) (=> (distinct x r) (t x))))"), rule);
    assert_eq!(read("(rule (=> (distinct v r) (t v)))"), rule);
    // An existential variable that does not open.
    let inner = read("(assert (forall ((x C)) (=> (forall ((y C)) (= y x)) b)))");
    assert!(inner[0].contains("(forall ((y Int)) "), "{inner:?}");
    assert_eq!(
        read(
            "(assert (forall ((x R)) (=> (and (s x) (match x (((mk d _) (match d ((r true) (_ false))))))) false)))"
        ),
        ["s(s.0,s.1) (and (= 0 s.0) (< (- 1) s.0) (<= s.0 2)) => false"]
    );
}

#[test]
fn relations_are_no_testers() {
    let types = "(declare-datatype C ((r) (g)))(declare-fun |is r| (C) Bool)\n";
    let clauses = clauses(&format!("{types}(assert (forall ((x C)) (=> (|is r| x) ((_ is r) x))))"));
    assert!(matches!(&clauses[..], [only] if only.starts_with("is r(")), "{clauses:?}");
}

#[test]
fn annotations_of_annotations_count() {
    let text = "(declare-const x Int)(declare-const y Int)
        (define-fun s () Int (! (! x :next y) :hint a))
        (define-fun i () Bool (! (! (= x 0) :init true) :invar-property 0))
        (define-fun t () Bool (! (= y (+ x 1)) :trans true))";
    let file = good(&mut TermPool::new(), text);
    assert_eq!(file.system.relations.values().next().map(|data| data.arguments.len()), Some(1));
    assert_eq!(file.system.queries().count(), 1);
}

#[test]
fn btor2_beyond_its_definition_is_a_located_error() {
    let cases = [
        ("1 sort bitvec 1\n2 input 1\n3 state 1\n4 init 1 3 2", "4:12: an initial value depends on"),
        ("1 sort bitvec 1\n2 state 1\n3 init 1 2 -2", "3:12: an initial value depends on"),
        ("1 sort bitvec 1\n2 state 1\n3 state 1\n4 init 1 2 3", "4:12: an initial value depends on"),
        (
            "1 sort bitvec 2\n2 input 1\n3 sort bitvec 1\n4 implies 3 2 2",
            "4:13: expected a bit vector of 1 bits",
        ),
        ("1 sort bitvec 8\n2 constd 1 +5", "2:12: `constd` requires digits"),
        ("1 sort bitvec 8\n2 constd 1 1_0", "2:12: `constd` requires digits"),
    ];
    for (text, expected) in cases {
        let errors = try_read(&mut TermPool::new(), text).expect_err(text);
        assert!(errors[0].starts_with(expected), "{text}: {errors:?}");
    }
}

#[test]
fn btor2_states_depend_on_earlier_ones_and_have_distinct_names() {
    let text = "1 sort bitvec 1\n2 state 1 x\n3 state 1 x\n4 init 1 3 -2";
    let file = good(&mut TermPool::new(), text);
    let state = file.system.relations.values().next().expect("the relation of states");
    let names: Vec<&str> = state.arguments.iter().map(|argument| &*argument.name).collect();
    assert_eq!(names, ["x", "x.3"]);
}

#[test]
fn redxor_is_the_parity() {
    for value in 0..32u32 {
        let mut pool = TermPool::new();
        let text =
            format!("1 sort bitvec 5\n2 sort bitvec 1\n3 constd 1 {value}\n4 redxor 2 3\n5 state 2\n6 bad 4");
        let file = good(&mut pool, &text);
        let (_, query) = file.system.queries().next().expect("a query");
        assert_eq!(pool.as_bool(query.constraint), Some(value.count_ones() % 2 == 1), "{value}");
    }
}
