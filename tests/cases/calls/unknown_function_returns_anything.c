// verdict: FALSE(unreach-call)
extern void reach_error(void);
int mystery(int);
int main(void) { if (mystery(1) != mystery(1)) reach_error(); }
