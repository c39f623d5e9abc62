// verdict: TRUE
extern void reach_error(void);
int next(void) { static int n = 10; return n++; }
int main(void) { next(); if (next() != 11 || next() != 12) reach_error(); }
