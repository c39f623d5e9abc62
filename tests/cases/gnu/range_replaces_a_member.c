// verdict: FALSE(unreach-call)
extern void reach_error(void);
struct pair { int x, y; };

int main(void) {
    struct pair pairs[2] = { { 1, 2 }, { 3, 4 }, [0 ... 1] = { .x = 5 } };
    if (pairs[1].x == 5 && pairs[1].y == 0)
        reach_error();
    return 0;
}
