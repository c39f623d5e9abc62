// verdict: FALSE(unreach-call)
void reach_error(void);
void r3(void) { reach_error(); }
#pragma weak w3 = r3
void w3(void);
int main(void) { w3(); return 0; }
