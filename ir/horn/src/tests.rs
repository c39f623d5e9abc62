use super::frames::{Frames, Sequence, Source};
use super::*;
use encode::{Encoding, Theories};
use terms::{Op, Sort};

/// `R(x, y)` from `x = 0, y = 5`, over `x < 9, x+ = x + i`, with `y` as it is; never `x = y`.
fn counter(pool: &mut TermPool) -> System {
    let [x, y, next, other, input] =
        ["x", "y", "x+", "y+", "i"].map(|name| pool.symbol(name, Sort::BitVec(8)));
    let [zero, five, nine] = [0, 5, 9].map(|value| pool.bv(8, value));
    let mut system = System::default();
    let argument = |name: &str, symbol| Argument { name: name.to_owned(), symbol };
    let relation = system.relations.push(RelationData {
        name: "R".to_owned(),
        arguments: vec![argument("x", x), argument("y", y)],
        origin: String::new(),
    });
    let update = |after, value| Update { after, value: Some(value) };
    let entry: Updates = [(x, update(next, zero)), (y, update(other, five))].into_iter().collect();
    let sum = pool.bv_add(x, input);
    let step: Updates = [(x, update(next, sum))].into_iter().collect();
    let (is_small, is_equal) = (pool.bv_ult(x, nine), pool.eq(x, y));
    let tru = pool.tru();
    for (body, guard, head, updates) in [
        (vec![], tru, true, entry),
        (vec![system.atom(relation)], is_small, true, step),
        (vec![system.atom(relation)], is_equal, false, Updates::default()),
    ] {
        let head = head.then(|| system.updated(relation, &updates));
        let clause = ClauseData::new(pool, body, guard, (head, updates), String::new());
        system.clauses.push(clause);
    }
    system
}

#[test]
fn what_does_not_change_keeps_its_symbol() {
    let mut pool = TermPool::new();
    let system = counter(&mut pool);
    let [entry, step, query] = &system.clauses.values().collect::<Vec<_>>()[..] else {
        panic!("three clauses")
    };
    let shown = |pool: &TermPool, clause: &ClauseData| {
        let head = clause.head.as_ref().expect("a head");
        head.arguments.iter().map(|&term| pool.display(term).to_string()).collect::<Vec<_>>()
    };
    assert_eq!(shown(&pool, entry), ["x+", "y+"]);
    assert_eq!(shown(&pool, step), ["x+", "y"]);
    assert_eq!(step.inner.len(), 1);
    assert_eq!((entry.from(), step.from(), query.to()), (None, step.to(), None));
}

#[test]
fn formulas_about_the_head_have_the_known_values() {
    let mut pool = TermPool::new();
    let system = counter(&mut pool);
    let entry = system.clauses.values().next().expect("an entry").clone();
    let symbols: Vec<Term> = system.relations.values().flat_map(RelationData::symbols).collect();
    let is_below = pool.bv_ult(symbols[0], symbols[1]);
    assert_eq!(entry.at_head(&mut pool, is_below), pool.tru());
}

/// Values are found among many conjuncts, of which some share a term with an updated symbol.
#[test]
fn a_large_constraint_determines_its_updates() {
    let mut pool = TermPool::new();
    let [x, y, next, other, input] = ["x", "y", "x+", "y+", "i"].map(|name| pool.symbol(name, Sort::Int));
    for count in [0, 3, 300] {
        let (value, image) = (pool.add(&[x, input]), pool.add(&[next, y]));
        let mut conjuncts = vec![pool.eq(next, value)];
        for number in 0..count {
            let bound = pool.int(number);
            conjuncts.push(pool.le(y, bound));
            let bound = pool.mul(bound, input);
            conjuncts.push(pool.le(image, bound));
        }
        let constraint = pool.and(&conjuncts);
        let update = |after| Update { after, value: None };
        let updates: Updates = [(x, update(next)), (y, update(other))].into_iter().collect();
        let clause =
            ClauseData::from_constraint(&mut pool, vec![], constraint, (None, updates), String::new());
        assert_eq!(clause.updates[&x].value, Some(value));
        assert_eq!(clause.updates[&y].value, None);
        assert!(!pool.free_symbols(clause.guard).iter().any(|&symbol| pool.symbol_term(symbol) == next));
        assert!(clause.inner.contains(&input));
    }
}

#[test]
fn a_translation_keeps_indices_and_finds_the_values_again() {
    let mut pool = TermPool::new();
    let source = counter(&mut pool);
    for encoding in [Encoding::QfAbvfp, Encoding::QfAuflira] {
        let mut translation = Translation::new(Theories::of(encoding));
        let system = translation.system(&mut pool, &source).expect("translated");
        let sort = if encoding.is_linear() { Sort::Int } else { Sort::BitVec(8) };
        assert!(system.relations.values().flat_map(RelationData::symbols).all(|x| pool.sort(x) == sort));
        for (clause, data) in system.clauses.iter() {
            let original = &source.clauses[clause];
            assert_eq!((data.from(), data.to()), (original.from(), original.to()));
            assert_eq!(data.updates.len(), original.updates.len());
            assert!(data.updates.values().all(|update| update.value.is_some()), "{clause} in {encoding}");
            for after in data.after() {
                let symbols = pool.free_symbols(data.guard);
                assert!(!symbols.iter().any(|&symbol| pool.symbol_term(symbol) == after));
            }
        }
    }
}

