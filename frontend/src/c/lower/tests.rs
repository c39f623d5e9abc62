//! Small programs, lowered, checked and executed by the interpreter. The expected values are those
//! of gcc.

use super::{FunctionSelection, Options, lower};
use crate::c::sema;
use crate::c::types::DataModel;
use crate::spec::{Property, Specification};
use grammars::source::SourceMap;
use program::interp::{
    Answer, Config, ExternalCall, Interpreter, ObjectRequest, Oracle, Outcome, Run, ValueRequest,
};
use program::ssa::{HavocSource, Program, PropertyKind, StopReason, Terminator};
use terms::{TermPool, Value};

/// Records the arguments of `observe(int)`; inputs come from a list, followed by zeros.
#[derive(Default)]
struct Observer {
    inputs: Vec<u64>,
    observed: Vec<i32>,
}

impl Oracle for Observer {
    fn value(&mut self, request: &ValueRequest<'_>) -> Answer<Value> {
        match request.source {
            HavocSource::Input(_) if !self.inputs.is_empty() => {
                Answer::Is(Value::bv(request.ty.width(), self.inputs.remove(0)))
            }
            _ => Answer::Any,
        }
    }
    fn contents(&mut self, _: &ObjectRequest) -> Answer<Vec<(u64, u8)>> {
        Answer::Any
    }
    fn address(&mut self, _: &ObjectRequest) -> Answer<u64> {
        Answer::Any
    }
    fn external_call(&mut self, call: &ExternalCall<'_>) {
        if call.name == "observe" {
            let argument = call.arguments[0].as_u64().expect("an int");
            self.observed.push(argument as u32 as i32);
        }
    }
}

fn lowered(source: &str, model: DataModel, specification: &Specification) -> (TermPool, Program) {
    let mut map = SourceMap::new();
    let file = map.add("test.c", source.as_bytes().to_vec()).expect("a small file");
    let parsed = grammars::c::parse(&map, file);
    let checked = sema::check(&parsed.unit, sema::Options { model });
    for diagnostic in parsed.diagnostics.iter().chain(&checked.diagnostics) {
        assert!(!diagnostic.is_error(), "{}", diagnostic.render(&map));
    }
    let mut pool = TermPool::new();
    let (program, diagnostics) = lower(&mut pool, &checked.program, specification, &Options::new("main"));
    assert!(diagnostics.is_empty(), "{diagnostics:?}");
    program::ssa::check::assert_well_formed(&pool, &program, "lowering");
    (pool, program)
}

fn run_with(source: &str, specification: &Specification, inputs: &[u64]) -> (Program, Run, Vec<i32>) {
    let source = format!("void observe(int);\n{source}");
    let (pool, program) = lowered(&source, DataModel::Lp64, specification);
    let mut observer = Observer { inputs: inputs.to_vec(), ..Observer::default() };
    let run = Interpreter::new(&pool, &program, Config::SMALL).expect("a small program").run(&mut observer);
    (program, run, observer.observed)
}

/// The values observed before the program ends.
fn observed(source: &str) -> Vec<i32> {
    let (program, run, observed) = run_with(source, &Specification::default_for_tool(), &[]);
    assert_eq!(
        run.outcome,
        Outcome::Stopped(StopReason::Exit),
        "{:?}",
        program.unsupported.values().collect::<Vec<_>>()
    );
    assert_eq!(run.approximation, None);
    observed
}

/// The values observed by the body of `main`.
fn in_main(body: &str) -> Vec<i32> {
    observed(&format!("int main(void) {{ {body} }}"))
}

fn outcome(source: &str, specification: &Specification, inputs: &[u64]) -> Outcome {
    run_with(source, specification, inputs).1.outcome
}

#[test]
fn integers_convert_as_in_c() {
    assert_eq!(in_main("unsigned char c = 250; c += 10; observe(c);"), [4]);
    assert_eq!(in_main("signed char c = 200; observe(c); observe((unsigned char)c);"), [-56, 200]);
    assert_eq!(in_main("observe(-1 < 1u); observe((short)70000); observe((char)-1 == 255);"), [0, 4464, 0]);
    assert_eq!(
        in_main("_Bool b = 256; observe(b); b = 0.5; observe(b); observe(-7 / 2); observe(-7 % 2);"),
        [1, 1, -3, -1]
    );
    assert_eq!(
        in_main("int x = -8; observe(x >> 1); observe((unsigned)x >> 28); observe(1 << 4ll);"),
        [-4, 15, 16]
    );
    assert_eq!(
        in_main("long long x = 1ll << 40; observe(x >> 38); observe((int)x); observe(x == (int)x);"),
        [4, 0, 0]
    );
}

