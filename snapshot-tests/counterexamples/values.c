/* Values in the types of the source. */
extern double __VERIFIER_nondet_double(void);
extern char __VERIFIER_nondet_char(void);
extern void *malloc(unsigned long);
extern void reach_error(void);

enum color { RED, GREEN, BLUE };

struct ring {
    unsigned char slots[4];
    int head;
    unsigned tail : 3;
};

static int put(int item) {
    return item;
}

int main(void) {
    double ratio = __VERIFIER_nondet_double();
    char letter = __VERIFIER_nondet_char();
    if (ratio != 0.1 || letter != 'a')
        return 0;
    float half = 0.5f;
    double endless = ratio / 0.0;
    _Bool is_small = ratio < half;
    enum color color = is_small ? BLUE : RED;
    struct ring ring = {.head = 1};
    ring.tail = 5;
    unsigned char *slot = &ring.slots[2];
    int *head = &ring.head;
    int buffer[4] = {0};
    int *place = buffer + 3;
    int (*action)(int) = put;
    const char *text = "abc";
    const char *rest = text + 1;
    int *block = malloc(16);
    int *second = block + 1;
    int *none = 0;
    if (action(7) == 7 && *slot == 0 && endless > 1e300)
        reach_error();
    return *head + *place + *rest + *second + (none == 0) + color;
}
