extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
struct point { int x, y; } origin = {.y = 3};
int cells[4] = {1, [2] = 5};
int main(void) {
    struct point p = origin;
    int *cell = &cells[__VERIFIER_nondet_uint() % 4];
    *cell += p.y;
    p.x = *cell++;
    if (p.x == 8 && cells[2] != 8)
        reach_error();
    return 0;
}