#[test]
fn evaluation_is_short_circuit_with_effects_in_order() {
    let program = "int n; int f(int x) { n = n * 10 + x; return x; }
        int main(void) { if (f(0) && f(1)) f(9); if (f(2) || f(3)) f(4); observe(n); n = 0;
        int r = f(1) ? f(2) : f(3); observe(n); observe(r); int k = (f(4), f(5)); observe(n); observe(k);
        observe(!f(0) && (f(0) || f(7))); }";
    assert_eq!(observed(program), [24, 12, 2, 1245, 5, 1]);
}

#[test]
fn increments_and_compound_assignments() {
    assert_eq!(
        in_main("int x = 5; observe(x++); observe(++x); observe(x--); x <<= 2; observe(x);"),
        [5, 7, 7, 24]
    );
    assert_eq!(
        in_main("int a[3] = {1, 2, 3}; int *p = a; observe(*p++); observe(*++p); observe(p - a);"),
        [1, 3, 2]
    );
    assert_eq!(in_main("unsigned char c = 255; observe(c++); observe(c); observe(--c);"), [255, 0, 255]);
}

#[test]
fn loops_break_continue_and_goto() {
    assert_eq!(
        in_main(
            "int s = 0; for (int i = 0; i < 10; i++) { if (i == 3) continue; if (i == 6) break; s += i; } observe(s);"
        ),
        [12]
    );
    assert_eq!(in_main("int i = 0; do { if (i == 2) continue; } while (++i < 5); observe(i);"), [5]);
    assert_eq!(
        in_main("int i = 0, s = 0; goto in; while (i < 3) { s += 10; in: s += 1; i++; } observe(s);"),
        [23]
    );
    assert_eq!(
        in_main(
            "int s = 0; for (int i = 0; i < 3; i++) for (int j = 0;; j++) { if (j > i) goto out; s++; out:; if (j > i) break; } observe(s);"
        ),
        [6]
    );
}

#[test]
fn switches_fall_through_and_jump_into_loops() {
    let classify =
        "int f(int x) { int r = 0; switch (x) { case 1: r = 1; case 2: r += 2; break; default: r = 9; break;
        case 5 ... 7: r = 5; } return r; } int main(void) { for (int i = 0; i < 9; i++) observe(f(i)); }";
    assert_eq!(observed(classify), [9, 3, 2, 9, 9, 5, 5, 5, 9]);
    let duff =
        "int main(void) { int n = 11, c = 0, t = (n + 3) / 4; switch (n % 4) { case 0: do { c++; case 3: c++;
        case 2: c++; case 1: c++; } while (--t > 0); } observe(c); }";
    assert_eq!(observed(duff), [11]);
}

#[test]
fn computed_gotos_dispatch_by_label() {
    let program = "int main(void) { static void *t[] = {&&a, &&b, &&c}; int i = 0;
        next: goto *t[i]; a: observe(1); i = 2; goto next; b: observe(2); return 0; c: observe(3); i = 1; goto next; }";
    assert_eq!(observed(program), [1, 3, 2]);
}

#[test]
fn structs_are_values() {
    let program = "struct p { int x; char c; struct { short a, b; } in; };
        struct p make(int x) { struct p r = {x, 'a', {3}}; return r; }
        int sum(struct p q) { q.x += 1; return q.x + q.in.a; }
        int main(void) { struct p a = make(4), b; b = a; b.x = 7; observe(a.x); observe(sum(b)); observe(b.x);
        observe(make(9).x); observe(a.in.b); struct p *q = &a; q->in = (b.in.a = 8, b.in); observe(a.in.a);
        observe((a.x ? a : b).c); struct p z[2] = {[1] = a}; observe(z[1].x + z[0].x); }";
    assert_eq!(observed(program), [4, 11, 7, 9, 0, 8, 97, 4]);
}

