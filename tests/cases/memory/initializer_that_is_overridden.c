// verdict: TRUE
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
struct bits { unsigned low : 3, high : 5; int next; };

int main(void) {
    int i = __VERIFIER_nondet_int(), n = 0;
    int some[3] = { [0 ... 2] = n++, [1] = 6 };
    int cells[3] = { i + 1, 2, 3, [0] = 5, 6 };
    struct bits bits = { .low = n++, .high = n++, .next = i, .next = 9 };
    if (cells[0] != 5 || cells[1] != 6 || cells[2] != 3)
        reach_error();
    if (bits.low != 1 || bits.high != 2 || bits.next != 9 || n != 3 || some[2] != 0 || some[1] != 6)
        reach_error();
    return 0;
}