#[test]
fn a_translation_of_nothing_is_the_clause_itself() {
    let mut pool = TermPool::new();
    let source = counter(&mut pool);
    let system =
        Translation::new(Theories::of(Encoding::QfAbvfp)).system(&mut pool, &source).expect("the same");
    assert!(system.clauses.values().eq(source.clauses.values()));
}

#[test]
fn memory_that_is_a_function_is_no_argument() {
    let mut pool = TermPool::new();
    let sort = pool.array_sort(Sort::BitVec(8), Sort::BitVec(8));
    let memory = pool.symbol("m", sort);
    let mut translation = Translation::new(Theories::of(Encoding::QfUfbvfp));
    assert!(translation.symbol(&mut pool, memory).is_err());
    let mut translation = Translation::new(Theories::of(Encoding::QfAbvfp));
    assert_eq!(translation.symbol(&mut pool, memory).expect("a symbol").symbol, memory);
}

#[test]
fn a_sequence_has_a_symbol_for_each_change() {
    let mut pool = TermPool::new();
    let system = counter(&mut pool);
    let clauses: Vec<ClauseData> = system.clauses.values().cloned().collect();
    let mut sequence = Sequence::default();
    let parts: Vec<String> = [0, 1, 1, 2]
        .map(|index: usize| sequence.next(&mut pool, &clauses[index]))
        .iter()
        .map(|&part| pool.display(part).to_string())
        .collect();
    assert_eq!(
        parts,
        [
            "(and (= #x00 x@0) (= #x05 y@0))",
            "(and (bvult x@0 #x09) (= x@1 (bvadd x@0 i@1)))",
            "(and (bvult x@1 #x09) (= x@2 (bvadd x@1 i@2)))",
            "(= y@0 x@2)",
        ]
    );
}

#[test]
fn frames_share_what_no_transition_changes() {
    let mut pool = TermPool::new();
    let system = counter(&mut pool);
    let mut frames = Frames::new(&system);
    let step = frames.transition(&mut pool, &system, Source::Relations, (1, 0));
    let end = frames.end(&mut pool, &system, Source::Relations, 0);
    let shown = |terms: &[Term]| terms.iter().map(|&t| pool.display(t).to_string()).collect::<Vec<_>>();
    assert_eq!(shown(&step), ["(and (bvult x@1 #x09) (= x@0 (bvadd x@1 i@1)))"]);
    assert_eq!(shown(&end), ["(= y x@0)"]);
    let nothing = frames.end(&mut pool, &system, Source::Entry, 0);
    assert!(matches!(nothing[..], [never] if pool.op(never) == Op::False));
}

/// `R(x)` from `x = 0`; `R(x) ∧ R(y) ∧ y < 9 ⇒ R(x + y)`; never `x = 10`.
fn sums(pool: &mut TermPool) -> System {
    let [x, y, next] = ["x", "y", "x+"].map(|name| pool.symbol(name, Sort::BitVec(8)));
    let [zero, nine, ten] = [0, 9, 10].map(|value| pool.bv(8, value));
    let mut system = System::default();
    let relation = system.relations.push(RelationData {
        name: "R".to_owned(),
        arguments: vec![Argument { name: "x".to_owned(), symbol: x }],
        origin: String::new(),
    });
    let (sum, is_small, is_ten) = (pool.bv_add(x, y), pool.bv_ult(y, nine), pool.eq(x, ten));
    let to = |value| [(x, Update { after: next, value: Some(value) })].into_iter().collect::<Updates>();
    let (first, tru) = (system.atom(relation), pool.tru());
    let second = Atom { relation, arguments: vec![y] };
    for (body, guard, updates) in [
        (vec![], tru, Some(to(zero))),
        (vec![first.clone(), second], is_small, Some(to(sum))),
        (vec![first], is_ten, None),
    ] {
        let head = updates.as_ref().map(|updates| system.updated(relation, updates));
        let head = (head, updates.unwrap_or_default());
        let clause = ClauseData::new(pool, body, guard, head, String::new());
        system.clauses.push(clause);
    }
    system
}

#[test]
fn a_second_atom_has_its_own_symbols() {
    let mut pool = TermPool::new();
    let system = sums(&mut pool);
    assert!(!system.is_linear() && counter(&mut pool).is_linear());
    let clause = system.clauses.values().nth(1).expect("a nonlinear clause").clone();
    assert_eq!(clause.inner, [], "the arguments of atoms are no choices");
    let x = system.relations.values().next().expect("a relation").arguments[0].symbol;
    let one = pool.bv(8, 1);
    let formula = pool.eq(x, one);
    assert_eq!(clause.at_body(&mut pool, &system, 0, formula), formula);
    let second = clause.at_body(&mut pool, &system, 1, formula);
    let y = pool.symbol("y", Sort::BitVec(8));
    assert_eq!(second, pool.eq(y, one));
}

