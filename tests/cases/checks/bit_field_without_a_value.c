// verdict: FALSE(uninit)
// check: uninit
int main(void) {
    struct { unsigned a : 3, b : 3; } z;
    z.a = 1;
    return z.b;
}
