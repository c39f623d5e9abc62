// verdict: TRUE
extern void reach_error(void);
int max(a, b) int a, b; { return a > b ? a : b; }
int main() { if (max(3, 8) != 8) reach_error(); }
