// verdict: FALSE(unreach-call)
// only: QF_ABVFP,QF_UFBVFP
extern void reach_error(void);
static unsigned long p;
static void g(int i) {
    int x;
    if (i && (unsigned long)&x != p) reach_error();
    p = (unsigned long)&x;
}
int main(void) {
    for (int i = 0; i < 2; i++) g(i);
}
