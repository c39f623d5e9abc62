// verdict: FALSE(unreach-call)
extern void reach_error(void);
void step(void);
extern int state;
int main(void) { state = 1; step(); if (state != 1) reach_error(); }
