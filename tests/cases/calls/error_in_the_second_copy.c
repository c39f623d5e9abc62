// verdict: FALSE(unreach-call)
extern void reach_error(void);
void check(int x) { if (x == 3) reach_error(); }
int main(void) { check(1); check(2); check(3); check(4); }
