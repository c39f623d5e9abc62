// verdict: TRUE
// options: --property unreach-call
int main(void) { ERROR: return 1; }
