use super::*;
use terms::{ArrayValue, Value};

fn enumeration(pool: &mut TermPool, name: &str, constructors: &[&str]) -> (Sort, Datatype) {
    let sort = pool.uninterpreted_sort(name);
    let constructors = constructors.iter().map(|&name| Constructor {
        name: name.to_owned(),
        head: Head::Constant(pool.symbol(name, sort)),
        tester: pool.function_symbol(&format!("is {name}"), &[sort], Sort::Bool),
        fields: Vec::new(),
    });
    let constructors = constructors.collect();
    (sort, Datatype { constructors })
}

fn record(pool: &mut TermPool, name: &str, fields: &[(&str, Sort)]) -> (Sort, Datatype) {
    let sort = pool.uninterpreted_sort(name);
    let sorts: Vec<Sort> = fields.iter().map(|&(_, sort)| sort).collect();
    let constructor = format!("make-{name}");
    let head = Head::Function(pool.function_symbol(&constructor, &sorts, sort));
    let tester = pool.function_symbol(&format!("is {constructor}"), &[sort], Sort::Bool);
    let fields = fields.iter().map(|&(name, of)| Field {
        name: name.to_owned(),
        sort: of,
        selector: pool.function_symbol(name, &[sort], of),
    });
    let fields = fields.collect();
    (sort, Datatype { constructors: [Constructor { name: constructor, head, tester, fields }].into() })
}

fn layout(datatypes: &mut Datatypes, pool: &mut TermPool, sort: Sort) -> Vec<String> {
    let layout = datatypes.layout(pool, sort);
    let show = |component: &Component| {
        let range = component.range.map_or(String::new(), |count| format!(" below {count}"));
        format!("{}: {}{range}", component.suffix, terms::print::sort(pool, component.sort))
    };
    layout.iter().map(show).collect()
}

#[test]
fn sorts_have_components() {
    let mut pool = TermPool::new();
    let mut datatypes = Datatypes::default();
    let unit = enumeration(&mut pool, "Unit", &["u"]);
    let coin = enumeration(&mut pool, "Coin", &["heads", "tails"]);
    let color = enumeration(&mut pool, "Color", &["red", "green", "blue"]);
    let suit = enumeration(&mut pool, "Suit", &["clubs", "diamonds", "hearts", "spades"]);
    let [unit_sort, coin_sort, color_sort, suit_sort] = [unit.0, coin.0, color.0, suit.0];
    let pair = record(&mut pool, "Pair", &[("c", color_sort), ("n", Sort::Int), ("u", unit_sort)]);
    let pair_sort = pair.0;
    let row = pool.array_sort(suit_sort, Sort::Real);
    let outer = record(&mut pool, "Outer", &[("p", pair_sort), ("row", row)]);
    let outer_sort = outer.0;
    datatypes.declare(&mut pool, vec![outer, pair, unit, coin, color, suit]).expect("all are supported");
    assert_eq!(layout(&mut datatypes, &mut pool, unit_sort), [""; 0]);
    assert_eq!(layout(&mut datatypes, &mut pool, coin_sort), [": Bool"]);
    assert_eq!(layout(&mut datatypes, &mut pool, color_sort), [": Int below 3"]);
    assert_eq!(layout(&mut datatypes, &mut pool, suit_sort), [": (_ BitVec 2)"]);
    assert_eq!(
        layout(&mut datatypes, &mut pool, outer_sort),
        [".p.c: Int below 3", ".p.n: Int", ".row: (Array (_ BitVec 2) Real)"]
    );
    let coins = pool.array_sort(Sort::Int, coin_sort);
    assert_eq!(layout(&mut datatypes, &mut pool, coins), [": (Array Int Bool)"]);
    let colors = pool.array_sort(Sort::Int, color_sort);
    assert_eq!(datatypes.check(&mut pool, colors), Err(Unsupported::Element("Color".to_owned())));
    let by_color = pool.array_sort(color_sort, Sort::Int);
    assert_eq!(datatypes.check(&mut pool, by_color), Err(Unsupported::Index("Color".to_owned())));
    let by_pair = pool.array_sort(pair_sort, Sort::Int);
    assert_eq!(datatypes.check(&mut pool, by_pair), Err(Unsupported::RecordIndex("Pair".to_owned())));
}

#[test]
fn other_data_types_are_refused() {
    let mut pool = TermPool::new();
    let mut datatypes = Datatypes::default();
    let list = pool.uninterpreted_sort("List");
    let recursive = record(&mut pool, "List", &[("head", Sort::Int), ("tail", list)]);
    assert_eq!(
        datatypes.declare(&mut pool, vec![recursive]),
        Err((list, Unsupported::Recursive("List".to_owned())))
    );
    assert!(datatypes.is_empty(), "no data type is added after an error");
    let (sort, mut either) = enumeration(&mut pool, "Either", &["none"]);
    let (_, some) = record(&mut pool, "Either", &[("value", Sort::Int)]);
    either.constructors = [either.constructors[0].clone(), some.constructors[0].clone()].into();
    let refused = datatypes.declare(&mut pool, vec![(sort, either)]);
    assert_eq!(refused, Err((sort, Unsupported::Variant("Either".to_owned()))));
    // Doubling sizes, and deep nesting in reverse order.
    let mut sort = Sort::Int;
    let mut large = Vec::new();
    for index in 0..40 {
        let next = record(
            &mut pool,
            &format!("R{index}"),
            &[(&format!("a{index}"), sort), (&format!("b{index}"), sort)],
        );
        sort = next.0;
        large.push(next);
    }
    let refused = datatypes.declare(&mut pool, large).expect_err("too large");
    assert_eq!(refused.1, Unsupported::TooLarge);
    let mut sort = Sort::Int;
    let mut deep = Vec::new();
    for index in 0..10_000 {
        let next = record(&mut pool, &format!("D{index}"), &[(&format!("d{index}"), sort)]);
        sort = next.0;
        deep.push(next);
    }
    deep.reverse();
    let refused = datatypes.declare(&mut pool, deep).expect_err("too deep");
    assert_eq!(refused.1, Unsupported::TooDeep);
    // One declaration after the other.
    let mut sort = Sort::Int;
    let mut accepted = 0;
    let refused = loop {
        let next = record(&mut pool, &format!("E{accepted}"), &[(&format!("e{accepted}"), sort)]);
        sort = next.0;
        match datatypes.declare(&mut pool, vec![next]) {
            Ok(()) => accepted += 1,
            Err((_, reason)) => break reason,
        }
    };
    assert_eq!((accepted, refused), (DEEPEST, Unsupported::TooDeep));
}

