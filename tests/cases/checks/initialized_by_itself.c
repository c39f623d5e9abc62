// verdict: FALSE(uninit)
// check: uninit
int main(void) { int x = x + 1; return 0; }
