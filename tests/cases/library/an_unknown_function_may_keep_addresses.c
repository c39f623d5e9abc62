// verdict: UNKNOWN
extern void reach_error(void);
void keep(int *p);
void later(void);
int n;
int main(void) { keep(&n); n = 0; later(); if (n) reach_error(); }
