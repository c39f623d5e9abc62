// verdict: FALSE(unreach-call)
extern void reach_error(void);
int atexit(void (*)(void));
void last(void) { reach_error(); }
int main(void) { atexit(last); }
