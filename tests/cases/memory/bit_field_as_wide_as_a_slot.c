// verdict: FALSE(unreach-call)
// only: QF_ABVFP,QF_UFBVFP
extern void reach_error(void);
struct parts { unsigned long low : 41; };
int main(void) {
    int x = 1, y = 2;
    struct parts a, b;
    a.low = (unsigned long)&x;
    b.low = (unsigned long)&y;
    if (a.low != b.low) reach_error();
}
