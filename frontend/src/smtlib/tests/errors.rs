//! Diagnostics.

use super::{assertions, commands, errors, steps};
use crate::smtlib::limits;
use grammars::source::SourceMap;
use terms::TermPool;

#[test]
fn a_mistake_is_named_where_it_is() {
    let header = "(declare-const x (_ BitVec 8)) (declare-const n Int) (declare-fun f (Int Real) Int) (declare-sort S 0)\n";
    let cases = [
        ("(assert (= x y))", "2:14: `y` is not declared"),
        ("(assert (bvadd x n))", "2:18: argument 2 of `bvadd` should be a bit vector but is of sort Int"),
        (
            "(assert (bvult x #x123))",
            "2:18: argument 2 of `bvult` should be of sort (_ BitVec 8) but is of sort (_ BitVec 12)",
        ),
        (
            "(assert (> n x))",
            "2:14: argument 2 of `>` should be of sort Int or Real but is of sort (_ BitVec 8)",
        ),
        ("(assert (f n))", "2:9: `f` takes 2 arguments, not 1"),
        ("(assert (= (f 1.5 2) 0))", "2:15: argument 1 of `f` should be of sort Int but is of sort Real"),
        ("(assert f)", "2:9: `f` takes 2 arguments, not none"),
        ("(assert (n 1))", "2:10: the constant `n` cannot be applied to arguments"),
        ("(assert n)", "2:9: expected a term of sort Bool, found sort Int"),
        ("(assert (not true true))", "2:9: `not` takes 1 argument, not 2"),
        ("(assert (= n))", "2:9: `=` takes at least 2 arguments, not 1"),
        ("(assert and)", "2:9: `and` needs arguments"),
        ("(assert ((_ extract 8 0) x))", "2:9: `(_ extract 8 0)` does not fit a bit vector of 8 bits"),
        ("(assert ((_ extract 8) x))", "2:10: `extract` takes 2 indices, not 1"),
        ("(assert (extract x))", "2:10: `extract` needs indices, as in `(_ extract …)`"),
        ("(assert ((_ and 2) x))", "2:10: `and` takes no indices"),
        ("(assert (= x (_ bv256 8)))", "2:14: `(_ bv256 8)` does not fit into 8 bits"),
        ("(declare-const y (_ BitVec 0))", "2:28: a bit vector has at least one bit"),
        ("(declare-const y (_ BitVec 16777217))", "2:28: bit vectors of 16777217 bits are not supported"),
        (
            "(declare-const y (_ BitVec 99999999999999999999999))",
            "2:28: bit vectors of that many bits are not supported",
        ),
        ("(declare-const y (Array Int))", "2:19: the sort `Array` takes 2 arguments, not 1"),
        ("(declare-const y (S Int))", "2:19: the sort `S` takes no arguments, not 1"),
        ("(declare-const y T)", "2:18: the sort `T` is not declared"),
        ("(declare-const y String)", "2:18: the sort `String` is not supported"),
        ("(declare-const n Bool)", "2:16: `n` is declared twice"),
        ("(declare-sort S 0)", "2:15: the sort `S` is declared twice"),
        ("(declare-sort Int 0)", "2:15: the sort `Int` is predefined by a theory"),
        ("(declare-fun and (Int) Int)", "2:14: `and` is a symbol of the theory Core and cannot be declared"),
        ("(define-fun g ((a Int) (a Int)) Int a)", "2:24: duplicate parameter `a`"),
        ("(define-fun g () Bool n)", "2:23: the body should be of sort Bool but is of sort Int"),
        ("(define-fun g ((a Int)) Int (g a))", "2:30: `g` is not declared"),
        ("(assert (let ((a 1) (a 2)) true))", "2:21: `a` is bound twice in one list"),
        ("(assert (let ((a 1)) (a 2)))", "2:23: the variable `a` cannot be applied to arguments"),
        (
            "(assert (forall ((a Int)) a))",
            "2:27: the body of a quantifier should be of sort Bool but is of sort Int",
        ),
        (
            "(assert (forall ((a Int)) (! (< a n) :named m)))",
            "2:38: a term in the scope of a quantifier or parameter cannot be named",
        ),
        ("(assert (! true :named))", "2:17: `:named` requires a symbol"),
        ("(assert (! true :named n))", "2:24: `n` is declared twice"),
        ("(assert (= (as x Int) 1))", "2:12: this is of sort (_ BitVec 8), not Int"),
        ("(pop 1)", "2:1: there is no open scope to pop"),
        ("(push 5000000000)", "2:1: more than 1000000 open scopes are not supported"),
        ("(assert (= \"a\" \"b\"))", "2:12: strings are not supported"),
        ("(assert (str.< x x))", "2:10: `str.<`: strings are not supported"),
        ("(declare-datatypes ((L 0)) ((nil)))", "2:30: unexpected symbol `nil`"),
        (
            "(declare-datatype L ((nil) (cons (head Int) (tail L))))",
            "2:19: not supported: the data type `L` has several constructors, some with fields",
        ),
        ("(declare-datatype L ((cons (tail L))))", "2:19: not supported: the data type `L` is recursive"),
        (
            "(declare-datatypes ((P 1)) ((par (X) ((p (f X))))))",
            "2:24: data types with sort parameters are not supported",
        ),
        (
            "(declare-datatypes (X) ((P (p (f X)))))",
            "2:21: data types with sort parameters are not supported",
        ),
        ("(declare-datatypes ((P 0)) (((a)) ((b))))", "2:1: 1 data types are named, but 2 are defined"),
        ("(declare-datatype P ((x)))", "2:23: `x` is declared twice"),
        ("(declare-datatype P ((a) (a)))", "2:27: `a` is declared twice"),
        (
            "(declare-datatype P ((p (field (Array Int P)))))",
            "2:19: not supported: the data type `P` is recursive",
        ),
        ("(assert ((_ is x) x))", "2:10: the index of `is` is not a constructor of a data type"),
        (
            "(assert (match x ((a b))))",
            "2:20: the subject of `match` is of sort (_ BitVec 8), which is no data type",
        ),
        ("(define-fun-rec g ((a Int)) Int (g a))", "2:1: recursive definitions are not supported"),
        ("(minimize n)", "2:2: unknown command `minimize`"),
        ("(set-option :global-declarations 3)", "2:13: `:global-declarations` must be `true` or `false`"),
        ("(get-interpolants A B)", "2:19: no assertion is named `A`"),
        ("(declare-const y (_ FloatingPoint 1 5))", "2:35: the exponent of a float has at least two bits"),
        ("(assert (fp.add x x))", "2:9: `fp.add` takes three arguments, not 2"),
        ("(assert ((_ divisible 0) n))", "2:9: `(_ divisible 0)` divides by zero"),
    ];
    for (text, expected) in cases {
        let found = errors(&format!("{header}{text}"));
        assert_eq!(found, [expected], "{text}");
    }
}

