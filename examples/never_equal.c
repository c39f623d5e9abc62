// Two counters that are never equal: the running example of Marusak, Generic Template-Based
// Synthesis of Program Abstractions, 2019, chapter 8.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
    int a = 0, b = 1;
    while (a < 10 && b < 10) {
        if (__VERIFIER_nondet_int())
            a++;
        else
            b++;
        if (a == b) {
            if (__VERIFIER_nondet_int())
                a--;
            else
                b--;
        }
    }
    if (a + b == 20)
        reach_error();
}