#[test]
fn bit_fields_are_cut_and_extended() {
    let program = "struct b { int a : 3; unsigned b : 5; int : 0; long c : 33; _Bool d : 1; };
        struct b g = {-1, 17, 1l << 31, 1};
        int main(void) { struct b x = g; observe(x.a); observe(x.b); observe(x.c >> 30); observe(x.d);
        observe(x.a = 5); observe(x.b += 20); x.d = 2; observe(x.d); x.c = -1; observe(x.c); observe(x.b); }";
    assert_eq!(observed(program), [-1, 17, 2, 1, -3, 5, 1, -1, 5]);
}

#[test]
fn unions_pun_through_bytes() {
    let program = "union u { int i; unsigned char b[4]; float f; };
        int main(void) { union u x; x.i = 0x01020304; observe(x.b[0]); x.b[3] = 0x7f; observe(x.i >> 24);
        x.f = 1.0f; observe(x.i); union u y = x; observe(y.b[3]); union u z = {.b = {1, 1}}; observe(z.i); }";
    assert_eq!(observed(program), [4, 0x7f, 0x3f80_0000, 63, 257]);
}

#[test]
fn globals_start_with_their_initializers() {
    let program = "struct n { int v; struct n *next; }; struct n b = {2}, a = {1, &b}; int m[2][3] = {{1}, {4, 5, 6}};
        char s[] = \"hi\"; char *p = \"yo\"; int z; int *q = &m[1][2]; int (*f)(int); int r[10] = {[2 ... 4] = 7};
        static int k = 3; int twice(int x) { static int n; n++; return 2 * x + n; } int (*g)(int) = twice;
        int main(void) { observe(a.next->v); observe(m[1][1]); observe(s[1]); observe(p[0]); observe(z); observe(*q);
        observe(f == 0); observe(r[3] + r[5]); observe(k); observe(g(3)); observe(twice(3)); observe(sizeof s); }";
    assert_eq!(observed(program), [2, 5, 105, 121, 0, 6, 1, 7, 3, 7, 8, 3]);
}

#[test]
fn local_arrays_are_filled_with_zeros() {
    assert_eq!(
        in_main("int a[5] = {1, 2}; observe(a[1] + a[4]); char s[8] = \"ab\"; observe(s[2] + s[7] + s[1]);"),
        [2, 98]
    );
    assert_eq!(
        in_main("for (int i = 0; i < 2; i++) { int a[1000] = {i}; observe(a[0] + a[999]); a[999] = 5; }"),
        [0, 1]
    );
    assert_eq!(in_main("int n = 3; int a[n]; a[2] = 4; observe(a[2]); observe(sizeof a);"), [4, 12]);
}

#[test]
fn pointers_compare_subtract_and_recurse() {
    let program = "int fib(int n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }
        void swap(int *a, int *b) { int t = *a; *a = *b; *b = t; }
        int main(void) { int x = 1, y = 2; swap(&x, &y); observe(x * 10 + y); observe(fib(10));
        int a[4]; observe(&a[3] - &a[1]); observe(&a[3] > &a[1]); int *p = 0; observe(p == 0);
        char *c = (char *)&x; observe(*c); struct { char c; int v[3]; } s[2]; observe((char *)&s[1].v[2] - (char *)s); }";
    assert_eq!(observed(program), [21, 55, 2, 1, 1, 2, 28]);
}

