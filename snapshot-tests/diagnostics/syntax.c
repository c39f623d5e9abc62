int f(void) {
    int a = (1 + ;
    return a;
}
int g(int x) {
    if (x {
        return 1;
    }
    return 2;
}
int main(void) { return f() + g(1) }
