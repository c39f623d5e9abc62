// verdict: FALSE(valid-deref)
// property: valid-deref
int *g(int *previous) {
    int x;
    if (previous) *previous = 2;
    int *p = &x;
    return p;
}
int main(void) {
    int *q = 0;
    for (int i = 0; i < 2; i++) q = g(q);
}
