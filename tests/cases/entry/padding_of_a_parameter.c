// verdict: FALSE(unreach-call)
// options: --function f
extern void reach_error(void);
struct S { char a; int b; };
void f(struct S s) { if (((unsigned char *)&s)[1] == 7) reach_error(); }
