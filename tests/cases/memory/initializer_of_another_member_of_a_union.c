// verdict: TRUE
// A later designator of another member starts the union afresh (C11 6.7.9p19, p21).
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
union number { int whole; struct { int low, high; } parts; };
struct box { union { int whole; struct { char low; int high; } parts; } number; int kind; };

static union number shared = { .whole = 5, .parts.high = 7 };

int main(void) {
    int x = __VERIFIER_nondet_int();
    union number local = { .whole = x, .parts.high = 7 };
    struct box box = { { .whole = x, .parts.high = x }, 3 };
    union number kept = { .parts.low = x, .parts.high = 7 };
    if (shared.parts.low != 0 || shared.parts.high != 7)
        reach_error();
    if (local.parts.low != 0 || local.parts.high != 7)
        reach_error();
    if (box.number.parts.low != 0 || box.number.parts.high != x || box.kind != 3)
        reach_error();
    if (kept.parts.low != x)
        reach_error();
    return 0;
}
