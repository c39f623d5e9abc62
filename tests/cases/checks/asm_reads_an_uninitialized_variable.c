// verdict: FALSE(uninit)
// check: uninit
int main(void) {
    int x;
    __asm__ volatile("incl %0" : "+r"(x));
    return x;
}