#[test]
fn allocated_memory_and_library_functions() {
    let program = "void *malloc(unsigned long); void *calloc(unsigned long, unsigned long); void free(void *);
        void *memcpy(void *, const void *, unsigned long); unsigned long strlen(const char *);
        void *memset(void *, int, unsigned long); int strcmp(const char *, const char *); int abs(int);
        int main(void) { int *p = malloc(8); p[1] = 5; int *q = calloc(2, 4); observe(q[1]); memcpy(q, p + 1, 4);
        observe(*q); free(p); observe(strlen(\"four\")); char b[4]; memset(b, 'x', 3); b[3] = 0;
        observe(strcmp(b, \"xxx\")); observe(strcmp(b, \"xxy\")); observe(abs(-3)); }";
    assert_eq!(observed(program), [0, 5, 4, 0, -1, 3]);
}

#[test]
fn gnu_expressions() {
    assert_eq!(
        in_main("int x = ({ int t = 3; t * 2; }); observe(x); observe(x ?: 9); observe(0 ?: 9);"),
        [6, 6, 9]
    );
    assert_eq!(
        in_main(
            "observe(__builtin_clz(1)); observe(__builtin_ctz(8)); observe(__builtin_popcount(255)); observe(__builtin_bswap32(1) >> 24); observe(__builtin_ffs(0));"
        ),
        [31, 3, 8, 1, 0]
    );
    assert_eq!(
        in_main(
            "int r; observe(__builtin_add_overflow(2147483647, 1, &r)); observe(r); unsigned char c; observe(__builtin_mul_overflow(16, 15, &c)); observe(c);"
        ),
        [1, i32::MIN, 0, 240]
    );
    assert_eq!(
        in_main(
            "int x = 3; observe(__sync_fetch_and_add(&x, 4)); observe(x); observe(__sync_bool_compare_and_swap(&x, 7, 1)); observe(x);"
        ),
        [3, 7, 1, 1]
    );
}

#[test]
fn floats_are_bits_compared_exactly() {
    assert_eq!(
        in_main(
            "double a = 1.5, b = -2.25; observe(a > b); observe(-a == 1.5); observe(a == 1.5f); observe(b < 0); float f = 0x1p-1f; observe(f == 0.5); observe(a ? 1 : 0);"
        ),
        [1, 0, 1, 1, 1, 1]
    );
}

#[test]
fn arithmetic_of_floats_rounds_in_the_type_of_the_expression() {
    assert_eq!(
        in_main(
            "double a = 0.1, b = 0.2; observe(a + b == 0.3); observe(a + b == 0.30000000000000004);
             float f = 0.1f; observe(f == 0.1); observe(f * f == 0.01f); float big = 16777216.0f; observe(big + 1.0f == big);
             observe(1.0 / 3.0 * 3.0 == 1.0); double zero = 0.0; observe(1.0 / zero > 1e308); observe(zero / zero == zero / zero);
             float g = 1.5f; g += 0.25; g++; observe(g == 2.75f); int i = 7; i *= 0.5; observe(i);"
        ),
        [0, 1, 0, 0, 1, 1, 1, 0, 1, 3]
    );
}

#[test]
fn extended_floats_have_their_leading_bit_in_memory() {
    assert_eq!(
        in_main(
            "long double x = 1.0L / 3.0L; observe(x == 1.0 / 3.0); observe((double)x == 1.0 / 3.0);
             union { long double l; unsigned long w[2]; unsigned short h[8]; } u; u.l = 1.0L;
             observe(u.w[0] == 0x8000000000000000UL); observe(u.h[4]); u.l = -0x1p-16445L; observe(u.w[0] == 1); observe(u.h[4]);
             u.l = 9007199254740993.0L; observe((long)u.l - 9007199254740992L); observe(u.l + 0.5L > u.l);
             u.h[4] = 0x7fff; u.w[0] = 0xc000000000000000UL; observe(u.l == u.l); u.h[4] = 1; u.w[0] = 1; observe(u.l == u.l);"
        ),
        [0, 1, 1, 0x3fff, 1, 0x8000, 1, 1, 0, 0]
    );
}

#[test]
fn conversions_truncate_as_the_machine_does() {
    assert_eq!(
        in_main(
            "double x = -3.99, big = 4e9, huge = 1e30, nan = __builtin_nan(\"\"); observe((int)x); observe((unsigned)big == 4000000000u);
             observe((int)huge); observe((int)nan); observe((unsigned char)x); observe((unsigned long)1e19 == 10000000000000000000UL);
             observe((long)huge == -9223372036854775807L - 1); observe((_Bool)0.25); observe((float)16777217 == 16777216.0f);
             observe((double)18446744073709551615UL == 18446744073709551616.0); observe((signed char)x); observe((float)1e40 > 3e38f);"
        ),
        [-3, 1, i32::MIN, i32::MIN, 253, 1, 1, 1, 1, 1, -3, 1]
    );
}

#[test]
fn the_functions_of_math_are_exact() {
    let program = |body: &str| {
        format!(
            "double sqrt(double), floor(double), ceil(double), round(double), rint(double), fmod(double, double),
                remainder(double, double), fmin(double, double), fdim(double, double), ldexp(double, int), frexp(double, int *),
                modf(double, double *), nextafter(double, double), fma(double, double, double), logb(double), trunc(double);
             float sqrtf(float), roundf(float); long lrint(double), lround(double); int ilogb(double), __fpclassify(double);
             int main(void) {{ double z = 0.0; {body} }}"
        )
    };
    assert_eq!(
        observed(&program(
            "observe(sqrt(2.0) == 1.4142135623730951); observe(sqrtf(2.0f) == 1.41421354f); observe(floor(-0.5)); observe(ceil(1.25));
             observe(round(2.5)); observe(rint(2.5)); observe(trunc(-2.75)); observe(roundf(-0.5f)); observe(lrint(3.5)); observe(lround(-2.5));"
        )),
        [1, 1, -1, 2, 3, 2, -2, -1, 4, -3]
    );
    assert_eq!(
        observed(&program(
            "observe(fmod(-7.5, 2.0) == -1.5); observe(fmod(1e300, 7.0)); observe(remainder(7.0, 4.0)); observe(fmod(z, z) == 0);
             observe(fmin(z / z, 3.0)); observe(fdim(5.0, 7.0)); observe(fdim(7.0, 5.0)); observe(ldexp(0.75, 4)); observe(ldexp(1.0, -1074) > 0);
             observe(ldexp(3.0, -1075) == 0x1p-1073 / 2); observe(ldexp(1.0, 100000) > 1e308); observe(ldexp(1.0, -2000000000) == 0);"
        )),
        [1, 1, -1, 0, 3, 0, 2, 12, 1, 0, 1, 1]
    );
    assert_eq!(
        observed(&program(
            "int e; double i; observe(frexp(-12.0, &e) == -0.75); observe(e); observe(frexp(0x1p-1074, &e) == 0.5); observe(e);
             observe(modf(-3.25, &i) == -0.25); observe(i); observe(nextafter(1.0, 2.0) == 1.0000000000000002); observe(nextafter(z, -1.0) < 0);
             observe(fma(0x1p53 + 2, 0x1p53 + 2, -0x1p106) == 0x1p55 + 4); observe(logb(0.3)); observe(ilogb(1024.5)); observe(ilogb(z));
             observe(__fpclassify(z / z)); observe(__fpclassify(1 / z)); observe(__fpclassify(z)); observe(__fpclassify(5e-324)); observe(__fpclassify(1.0));"
        )),
        [1, 4, 1, -1073, 1, -3, 1, 1, 1, -2, 10, i32::MIN, 0, 1, 2, 3, 4]
    );
}

#[test]
fn transcendental_functions_are_approximated() {
    let (_, run, _) = run_with(
        "double sin(double); int main(void) { double a = sin(1.0); observe(a <= 1.0); }",
        &Specification::default_for_tool(),
        &[],
    );
    assert!(run.approximation.is_some());
}

#[test]
fn old_style_definitions_convert_promoted_arguments() {
    let program = "int f(c, s) char c; short s; { return c + s; } int main() { observe(f(257, 65537)); }";
    assert_eq!(observed(program), [2]);
}

#[test]
fn long_has_the_width_of_the_data_model() {
    let source = "int main(void) { long x = 1; return sizeof x; }";
    for (model, bytes) in [(DataModel::Ilp32, 4), (DataModel::Lp64, 8)] {
        let (pool, program) = lowered(source, model, &Specification::default_for_tool());
        let mut interpreter = Interpreter::new(&pool, &program, Config::SMALL).expect("a small program");
        let run = interpreter.call_named("main", &[], &mut Observer::default()).expect("there is a main");
        assert_eq!(run.outcome, Outcome::Returned(Some(Value::bv(32, bytes))));
    }
}

fn call_property() -> Specification {
    Specification::parse("CHECK( init(main()), LTL(G ! call(reach_error())) )").expect("a property")
}

#[test]
fn a_call_of_reach_error_is_the_error_whatever_its_body() {
    for declaration in
        ["", "void reach_error(void) {}", "extern void abort(void); void reach_error(void) { abort(); }"]
    {
        let source = format!("{declaration} int main(void) {{ reach_error(); }}");
        assert!(matches!(outcome(&source, &call_property(), &[]), Outcome::Error(_)), "{declaration}");
    }
    let indirect = "void reach_error(void) {} int main(void) { void (*f)(void) = reach_error; f(); }";
    assert!(matches!(outcome(indirect, &call_property(), &[]), Outcome::Error(_)));
}

#[test]
fn a_failing_assertion_is_an_error_only_without_a_property_file() {
    let source = "extern void __assert_fail(const char *, const char *, unsigned, const char *);
        int main(void) { int x = 1; x > 1 ? (void)0 : __assert_fail(\"x > 1\", \"f.c\", 3, \"main\"); }";
    let (program, run, _) = run_with(source, &Specification::default_for_tool(), &[]);
    let Outcome::Error(property) = run.outcome else { panic!("{:?}", run.outcome) };
    assert_eq!(program.properties[property].kind, PropertyKind::Assertion);
    assert_eq!(program.properties[property].description, "assertion x > 1");
    assert_eq!(outcome(source, &call_property(), &[]), Outcome::Stopped(StopReason::Exit));
}

#[test]
fn labels_are_errors_only_by_the_specification() {
    let source = "int main(void) { goto ERROR; return 0; ERROR: return 1; }";
    assert!(matches!(outcome(source, &Specification::default_for_tool(), &[]), Outcome::Error(_)));
    assert_eq!(outcome(source, &call_property(), &[]), Outcome::Stopped(StopReason::Exit));
}

#[test]
fn assumptions_stop_and_inputs_have_their_ranges() {
    let source = "extern void __VERIFIER_assume(int); extern int __VERIFIER_nondet_int(void);
        int main(void) { int x = __VERIFIER_nondet_int(); __VERIFIER_assume(x > 3); observe(x); observe(__VERIFIER_nondet_uchar()); }";
    assert_eq!(outcome(source, &call_property(), &[2]), Outcome::Stopped(StopReason::Assume));
    let (_, _, observed) = run_with(source, &call_property(), &[4, 200]);
    assert_eq!(observed, [4, 200]);
}

#[test]
fn unsupported_constructs_count_only_where_they_are_reached() {
    let source = "int setjmp(long *); long buffer[8];
        int main(void) { if (__VERIFIER_nondet_int()) setjmp(buffer); observe(7); }";
    let (_, run, observed) = run_with(source, &call_property(), &[0]);
    assert_eq!((run.outcome, observed), (Outcome::Stopped(StopReason::Exit), vec![7]));
    assert!(matches!(outcome(source, &call_property(), &[1]), Outcome::Unsupported(_)));
}

#[test]
fn an_external_function_changes_the_variables_that_it_is_given() {
    let source = "void fill(int *p); int main(void) { int x = 1, y = 2; fill(&x); observe(y); }";
    let (_, run, observed) = run_with(source, &call_property(), &[]);
    assert_eq!((run.outcome, observed), (Outcome::Stopped(StopReason::Exit), vec![2]));
    assert_eq!(run.approximation.as_deref(), Some("writes of the external function fill"));
    let source = "int look(const int *p); int main(void) { int x = 1; look(&x); observe(x); }";
    let (_, run, observed) = run_with(source, &call_property(), &[]);
    assert_eq!((run.approximation, observed), (None, vec![1]));
}

#[test]
fn an_external_function_that_may_change_anything_is_unsupported() {
    for body in [
        "void f(int *); void main(void) { int x, *p = &x; f(p); }",
        "void f(int **); void main(void) { int *p; f(&p); }",
        "void f(void (*)(void)); void g(void) {} void main(void) { f(g); }",
        "struct s; void f(const struct s *); struct s *g(void); void main(void) { f(g()); }",
        "struct s { int *p; }; void f(struct s); void main(void) { struct s s; f(s); }",
    ] {
        assert!(matches!(outcome(body, &call_property(), &[]), Outcome::Unsupported(_)), "{body}");
    }
}

#[test]
fn many_arguments_of_the_program_are_approximate_where_they_are_used() {
    let run = |body: &str, count: u64| {
        let source = format!("int main(int argc, char **argv) {{ {body} }}");
        run_with(&source, &call_property(), &[count]).1
    };
    assert_eq!(run("return argc;", 9).approximation, None);
    assert_eq!(run("return argv[2] != 0;", 2).approximation, None);
    assert!(run("return argv[2] != 0;", 9).approximation.is_some());
}

#[test]
fn a_format_may_store_a_number() {
    let source = "int printf(const char *, ...); int main(void) { int n = 0; printf(\"%d %%n\", 1); printf(\"abc%n\", &n); observe(n); }";
    let (_, _, observed) = run_with(source, &call_property(), &[]);
    assert_eq!(observed, [3]);
}

#[test]
fn a_missing_entry_function_is_a_diagnostic() {
    let mut map = SourceMap::new();
    let file = map.add("test.c", *b"int f(void) { return 0; }").expect("a small file");
    let checked = sema::check(&grammars::c::parse(&map, file).unit, sema::Options { model: DataModel::Lp64 });
    let mut pool = TermPool::new();
    let specification = Specification::default_for_tool();
    let (program, diagnostics) = lower(&mut pool, &checked.program, &specification, &Options::new("main"));
    assert_eq!(diagnostics.len(), 1);
    assert!(diagnostics[0].message.contains("`main`"));
    program::ssa::check::assert_well_formed(&pool, &program, "lowering");
}

#[test]
fn functions_that_cannot_be_called_are_left_out_unless_all_are_wanted() {
    let mut map = SourceMap::new();
    let file =
        map.add("test.c", *b"int f(void) { return 0; } int main(void) { return 1; }").expect("a small file");
    let checked = sema::check(&grammars::c::parse(&map, file).unit, sema::Options { model: DataModel::Lp64 });
    let specification = Specification::default_for_tool();
    let count = |functions| {
        let options = Options { functions, ..Options::new("main") };
        lower(&mut TermPool::new(), &checked.program, &specification, &options).0.functions.len()
    };
    assert_eq!((count(FunctionSelection::Reachable), count(FunctionSelection::All)), (2, 3));
}

#[test]
fn variables_that_are_not_changed_in_a_loop_have_no_parameter() {
    let source = "int main(void) { int a = __VERIFIER_nondet_int(), i = 0; while (i < a) i++; return i; }";
    let (_, program) = lowered(source, DataModel::Lp64, &call_property());
    let main = program.functions.values().find(|function| function.name == "main").expect("there is a main");
    let parameters: Vec<usize> = main.blocks.values().map(|block| block.parameters.len()).collect();
    assert_eq!(parameters.iter().sum::<usize>(), 1, "only `i` changes: {parameters:?}");
    assert!(main.blocks.values().any(|block| matches!(block.terminator, Terminator::Branch { .. })));
}

#[test]
fn long_chains_do_not_overflow_the_stack() {
    let sum = vec!["x"; 20_000].join(" + ");
    let chain: String = (0..5_000).map(|i| format!("if (x == {i}) y = {i}; else ")).collect();
    let source = format!("int main(void) {{ int x = 1, y; {chain} y = 0; y = y + {sum}; return y; }}");
    let (_, program) = lowered(&source, DataModel::Lp64, &call_property());
    assert!(program.unsupported.is_empty());
}

#[test]
fn deep_nesting_is_lowered_or_refused_but_never_overflows() {
    let depth = 900;
    let blocks = format!("{}x++;{}", "{ if (x) ".repeat(depth / 2), "}".repeat(depth / 2));
    let ternaries = format!("{}x{}", "(x ? f(".repeat(depth / 2), ") : 2)".repeat(depth / 2));
    let negations = format!("{}x", "- ".repeat(depth));
    let source = format!(
        "int f(int x) {{ return x; }} int main(void) {{ int x = 1; {blocks} x = {ternaries}; x = {negations}; }}"
    );
    let (_, program) = lowered(&source, DataModel::Lp64, &call_property());
    assert!(program.unsupported.values().all(|unsupported| unsupported.construct == "nesting too deep"));
}

/// The kinds of the error sites of a program.
fn sites(source: &str, names: &str) -> Vec<PropertyKind> {
    let properties = names.split(',').flat_map(|name| Property::named(name).expect("a name of a property"));
    let specification = Specification::new(properties.collect());
    let (_, program) = lowered(source, DataModel::Lp64, &specification);
    program.properties.values().map(|property| property.kind).collect()
}

#[test]
fn a_check_that_constants_exclude_makes_no_error_site() {
    let source = "int a[4]; int main(void) { int x = __VERIFIER_nondet_int(), y; y = 1;
        a[3] = x / 2 + x % 7 + (x >> 3) + (5 << 2) + (1 + 2) * 3 - -4; a[0] = a[1];
        return y + 0 - x * 1 + *&a[1] + a[2] * 0; }";
    assert_eq!(sites(source, "div-by-zero,shift,bounds,null,uninit"), []);
    // The sums in the index expression and in the returned expression.
    assert!(sites(source, "no-overflow").iter().all(|&kind| kind == PropertyKind::SignedOverflow));
    assert_eq!(sites("int main(void) { unsigned x = 7, y = 3; return x * y / 2 - x; }", "no-overflow"), []);
    assert_eq!(
        sites("int main(void) { char c = 7; c++; c += 1u; return -c * 0; }", "conversion"),
        [PropertyKind::Conversion, PropertyKind::Conversion, PropertyKind::Conversion]
    );
}

#[test]
fn a_constant_operand_that_excludes_an_overflow_makes_no_error_site() {
    let signed = |value: &str| {
        sites(
            &format!("int main(void) {{ int x = __VERIFIER_nondet_int(); return {value}; }}"),
            "no-overflow",
        )
    };
    for value in ["x + 0", "0 + x", "x - 0", "x * 0", "0 * x", "x * 1", "1 * x", "x << 0", "-1 - x", "x >> 3"]
    {
        assert_eq!(signed(value), [], "{value}");
    }
    for value in
        ["x + 1", "-1 + x", "x - 1", "0 - x", "x - -1", "x * -1", "2 * x", "x << 1", "1 << x", "x / -1"]
    {
        assert_eq!(signed(value), [PropertyKind::SignedOverflow], "{value}");
    }
    let unsigned = |value: &str| {
        let source =
            format!("int main(void) {{ unsigned x = __VERIFIER_nondet_uint(); return ({value}) != 0; }}");
        sites(&source, "unsigned-overflow")
    };
    for value in ["x + 0u", "x - 0u", "x * 0u", "0u * x", "x * 1u", "x << 3", "x / 2u", "~x"] {
        assert_eq!(unsigned(value), [], "{value}");
    }
    for value in ["x + 1u", "1u + x", "x - 1u", "x * 2u", "3u * x", "-x"] {
        assert_eq!(unsigned(value), [PropertyKind::UnsignedOverflow], "{value}");
    }
}

#[test]
fn an_error_site_names_its_operands_once_and_leaves_constants_out() {
    let specification = Specification::new(Property::named("no-overflow").expect("a property"));
    for (expression, expected) in
        [("x + y", &["x", "y"][..]), ("x + x", &["x"]), ("x * 3", &["x"]), ("5 - y", &["y"])]
    {
        let source = format!(
            "int main(void) {{ int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
            return {expression}; }}"
        );
        let (_, program) = lowered(&source, DataModel::Lp64, &specification);
        let function =
            program.functions.values().find(|function| function.name == "main").expect("it is there");
        let mut errors =
            function.blocks.values().filter(|block| matches!(block.terminator, Terminator::Error(_)));
        let error = errors.next().expect("an error site");
        let names: Vec<&str> = (error.instructions.iter())
            .filter_map(|instruction| function.values[instruction.result?].name.as_deref())
            .collect();
        assert_eq!(names, expected, "{expression}");
        assert!(errors.next().is_none(), "{expression}");
    }
}

#[test]
fn operations_in_the_library_are_not_checked_but_its_accesses_are() {
    let source =
        "char *strcpy(char *, const char *); int main(void) { char a[4]; strcpy(a, 0); return a[0]; }";
    assert_eq!(sites(source, "no-overflow,bounds,uninit,conversion,shift,unsigned-overflow"), []);
    assert!(sites(source, "null").contains(&PropertyKind::Null));
}

#[test]
fn an_error_site_ends_the_run_before_the_operation() {
    let source = "int main(void) { int x = __VERIFIER_nondet_int(), y; observe(1); y = 5 / x; observe(y); }";
    let specification = Specification::new(Property::named("div-by-zero").expect("a check"));
    let (program, run, observed) = run_with(source, &specification, &[0]);
    let Outcome::Error(property) = run.outcome else { panic!("{:?}", run.outcome) };
    assert_eq!(program.properties[property].description, "division by zero in 5 / x");
    assert_eq!(observed, [1]);
    assert_eq!(run_with(source, &specification, &[2]).2, [1, 2]);
}
