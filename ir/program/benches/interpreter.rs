//! Interpreter throughput in steps per second: a loop with memory accesses, and calls.

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use program::interp::{Config, Interpreter, Zeros};
use program::text::parse_text;
use terms::TermPool;

/// A loop that reads and writes an array.
const LOOP: &str = "machine 32 entry f0 region r0 \"memory\" bytes
object o0 \"a\" size 64 align 4 regions r0
function f0 \"main\" () -> i32 {
    block b0: v6: ptr = address-of o0 goto b1(#x00000000, #x00000000)
    block b1(v0: i32, v1: i32):
        v2: i32 = (bvand v0 #x0000000f)
        v3: ptr = (bvadd v6 (bvshl v2 #x00000002))
        v4: i32 = load r0 [v3]
        v5: i32 = (bvadd (bvmul v4 #x00000003) (ite (bvslt v0 #x00000010) v1 v2))
        store r0 [v3] i32 v5
        branch (bvslt v0 #x00040000) then b1((bvadd v0 #x00000001), (bvxor v1 v5)) else b2
    block b2: return v1
}";

/// Fibonacci numbers by recursion.
const CALLS: &str = "machine 32 entry f0
function f0 \"main\" () -> i32 { block b0: v0: i32 = call f1(#x00000018) return v0 }
function f1 \"fibonacci\" (i32) -> i32 {
    block b0(v0: i32): branch (bvslt v0 #x00000002) then b1 else b2
    block b1: return v0
    block b2:
        v1: i32 = call f1((bvsub v0 #x00000001))
        v2: i32 = call f1((bvsub v0 #x00000002))
        return (bvadd v1 v2)
}";

fn interpreter(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("interpreter");
    for (name, text) in [("loop", LOOP), ("calls", CALLS)] {
        let mut pool = TermPool::new();
        let program = parse_text(&mut pool, text).expect("the text is well formed");
        let mut interpreter = Interpreter::new(&pool, &program, Config::SMALL).expect("the objects fit");
        group.throughput(Throughput::Elements(interpreter.run(&mut Zeros).steps));
        group.bench_function(name, |bencher| bencher.iter(|| interpreter.run(&mut Zeros)));
    }
    group.finish();
}

criterion_group!(benches, interpreter);
criterion_main!(benches);
