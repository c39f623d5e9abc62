// verdict: FALSE(valid-deref)
// property: valid-deref
int *p;
void g(int i) {
    int x;
    if (i) *p = 1;
    p = &x;
}
int main(void) {
    for (int i = 0; i < 2; i++) g(i);
}
