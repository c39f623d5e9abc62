// verdict: UNKNOWN
extern void reach_error(void);
void fill(int *p);
int main(void) { int x = 1; fill(&x); if (x != 1) reach_error(); }
