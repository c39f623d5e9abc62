// verdict: TRUE
extern void reach_error(void);
int g; int a[4]; struct { int x; int *p; } s;
int main(void) { if (g || a[0] || a[3] || s.x || s.p) reach_error(); }
