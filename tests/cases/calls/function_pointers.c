// verdict: FALSE(unreach-call)
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
int add(int a, int b) { return a + b; }
int sub(int a, int b) { return a - b; }
int (*table[2])(int, int) = { add, sub };
int main(void) {
    unsigned i = __VERIFIER_nondet_uint() % 2;
    if (table[i](5, 3) == 2) reach_error();
}
