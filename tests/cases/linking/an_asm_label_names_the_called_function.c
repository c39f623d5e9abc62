// verdict: FALSE(unreach-call)
void reach_error(void);
int real(void) { reach_error(); return 3; }
int foo(void) __asm__("real");
int main(void) { return foo(); }
