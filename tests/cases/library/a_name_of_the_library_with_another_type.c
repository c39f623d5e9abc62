// verdict: FALSE(unreach-call)
extern void reach_error(void);
extern int index(int row, int column, int width);
int main(void) { if (index(1, 2, 3) == 7) reach_error(); }
