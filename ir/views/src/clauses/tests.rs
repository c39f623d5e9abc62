use super::{Naming, of_blocks};
use crate::BlockOperator;
use crate::Config;
use crate::blocks::block_formulas;
use crate::print::{Places, Titles};
use crate::unroll::sample::counting;
use encode::{Encoding, Theories};
use grammars::source::SourceMap;
use horn::{Notes, System, Translation};
use terms::TermPool;

fn system(pool: &mut TermPool) -> System {
    let program = counting(pool, None, 3);
    let blocks = block_formulas(pool, &program, BlockOperator::L, Config::STANDARD).expect("blocks");
    of_blocks(pool, &program, &blocks, Naming::Ir).system
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
}

#[test]
fn the_format_has_one_query() {
    let mut pool = TermPool::new();
    let mut system = system(&mut pool);
    let single = system.with_one_query(&mut pool);
    assert_eq!((single.relations.len(), single.clauses.len()), (1, 3));
    let query = system.queries().next().expect("a query").1.clone();
    system.clauses.push(query);
    let joined = system.with_one_query(&mut pool);
    assert_eq!((joined.relations.len(), joined.clauses.len(), joined.queries().count()), (2, 5, 1));
}

#[test]
fn names_for_readers_are_those_of_the_source() {
    let mut pool = TermPool::new();
    let program = counting(&mut pool, None, 3);
    let blocks = block_formulas(&mut pool, &program, BlockOperator::L, Config::STANDARD).expect("blocks");
    let sources = SourceMap::new();
    let places = Places::new(&sources, &program, &[]);
    let titles = Titles::new(&pool, &program, &blocks, &places);
    let clauses = of_blocks(&mut pool, &program, &blocks, Naming::Source(&titles, &places));
    let text = clauses.system.to_text(&pool, &Notes::default());
    assert!(text.contains("(declare-fun main_loop_b1 ((_ BitVec 32) (_ BitVec 32)) Bool)"), "{text}");
    assert!(text.contains("(= i.next (bvadd #x00000001 i))"), "{text}");
    assert!(text.contains("; main_loop_b1(n, i)") || text.contains("; main_loop_b1(i, n)"), "{text}");
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
    let text = system.to_text(&pool, &Notes::default());
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
    let text = linear.to_text(&pool, &Notes::default());
    assert!(text.contains("(declare-fun main.b1 (Int Int) Bool)") && !text.contains("BitVec"), "{text}");
}
