struct s { int a; } v;
int main(void) {
    int x = v;
    x->a = 1;
    v.b = 2;
    const int c = 3;
    switch (x) { case 1: case 1: break; }
    goto nowhere;
    return *x;
}
