// verdict: UNKNOWN
// C11 6.7.9p19, footnote 151: the first initializer might not be evaluated at all.
extern void reach_error(void);

int main(void) {
    int i = 0;
    int cells[1] = { [0] = i++, [0] = 5 };
    if (i == cells[0] - 5)
        reach_error();
    return 0;
}
