// verdict: FALSE(unreach-call)
// only: QF_ABVFP,QF_UFBVFP
extern void reach_error(void);
int a[4], b[4];
int main(void) {
    int *end = a + 4;
    if (end == b) reach_error();
}