#[test]
fn a_nonlinear_clause_is_translated_and_printed() {
    let mut pool = TermPool::new();
    let system = sums(&mut pool);
    let mut translation = Translation::new(Theories::of(Encoding::QfAuflira));
    let linear = translation.system(&mut pool, &system).expect("translated");
    let text = linear.to_text(&pool, &Notes::default());
    assert!(text.contains("(R x)\n        (R x.2)"), "{text}");
    assert!(text.contains("(<= (- 128) x.2 127)"), "all arguments have ranges: {text}");
}

/// A derivation of the query of [`counter`]: 0, then the sum with `input`.
fn derivation(pool: &TermPool, system: &System, input: u64) -> Derivation {
    let clauses: Vec<Clause> = system.clauses.keys().collect();
    let mut derivation = Derivation::default();
    for (index, &clause) in clauses.iter().enumerate() {
        let data = &system.clauses[clause];
        let mut symbols = pool.free_symbols(data.constraint);
        for atom in data.body.iter().chain(&data.head) {
            for &argument in &atom.arguments {
                let Op::Symbol(symbol) = pool.op(argument) else { panic!("a symbol") };
                symbols.push(symbol);
            }
        }
        let value = |name: &str| match (index, name) {
            (_, "y" | "y+") => 5,
            (0, _) | (1, "x") => 0,
            _ => input,
        };
        let values = symbols.into_iter().map(|symbol| {
            let value = value(&pool.symbol_data(symbol).name);
            (symbol, terms::BitVector::new(8, value).into())
        });
        let premises = derivation.root().into_iter().collect();
        let values = values.collect();
        derivation.steps.push(StepData { clause, values, premises });
    }
    derivation
}

#[test]
fn a_derivation_is_checked_by_evaluation() {
    let mut pool = TermPool::new();
    let system = counter(&mut pool);
    let right = derivation(&pool, &system, 5);
    assert_eq!(right.check(&pool, &system), Ok(()));
    let mut text = String::new();
    right.print(&mut text, &mut pool, &mut Signatures::default(), &system).expect("writing to a string");
    assert_eq!(
        text,
        "D0: R(x = #x00, y = #x05) by C0\nD1: R(x = #x05, y = #x05) from D0 by C1\nD2: false from D1 by C2\n"
    );

    let steps: Vec<Step> = right.steps.keys().collect();
    let [first, second, last] = steps[..] else { panic!("three steps") };
    let wrong = derivation(&pool, &system, 4);
    assert_eq!(wrong.check(&pool, &system), Err(DerivationError::Constraint(last)));
    let mut without_values = right.clone();
    without_values.steps[last].values.clear();
    assert_eq!(without_values.check(&pool, &system), Err(DerivationError::Atom(last, second)));
    let mut without_premise = right.clone();
    without_premise.steps[second].premises.clear();
    assert_eq!(without_premise.check(&pool, &system), Err(DerivationError::Premises(second)));
    let mut circular = right.clone();
    circular.steps[second].premises = vec![second];
    assert_eq!(circular.check(&pool, &system), Err(DerivationError::Premises(second)));
    let mut of_another_state = right.clone();
    of_another_state.steps[last].premises = vec![first];
    assert_eq!(of_another_state.check(&pool, &system), Err(DerivationError::Atom(last, first)));
    let mut open = Derivation::default();
    assert_eq!(open.check(&pool, &system), Err(DerivationError::Empty));
    open.steps.push(right.steps[first].clone());
    assert_eq!(open.check(&pool, &system), Err(DerivationError::NoQuery(first)));
}

#[test]
fn violations_of_an_interpretation_are_instances_of_clauses() {
    let mut pool = TermPool::new();
    let system = counter(&mut pool);
    let clauses: Vec<Clause> = system.clauses.keys().collect();
    let x = pool.symbol("x", Sort::BitVec(8));
    let zero = pool.bv(8, 0);
    let is_zero = pool.eq(x, zero);
    let interpretation = Interpretation::constant(&system, is_zero);
    let violation = |pool: &mut TermPool, index: usize| {
        let conjuncts = interpretation.violation(pool, &system, clauses[index]);
        let formula = pool.and(&conjuncts);
        pool.display(formula).to_string()
    };
    assert_eq!(violation(&mut pool, 0), "false");
    let step = "(and (bvult x #x09) (= x+ (bvadd x i)) (= x #x00) (not (= x+ #x00)))";
    assert_eq!(violation(&mut pool, 1), step);
    assert_eq!(violation(&mut pool, 2), "(and (= x y) (= x #x00))");
}
