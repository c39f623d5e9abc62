// verdict: FALSE(unreach-call)
void reach_error(void);
void exit(int);
int stop(void) { exit(0); return 0; }
int fail(void) { reach_error(); return 0; }
int main(void) { return stop() - fail(); }
