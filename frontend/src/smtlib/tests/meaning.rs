//! Terms and commands.

use super::{assertions, commands, errors};
use crate::smtlib::{AttributeValue, Command, Declaration, Partitions, Script, print};
use grammars::source::SourceMap;
use num_bigint::BigInt;
use std::collections::BTreeMap;
use terms::{BitVector, FunctionValue, Op, Sort, TermPool, Value, eval};

/// The value of a closed term.
fn value_of(logic: &str, term: &str) -> Value {
    let mut pool = TermPool::new();
    let text = format!("(set-logic {logic}) (get-value ({term}))");
    match &commands(&mut pool, &text)[1] {
        Command::GetValue(terms) => {
            eval(&pool, terms[0].0, &|_| None).unwrap_or_else(|error| panic!("{term}: {error}"))
        }
        command => panic!("{command:?}"),
    }
}

#[test]
fn closed_terms_have_their_value() {
    let cases = [
        ("(=> true false true)", "true"),
        ("(=> true true false)", "false"),
        ("(xor true true true)", "true"),
        ("(= 1 1 2)", "false"),
        ("(distinct 1 2 3)", "true"),
        ("(distinct 1 2 1)", "false"),
        ("(- 10 1 2)", "7"),
        ("(- 3)", "(- 3)"),
        ("(+ 1 2.5)", "3.5"),
        ("(* 2 3 4)", "24"),
        ("(/ 1 2 2)", "0.25"),
        ("(div (- 7) 2)", "(- 4)"),
        ("(mod (- 7) (- 2))", "1"),
        ("(div 100 5 3)", "6"),
        ("(abs (- 3))", "3"),
        ("(abs (- 3.5))", "3.5"),
        ("(< 1 2 3)", "true"),
        ("(>= 3 3 4)", "false"),
        ("((_ divisible 3) 9)", "true"),
        ("((_ divisible 3) 10)", "false"),
        ("(to_int (- 0.5))", "(- 1)"),
        ("(is_int 2.0)", "true"),
        ("(is_int 2.5)", "false"),
        ("(to_real 2)", "2.0"),
        ("(ite true 1 2.0)", "1.0"),
        ("(bvsub #x01 #x02)", "#xff"),
        ("(bvadd #x01 #x02 #x03)", "#x06"),
        ("(bvnand #b1100 #b1010)", "#b0111"),
        ("(bvnor #b1100 #b1010)", "#b0001"),
        ("(bvxnor #b1100 #b1010)", "#b1001"),
        ("(bvcomp #x12 #x12)", "#b1"),
        ("(bvcomp #x12 #x13)", "#b0"),
        ("(bvsmod #xf9 #x03)", "#x02"),
        ("(bvsmod #x07 #xfd)", "#xfe"),
        ("(bvsmod #xf9 #xfd)", "#xff"),
        ("(bvsmod #xf9 #x00)", "#xf9"),
        ("(bvsrem #xf9 #x03)", "#xff"),
        ("(bvsdiv #xf9 #x02)", "#xfd"),
        ("(bvudiv #xf9 #x00)", "#xff"),
        ("(bvugt #x80 #x7f)", "true"),
        ("(bvsgt #x80 #x7f)", "false"),
        ("(bvuge #x80 #x80)", "true"),
        ("(bvsge #x7f #x80)", "true"),
        ("(concat #b1 #b0 #b11)", "#b1011"),
        ("((_ extract 5 2) #b10110100)", "#b1101"),
        ("((_ repeat 3) #b10)", "#b101010"),
        ("((_ repeat 5) #b10)", "#b1010101010"),
        ("((_ rotate_left 1) #b1000)", "#b0001"),
        ("((_ rotate_left 9) #b1000)", "#b0001"),
        ("((_ rotate_right 1) #b0001)", "#b1000"),
        ("((_ rotate_right 4) #b0001)", "#b0001"),
        ("((_ zero_extend 2) #b11)", "#b0011"),
        ("((_ sign_extend 2) #b10)", "#b1110"),
        ("((_ sign_extend 0) #b10)", "#b10"),
        ("(bvredor #b000)", "#b0"),
        ("(bvredor #b010)", "#b1"),
        ("(bvredand #b111)", "#b1"),
        ("(bvredand #b101)", "#b0"),
        ("(bvnego #x80)", "true"),
        ("(bvnego #x81)", "false"),
        ("(bvuaddo #xff #x01)", "true"),
        ("(bvuaddo #xfe #x01)", "false"),
        ("(bvsaddo #x7f #x01)", "true"),
        ("(bvsaddo #xff #x80)", "true"),
        ("(bvsaddo #x7e #x01)", "false"),
        ("(bvusubo #x01 #x02)", "true"),
        ("(bvssubo #x80 #x01)", "true"),
        ("(bvssubo #x00 #x01)", "false"),
        ("(bvumulo #x10 #x10)", "true"),
        ("(bvumulo #x10 #x0f)", "false"),
        ("(bvsmulo #x10 #x08)", "true"),
        ("(bvsmulo #x80 #xff)", "true"),
        ("(bvsmulo #xff #xff)", "false"),
        ("(bvsdivo #x80 #xff)", "true"),
        ("(bvsdivo #x80 #x01)", "false"),
        ("(_ bv10 8)", "#x0a"),
        ("(bv2nat #xff)", "255"),
        ("(ubv_to_int #xff)", "255"),
        ("(sbv_to_int #xff)", "(- 1)"),
        ("((_ int2bv 8) (- 1))", "#xff"),
        ("((_ int_to_bv 4) 17)", "#x1"),
        ("(select (store ((as const (Array Int Int)) 0) 3 4) 3)", "4"),
        ("(select ((as const (Array Int Real)) 1) 3)", "1.0"),
        (
            "(fp.add RNE (fp #b0 #b01111 #b0000000000) (fp #b0 #b01111 #b0000000000))",
            "(fp #b0 #b10000 #b0000000000)",
        ),
        ("(= RNE roundNearestTiesToEven)", "true"),
        ("(fp.gt (_ +oo 5 11) (_ -zero 5 11))", "true"),
        ("(fp.geq ((_ to_fp 5 11) RNE 0.5) ((_ to_fp 5 11) RNE 1))", "false"),
        ("(fp.lt (_ -oo 5 11) (_ -zero 5 11) (_ +oo 5 11))", "true"),
        ("(fp.eq (_ NaN 5 11) (_ NaN 5 11))", "false"),
        ("(= (_ NaN 5 11) (_ NaN 5 11))", "true"),
        ("((_ to_fp 5 11) #x3c00)", "(fp #b0 #b01111 #b0000000000)"),
        ("((_ to_fp 5 11) RNE #b11)", "(fp #b1 #b01111 #b0000000000)"),
        ("((_ to_fp_unsigned 5 11) RNE #b11)", "(fp #b0 #b10000 #b1000000000)"),
        ("((_ fp.to_ubv 8) RTZ ((_ to_fp 5 11) RNE 3.75))", "#x03"),
        ("((_ fp.to_sbv 8) RTP ((_ to_fp 5 11) RNE (- 3.75)))", "#xfd"),
        ("(fp.to_real ((_ to_fp 5 11) RNE 1.5))", "1.5"),
        ("(fp.isSubnormal ((_ to_fp 5 11) #x0001))", "true"),
        (
            "(fp.fma RNE ((_ to_fp 5 11) RNE 2) ((_ to_fp 5 11) RNE 3) ((_ to_fp 5 11) RNE 1))",
            "(fp #b0 #b10001 #b1100000000)",
        ),
    ];
    for (term, expected) in cases {
        assert_eq!(value_of("ALL", term), value_of("ALL", expected), "{term}");
    }
}