#[test]
fn a_near_name_is_suggested() {
    let mut pool = TermPool::new();
    let help = |pool: &mut TermPool, text: &str| {
        steps(pool, text).into_iter().find_map(Result::err).and_then(|error| error.help)
    };
    let text = "(declare-const counter Int) (assert (= countre 1))";
    assert_eq!(help(&mut pool, text).as_deref(), Some("did you mean `counter`?"));
    assert_eq!(help(&mut pool, "(assert (bvad #b1 #b0))").as_deref(), Some("did you mean `bvadd`?"));
    assert_eq!(help(&mut pool, "(check-sad)").as_deref(), Some("did you mean `check-sat`?"));
    assert_eq!(help(&mut pool, "(declare-const x Floot32)").as_deref(), Some("did you mean `Float32`?"));
    assert_eq!(help(&mut pool, "(assert zebra)"), None);
}

#[test]
fn a_diagnostic_shows_the_line() {
    let mut map = SourceMap::new();
    let file = map.add("a.smt2", *b"(declare-const x Int)\n(assert (< x true))").expect("a small file");
    let mut script = crate::smtlib::Script::new(&map, file);
    let mut pool = TermPool::new();
    assert!(script.next(&mut pool).expect("a command").is_ok());
    let text = script.next(&mut pool).expect("a command").expect_err("a Boolean is no number").render(&map);
    assert!(text.contains("a.smt2:2:14") && text.contains("2 | (assert (< x true))"), "{text}");
}

