// verdict: FALSE(valid-deref)
// property: valid-deref
struct pair { int v[2]; };
static int *p;
static void g(int i, struct pair s) {
    if (i) *p = 1;
    p = s.v;
}
int main(void) {
    struct pair s = {{1}};
    for (int i = 0; i < 3; i++) g(i, s);
}
