// verdict: TRUE
extern void reach_error(void);
typedef int T;
T f(T T) { return T + 1; }
int main(void) { T x = 1; { int T = 5; x = T * x; } if (x != 5 || f(x) != 6) reach_error(); }
