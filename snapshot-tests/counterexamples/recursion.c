/* Recursion is folded, too. */
extern void reach_error(void);

static unsigned depth(unsigned n) {
    if (n == 0)
        return 0;
    return depth(n - 1) + 1;
}

int main(void) {
    if (depth(12) == 12)
        reach_error();
    return 0;
}
