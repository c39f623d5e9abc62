// verdict: FALSE(unreach-call)
// only: QF_ABVFP,QF_UFBVFP
extern void reach_error(void);
int main(void) {
    int *q = 0;
    { int x = 1; q = &x; }
    { int y = 2; if (q == &y) reach_error(); }
}
