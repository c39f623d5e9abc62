// verdict: TRUE
extern void reach_error(void);
void set(int *p, int *q) { *p = 1; *q = 2; }
int main(void) {
    int x = 0, y = 0;
    set(&x, &y);
    if (x != 1 || y != 2) reach_error();
    set(&x, &x);
    if (x != 2) reach_error();
}
