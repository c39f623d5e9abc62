// verdict: FALSE(pointer-overflow)
// check: pointer-overflow
int main(void) { char *p = (char *)-1; p++; return p == 0; }