#[test]
fn a_broken_command_has_no_effect() {
    let mut pool = TermPool::new();
    // The name is defined before the error is detected, and may be defined again.
    let text =
        "(declare-const p Bool) (assert (and (! p :named n) q)) (assert (! (not p) :named n)) (assert n)";
    let steps = steps(&mut pool, text);
    assert!(steps[1].is_err() && steps[2].is_ok() && steps[3].is_ok(), "{steps:?}");
    assert_eq!(errors("(push 1) (pop 2) (pop 1)").len(), 1);
    assert_eq!(
        errors("(assert (let ((x 1)) (forall ((y Int)) (= x z)))) (declare-const x Int) (assert (= x 1))")
            .len(),
        1
    );
}

#[test]
#[ignore = "slow"]
fn what_is_too_large_is_refused() {
    let digits = "9".repeat(limits::NUMERAL_DIGITS + 1);
    assert_eq!(errors(&format!("(assert (= 1 {digits}))")).len(), 1);
    assert_eq!(errors(&format!("(assert (= 1.0 0.{digits}))")).len(), 1);
    // Widths and constants that double with each line.
    let mut text = String::from("(declare-const x (_ BitVec 8)) (define-fun y0 () (_ BitVec 8) x)\n");
    let mut width = 8u64;
    for i in 1..40 {
        width *= 2;
        text.push_str(&format!("(define-fun y{i} () (_ BitVec {width}) (concat y{0} y{0}))\n", i - 1));
    }
    assert!(errors(&text).iter().any(|error| error.ends_with("are not supported")));
    let mut text = String::from("(define-fun y0 () Int 12345)\n");
    for i in 1..60 {
        text.push_str(&format!("(define-fun y{i} () Int (* y{0} y{0}))\n", i - 1));
    }
    assert!(errors(&text).iter().any(|error| error.ends_with("the constants in this product are too large")));
    let mut text = String::from("(define-sort A0 () Int)\n");
    for i in 1..60 {
        text.push_str(&format!("(define-sort A{i} () (Array A{0} A{0}))\n", i - 1));
    }
    assert!(errors(&text).iter().any(|error| error.ends_with("this sort is too large")));
    let many: String = (0..5000).map(|i| format!("(declare-const x{i} Int)")).collect();
    let distinct: String = (0..5000).map(|i| format!(" x{i}")).collect();
    assert_eq!(errors(&format!("{many}(assert (distinct{distinct}))")).len(), 1);
    assert_eq!(errors("(assert (= ((_ repeat 99999999) #xff) #xff))").len(), 1);
    assert_eq!(errors("(assert (= ((_ zero_extend 4294967295) #xff) #xff))").len(), 1);
}

#[test]
fn depth_and_length_cost_no_stack() {
    let depth = 200_000;
    let mut pool = TermPool::new();
    let lets: String = (1..depth).map(|i| format!("(let ((v{i} (f v{}))) ", i - 1)).collect();
    let text = format!(
        "(declare-const v0 Int) (declare-fun f (Int) Int) (assert {lets}(< v{} v0){})",
        depth - 1,
        ")".repeat(depth - 1)
    );
    let formula = assertions(&mut pool, &text)[0];
    assert!(pool.depth(formula) > depth);
    let text = format!("(assert {}true{})", "(not ".repeat(depth), ")".repeat(depth));
    assert_eq!(assertions(&mut pool, &text), [pool.tru()]);
    let text = format!(
        "(declare-fun p (Int) Bool) (assert {}(p x){})",
        "(forall ((x Int)) ".repeat(depth),
        ")".repeat(depth)
    );
    assert_eq!(assertions(&mut pool, &text).len(), 1);
    let text = format!(
        "(declare-fun p (Int) Bool) (assert (and{}))",
        (0..depth).map(|i| format!(" (p {i})")).collect::<String>()
    );
    let formula = assertions(&mut pool, &text)[0];
    assert_eq!(pool.children(formula).len(), depth);
    let groups = format!("(get-interpolants {}A{} B)", "(".repeat(depth), ")".repeat(depth));
    let text = format!("(assert (! true :named A)) (assert (! false :named B)) {groups}");
    assert_eq!(commands(&mut pool, &text).len(), 3);
}
