// verdict: FALSE(valid-deref)
// property: valid-deref
struct holder { int *at; } all;
static void put(struct holder *where, int *what) { where->at = what; }
static void use(int i) {
    int x = i;
    struct holder own = { &x };
    if (i == 2) *all.at = 7;
    put(&all, own.at);
}
int main(void) {
    int i = 0;
again:
    use(i);
    if (++i < 3) goto again;
}
