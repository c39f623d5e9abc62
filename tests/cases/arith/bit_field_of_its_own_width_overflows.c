// verdict: FALSE(no-overflow)
// property: no-overflow
struct bits { long long b : 40; } s;
int main(void) { s.b = 0x7fffffffffLL; return s.b + 1 > 0; }