#[test]
fn conversions_without_an_operator_are_sums_of_bits() {
    let mut pool = TermPool::new();
    let text = "(declare-const x (_ BitVec 5)) (declare-const i Int)
        (get-value ((bv2nat x) (sbv_to_int x) ((_ int2bv 5) i) (bvsmod x #b00011) (bvsmod x #b11101)))";
    let Some(Command::GetValue(terms)) = commands(&mut pool, text).pop() else {
        panic!("the last command is get-value")
    };
    for number in 0..32u64 {
        let signed = BitVector::new(5, number).to_signed();
        let value = |pool: &TermPool, index: usize| {
            let leaf = |term| match pool.sort(term) {
                Sort::Int => Some(Value::Int(signed.clone())),
                _ => Some(Value::bv(5, number)),
            };
            eval(pool, terms[index].0, &leaf).expect("all leaves have values")
        };
        assert_eq!(value(&pool, 0), Value::int(number as i64));
        assert_eq!(value(&pool, 1), Value::Int(signed.clone()));
        assert_eq!(value(&pool, 2), Value::bv(5, number));
        let signed = BitVector::new(5, number).to_i64().expect("five bits");
        let expected = |divisor: i64| {
            let remainder = signed.rem_euclid(divisor.abs());
            let remainder = if divisor < 0 && remainder != 0 { remainder + divisor } else { remainder };
            Value::BitVec(BitVector::from_integer(5, &BigInt::from(remainder)))
        };
        assert_eq!(value(&pool, 3), expected(3), "{signed}");
        assert_eq!(value(&pool, 4), expected(-3), "{signed}");
    }
}

#[test]
fn numerals_are_reals_where_there_are_no_integers() {
    assert_eq!(value_of("QF_LRA", "(+ 1 2)"), value_of("ALL", "3.0"));
    assert_eq!(value_of("QF_LIRA", "(+ 1 2)"), value_of("ALL", "3"));
    assert_eq!(value_of("NRA", "(/ 1 3)"), value_of("ALL", "(/ 1.0 3.0)"));
}

#[test]
fn symbols_of_other_theories_may_be_declared() {
    let mut pool = TermPool::new();
    let text = "(set-logic QF_UF) (declare-sort U 0) (declare-fun select (U) Bool) (declare-const u U) (assert (select u))";
    let formula = assertions(&mut pool, text)[0];
    assert!(matches!(pool.op(formula), Op::Apply(_)));
    assert_eq!(errors("(set-logic QF_AX) (declare-fun select (Bool) Bool)").len(), 1);
    assert_eq!(errors("(set-logic QF_LIA) (declare-fun bvadd (Int) Int)").len(), 0);
    assert_eq!(errors("(set-logic QF_BV) (declare-fun bvredor (Bool) Bool)").len(), 0);
}

#[test]
fn no_variable_is_captured() {
    let mut pool = TermPool::new();
    let text = "(declare-fun p (Int Int) Bool)
        (define-fun some ((a Int)) Bool (exists ((x Int)) (p x a)))
        (assert (forall ((x Int)) (some x)))
        (assert (forall ((x Int)) (let ((y x)) (exists ((x Int)) (p x y)))))
        (assert (forall ((z Int)) (exists ((w Int)) (p w z))))";
    for formula in assertions(&mut pool, text) {
        let [outer, inner] = *pool.children(formula) else { panic!("one variable and a body") };
        let [variable, body] = *pool.children(inner) else { panic!("one variable and a body") };
        assert_eq!(pool.children(body), [variable, outer]);
        assert_ne!(variable, outer);
    }
}

#[test]
fn definitions_do_not_multiply() {
    let mut pool = TermPool::new();
    let mut text = String::from("(declare-fun f (Int Int) Int) (define-fun g0 ((x Int)) Int (f x x))\n");
    for i in 1..100 {
        text.push_str(&format!("(define-fun g{i} ((x Int)) Int (f (g{0} x) (g{0} x)))\n", i - 1));
    }
    text.push_str("(declare-const c Int) (assert (= 0 (g99 (g99 c))))");
    let formula = assertions(&mut pool, &text)[0];
    assert!(pool.dag_size(formula) < 300, "{}", pool.dag_size(formula));
}

#[test]
fn sorts_may_be_defined_with_parameters() {
    let mut pool = TermPool::new();
    let text = "(declare-sort Pair 2) (define-sort Map (K V) (Array K (Array V K))) (define-sort Twice (X) (Map X (Map X X)))
        (declare-const a (Twice Int)) (declare-const b (Array Int (Array (Array Int (Array Int Int)) Int)))
        (declare-const p (Pair Int Bool)) (declare-const q (Pair Int Bool)) (declare-const r (Pair Bool Int))
        (assert (= a b)) (assert (= p q))";
    assert_eq!(assertions(&mut pool, text).len(), 2);
    assert_eq!(errors(&text.replace("(= p q)", "(= p r)")).len(), 1);
}

#[test]
fn scopes_end_with_pop_unless_declarations_are_global() {
    let text = "(declare-const x Int) (push 1) (declare-const y Int) (push 2) (declare-const z Int) (define-sort S () Int)
        (pop 2) (declare-const z Bool) (pop 1) (assert (= x 0)) ";
    assert!(errors(text).is_empty());
    assert_eq!(errors(&format!("{text} (assert (= y 0))")), ["2:77: `y` is not declared"]);
    assert_eq!(errors(&format!("{text} (declare-const s S)")).len(), 1);
    let global = format!("(set-option :global-declarations true) {text}");
    // The second declaration of `z` is a duplicate.
    assert_eq!(errors(&global).len(), 1);
    assert_eq!(errors(&format!("{global} (assert (= y z)) (declare-const s S)")).len(), 1);
    assert!(
        errors(
            "(declare-const x Int) (reset-assertions) (declare-const x Bool) (reset) (declare-const x Int)"
        )
        .is_empty()
    );
    let kept =
        "(set-option :global-declarations true) (declare-const x Int) (reset-assertions) (assert (= x 1))";
    assert!(errors(kept).is_empty());
}

#[test]
fn declarations_are_listed_in_order_as_long_as_they_are_in_scope() {
    let mut map = SourceMap::new();
    let text = b"(declare-const b Int) (push 1) (declare-fun |a f| (Int) Int) (define-fun d () Int 1) (declare-const c Bool)
        (pop 1) (declare-const |let| Int)";
    let file = map.add("a.smt2", *text).expect("a small file");
    let (mut script, mut pool) = (Script::new(&map, file), TermPool::new());
    let mut listed = Vec::new();
    while let Some(step) = script.next(&mut pool) {
        step.expect("no mistakes");
        let names: Vec<String> = script.declarations().map(|declaration| declaration.name(&pool)).collect();
        listed.push(names.join(" "));
    }
    assert_eq!(listed, ["b", "b", "b |a f|", "b |a f|", "b |a f| c", "b", "b |let|"]);
    assert!(matches!(script.declarations().next(), Some(Declaration::Constant(_))));
}

#[test]
fn named_terms_stand_for_themselves() {
    let mut map = SourceMap::new();
    let text =
        b"(declare-const x Int) (assert (! (< (! (+ x 1) :named s) 3) :named |the name|)) (assert (= s 2))";
    let file = map.add("a.smt2", *text).expect("a small file");
    let (mut script, mut pool) = (Script::new(&map, file), TermPool::new());
    let mut commands = Vec::new();
    while let Some(step) = script.next(&mut pool) {
        commands.push(step.expect("no mistakes").command);
    }
    let Command::Assert { name, span, .. } = &commands[1] else { panic!("{commands:?}") };
    assert_eq!(name.as_deref(), Some("the name"));
    assert!(map.text(*span).starts_with("(! (<"));
    assert!(matches!(&commands[2], Command::Assert { name: None, .. }));
    let named: Vec<String> =
        script.named_terms().map(|(name, term)| format!("{name}: {}", pool.display(term))).collect();
    assert_eq!(named, ["s: (+ x 1)", "the name: (<= x 1)"]);
}

#[test]
fn commands_carry_what_is_asked() {
    let mut pool = TermPool::new();
    let text = "(set-logic QF_LIA) (set-option :verbosity 3) (set-info :source |a b|) (set-info :l (a (b))) (set-info :n)
        (declare-const x Int) (check-sat-assuming ((< x 3) true)) (get-value ((+ x  1))) (push 3) (pop) (echo \"a\"\"b\")
        (get-info :name) (get-proof) (exit)";
    let found = commands(&mut pool, text);
    let option = |keyword: &str, value| Command::SetInfo { keyword: keyword.to_owned(), value };
    assert_eq!(found[0], Command::SetLogic("QF_LIA".to_owned()));
    let (keyword, value) = (":verbosity".to_owned(), AttributeValue::Numeral("3".to_owned()));
    assert_eq!(found[1], Command::SetOption { keyword, value });
    assert_eq!(found[2], option(":source", AttributeValue::Symbol("a b".to_owned())));
    assert_eq!(found[3], option(":l", AttributeValue::Expression("(a (b))".to_owned())));
    assert_eq!(found[4], option(":n", AttributeValue::None));
    assert!(matches!(found[5], Command::Declared(_)));
    let Command::CheckSatAssuming(assumptions) = &found[6] else { panic!("{found:?}") };
    assert_eq!(assumptions[0].text, "(< x 3)");
    let Command::GetValue(values) = &found[7] else { panic!("{found:?}") };
    assert_eq!(values[0].1, "(+ x  1)");
    let rest = [
        Command::Push(3),
        Command::Pop(1),
        Command::Echo("a\"b".to_owned()),
        Command::GetInfo(":name".to_owned()),
        Command::Unsupported { what: "get-proof".to_owned() },
        Command::Exit,
    ];
    assert_eq!(found[8..], rest);
}

/// The tree of a `get-interpolants` over assertions named A to F.
fn tree(partitions: &str) -> Result<(String, Vec<Option<usize>>), String> {
    let asserted: String = "ABCDEF".chars().map(|name| format!("(assert (! true :named {name}))")).collect();
    let text = format!("{asserted}\n(get-interpolants {partitions})");
    if let Some(error) = errors(&text).into_iter().next() {
        return Err(error);
    }
    match commands(&mut TermPool::new(), &text).pop() {
        Some(Command::GetInterpolants(Partitions { names, parents })) => {
            Ok((names.iter().map(|names| names.concat()).collect::<Vec<_>>().join(" "), parents))
        }
        command => panic!("{command:?}"),
    }
}

#[test]
fn groups_of_partitions_are_subtrees() {
    let good = [
        ("A B C", "A B C", vec![Some(1), Some(2), None]),
        ("A (B) C", "A B C", vec![Some(2), Some(2), None]),
        ("A (B D) C", "A B D C", vec![Some(3), Some(2), Some(3), None]),
        ("(and A B) (and C)", "AB C", vec![Some(1), None]),
        ("(A) (B) C", "A B C", vec![Some(2), Some(2), None]),
        ("A (B (C) D) (E) F", "A B C D E F", vec![Some(5), Some(3), Some(3), Some(5), Some(5), None]),
        ("((A) (B) C) D", "A B C D", vec![Some(2), Some(2), Some(3), None]),
    ];
    for (text, names, parents) in good {
        assert_eq!(tree(text), Ok((names.to_owned(), parents)), "{text}");
    }
    let bad = [
        ("A", "2:1: interpolants require at least two partitions"),
        ("A (B)", "2:1: expected a partition after this group"),
        ("A (B (C)) D", "2:21: expected a partition after this group"),
        ("A () B", "2:21: this group has no partition"),
        ("A (and B A) C", "2:28: `A` is in two partitions"),
        ("A x", "2:21: no assertion is named `x`"),
        ("A 3", "2:21: expected a partition"),
    ];
    for (text, message) in bad {
        assert_eq!(tree(text), Err(message.to_owned()), "{text}");
    }
}

#[test]
fn only_assertions_that_hold_can_be_partitions() {
    let text =
        "(assert (! true :named A)) (push 1) (assert (! true :named B)) (pop 1) (get-interpolants A B)";
    assert_eq!(errors(text).len(), 1);
    let global = format!("(set-option :global-declarations true) {text}");
    assert_eq!(errors(&global).len(), 1, "B still has a meaning but is not asserted");
    assert_eq!(errors("(assert (and (! true :named A) (! true :named B))) (get-interpolants A B)").len(), 1);
}

#[test]
fn models_are_printed_as_smt_lib() {
    let mut pool = TermPool::new();
    let array = pool.array_sort(Sort::Int, Sort::BitVec(4));
    let mut value = terms::ArrayValue::constant(Value::bv(4, 0));
    value.store(Value::int(-1), Value::bv(4, 3));
    let symbol = pool.symbol("an array", array);
    assert_eq!(
        print::constant(&pool, symbol, &Value::Array(value)),
        "(define-fun |an array| () (Array Int (_ BitVec 4)) (store ((as const (Array Int (_ BitVec 4))) #x0) (- 1) #x3))"
    );
    let sort = pool.uninterpreted_sort("U");
    let Sort::Uninterpreted(id) = sort else { panic!("{sort:?}") };
    assert_eq!(print::value(&pool, &Value::Element { sort: id, number: 2 }, sort), "(as @U!2 U)");
    let f = pool.function_symbol("f", &[Sort::Int, Sort::Bool], Sort::Int);
    let table = BTreeMap::from([(vec![Value::int(3), Value::Bool(true)], Value::int(7))]);
    let text = print::function(&pool, f, &FunctionValue { table, default: Some(Value::int(0)) });
    assert_eq!(text, "(define-fun f ((x!1 Int) (x!2 Bool)) Int (ite (and (= x!1 3) (= x!2 true)) 7 0))");
    let text = format!("{text} (declare-const i Int) (assert (= (f 3 true) i 7)) (assert (= (f 3 false) 0))");
    let formulas = assertions(&mut pool, &text);
    assert_eq!(pool.op(formulas[1]), Op::True);
}
