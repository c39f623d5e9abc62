// verdict: FALSE(unreach-call)
// only: QF_ABVFP,QF_UFBVFP
extern void reach_error(void);
int a, b;
int main(void) {
    int x, y;
    if (&a > &b && &x > &y) reach_error();
}
