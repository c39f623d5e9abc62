// verdict: FALSE(unreach-call)
extern void reach_error(void);
int main(void) { int a[3]; a[0] = 1; if (a[0] == 1 && a[1] == 99 && a[2] == -99) reach_error(); }
