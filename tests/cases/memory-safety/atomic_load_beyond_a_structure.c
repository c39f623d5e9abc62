// verdict: FALSE(valid-deref)
// property: valid-memsafety
struct p { int x, y; };
int main(void) {
    struct p a = {1, 2}, b[2] = {{3, 4}, {5, 6}};
    __atomic_store(&a, &b[1], __ATOMIC_SEQ_CST);
    __atomic_load(&b[a.x == 5 && a.y == 6 ? 2 : 0], &a, __ATOMIC_SEQ_CST);
    return 0;
}
