// verdict: FALSE(valid-deref)
// property: valid-deref
extern unsigned long input(void);
int main(void) {
    int x = 1, y = 2;
    unsigned long n = input();
    if (n < 4096 || n == 1ul << 63) *(int *)n = x + y;
}
