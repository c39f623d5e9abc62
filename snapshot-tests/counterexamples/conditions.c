/* --property valid-memsafety --check overflow
   Conditions are those of the source, with operands. Checks that the tool inserts are not shown. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
extern void *malloc(unsigned long);
extern void free(void *);

enum mode { READ, WRITE };

static int sum(int *p, int n) {
    int s = 0;
    while (n-- > 0)
        s += *p++;
    return s;
}

int main(void) {
    int values[2] = {3, 4};
    int x = __VERIFIER_nondet_int();
    if (!x)
        abort();
    if (!(x > 1 && sum(values, 2) == 7) || x != 5)
        return 0;
    enum mode mode = x == 5 ? WRITE : READ;
    switch (mode) {
    case READ:
        return 1;
    case WRITE:
        free(malloc(1));
        break;
    }
    switch (x) {
    case 1 ... 4:
        return 1;
    default:
        break;
    }
    int *p = 0;
    return *p;
}
