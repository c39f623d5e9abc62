use super::of_blocks;
use crate::BlockOperator;
use crate::Config;
use crate::blocks::block_formulas;
use crate::unroll::sample::counting;
use encode::{Encoding, Theories};
use horn::{System, Translation};
use terms::TermPool;

fn system(pool: &mut TermPool) -> System {
    let program = counting(pool, None, 3);
    let blocks = block_formulas(pool, &program, BlockOperator::L, Config::STANDARD).expect("blocks");
    of_blocks(pool, &program, &blocks, None).system
}

#[test]
fn a_loop_becomes_a_relation_with_two_rules_and_a_query() {
    let mut pool = TermPool::new();
    let system = system(&mut pool);
    assert_eq!(system.relations.len(), 1);
    let shapes = |system: &System| -> Vec<(usize, bool)> {
        system.clauses.values().map(|clause| (clause.body.len(), clause.head.is_some())).collect()
    };
    assert_eq!(shapes(&system), [(0, true), (1, true), (1, false)]);
    let printed = system.with_one_query(&mut pool);
    assert_eq!(printed.relations.len(), 2);
    assert_eq!(shapes(&printed), [(0, true), (1, true), (1, true), (1, false)]);
}

#[test]
fn heads_have_distinct_variables_as_arguments() {
    let mut pool = TermPool::new();
    for clause in system(&mut pool).clauses.values() {
        let arguments = clause.head.as_ref().map_or(&[][..], |head| &head.arguments);
        let distinct: std::collections::BTreeSet<_> = arguments.iter().collect();
        assert_eq!(distinct.len(), arguments.len());
        assert!(arguments.iter().all(|&argument| matches!(pool.op(argument), terms::Op::Symbol(_))));
    }
}

#[test]
fn the_text_is_in_the_format_of_chc_comp() {
    let mut pool = TermPool::new();
    let system = system(&mut pool).with_one_query(&mut pool);
    let text = system.to_text(&mut pool);
    assert!(text.starts_with("(set-logic HORN)\n"), "{text}");
    assert!(text.contains("(declare-fun main.b1 ((_ BitVec 32) (_ BitVec 32)) Bool)"), "{text}");
    assert_eq!(text.matches("\n      false)").count(), 1, "{text}");
    assert!(text.ends_with("(check-sat)\n"), "{text}");
}

#[test]
fn clauses_follow_the_encoding() {
    let mut pool = TermPool::new();
    let system = system(&mut pool);
    let mut translation = Translation::new(Theories::of(Encoding::QfAuflira));
    let linear = translation.system(&mut pool, &system).expect("translated");
    linear.check_printable(&pool, Encoding::QfAuflira).expect("neither quantifiers nor functions");
    let text = linear.to_text(&mut pool);
    assert!(text.contains("(declare-fun main.b1 (Int Int) Bool)") && !text.contains("BitVec"), "{text}");
}