#[test]
fn arrays_of_data_types_are_no_indices() {
    let mut pool = TermPool::new();
    let mut datatypes = Datatypes::default();
    let coin = enumeration(&mut pool, "Coin", &["heads", "tails"]);
    let coin_sort = coin.0;
    datatypes.declare(&mut pool, vec![coin]).expect("an enumeration");
    let coins = pool.array_sort(Sort::Int, coin_sort);
    let by_coins = pool.array_sort(coins, Sort::Int);
    let refused = Unsupported::RecordIndex("(Array Int Coin)".to_owned());
    assert_eq!(datatypes.check(&mut pool, by_coins), Err(refused));
    // Other arrays have any depth.
    let mut deep = Sort::Int;
    for _ in 0..10 * DEEPEST {
        deep = pool.array_sort(Sort::Int, deep);
    }
    assert_eq!(datatypes.check(&mut pool, deep), Ok(()));
}

#[test]
fn quantified_variables_have_values_of_their_type() {
    let mut pool = TermPool::new();
    let mut datatypes = Datatypes::default();
    let color = enumeration(&mut pool, "Color", &["red", "green", "blue"]);
    let sort = color.0;
    datatypes.declare(&mut pool, vec![color]).expect("an enumeration");
    let x = pool.bound("x", sort);
    let red = pool.symbol("red", sort);
    let equation = pool.eq(x, red);
    // An integer of the same name, to which the component must not be confused.
    let other = pool.bound("x", Sort::Int);
    let zero = pool.int(0);
    let condition = pool.le(zero, other);
    let both = pool.and2(equation, condition);
    let inner = pool.exists(&[x], both);
    let all = pool.forall(&[other], inner);
    let flat = datatypes.flatten(&mut pool, all, &|_| false).expect("no symbols");
    let text = pool.display(flat).to_string();
    assert!(text.contains("(forall ((x Int)) ") && text.contains("(exists ((|x'| Int)) "), "{text}");
    assert!(text.contains("(<= |x'| 2)"), "{text}");
    // A free symbol is refused unless it is a variable.
    let free = pool.symbol("c", sort);
    let formula = pool.eq(free, red);
    assert_eq!(datatypes.flatten(&mut pool, formula, &|_| false), Err(free));
    let flat = datatypes.flatten(&mut pool, formula, &|term| term == free).expect("a variable");
    assert_eq!(pool.op(flat), terms::Op::Forall);
}

#[test]
fn values_are_shown_in_data_types() {
    let mut pool = TermPool::new();
    let mut datatypes = Datatypes::default();
    let color = enumeration(&mut pool, "Color", &["red", "green", "blue"]);
    let coin = enumeration(&mut pool, "Coin", &["heads", "tails"]);
    let (color_sort, coin_sort) = (color.0, coin.0);
    let pair = record(&mut pool, "Pair", &[("side", coin_sort), ("n", Sort::Int)]);
    let pair_sort = pair.0;
    datatypes.declare(&mut pool, vec![color, coin, pair]).expect("all are supported");
    let pairs = pool.array_sort(coin_sort, pair_sort);
    let mut show = |sort, components: &[Value]| {
        let mut text = String::new();
        datatypes.write_value(&mut text, &mut pool, sort, components).expect("a string takes any text");
        text
    };
    assert_eq!(show(color_sort, &[Value::int(2)]), "blue");
    assert_eq!(show(pair_sort, &[Value::Bool(true), Value::int(-4)]), "(make-Pair tails (- 4))");
    let mut sides = ArrayValue::constant(Value::Bool(false));
    sides.store(Value::Bool(true), Value::Bool(true));
    let numbers = ArrayValue::constant(Value::int(7));
    assert_eq!(
        show(pairs, &[Value::Array(sides), Value::Array(numbers)]),
        "{tails: (make-Pair tails 7), else: (make-Pair heads 7)}"
    );
    let names = ["a".to_owned(), "b".to_owned()];
    let access = datatypes.access(&mut pool, pairs, "x", &names);
    let Access::Array(_, equation) = &access[0] else { panic!("{access:?}") };
    assert_eq!(
        equation,
        "(forall ((index!0 Coin)) (= (select a (= index!0 tails)) (= (side (select x index!0)) tails)))"
    );
    let access = datatypes.access(&mut pool, color_sort, "x", &names[..1]);
    assert_eq!(access, [Access::Term("(ite (= x red) 0 (ite (= x green) 1 2))".to_owned())]);
}
