// verdict: TRUE
// decided-by: bmc k-induction
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
typedef int (*function)(int);
static int one_more(int x) { return x + 1; }
static int same(int x) { return x; }
static function choose(int which) { return which ? one_more : same; }
int main(void) {
    function (*chooser)(int) = choose;
    int which = __VERIFIER_nondet_int();
    function chosen = chooser(which);
    if (chosen(1) != 1 + (which != 0)) reach_error();
    return 0;
}
