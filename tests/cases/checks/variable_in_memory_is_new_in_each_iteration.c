// verdict: FALSE(uninit)
// check: uninit
void set(int *p, int i) { if (i == 0) *p = 1; }
int main(void) {
    int sum = 0;
    for (int i = 0; i < 2; i++) { int t; set(&t, i); sum += t; }
    return sum;
}
