// verdict: UNKNOWN
extern void reach_error(void);
int n;
void increment(void) { n++; }
void call(void (*f)(void));
int main(void) { call(increment); if (n < 0) reach_error(); }
