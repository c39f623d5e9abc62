/* A ring buffer with an off-by-one in its count: pointers, structs, a function pointer, and a loop. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern void reach_error(void);

enum { CAPACITY = 4 };

struct ring {
    unsigned char slots[CAPACITY];
    unsigned head, count;
};

static void put(struct ring *ring, unsigned char item) {
    if (ring->count > CAPACITY) /* should be >= */
        return;
    ring->slots[(ring->head + ring->count) % CAPACITY] = item;
    ring->count++;
}

static void get(struct ring *ring, unsigned char unused) {
    (void)unused;
    if (ring->count == 0)
        return;
    ring->head = (ring->head + 1) % CAPACITY;
    ring->count--;
}

int main(void) {
    struct ring ring = {.head = 0, .count = 0};
    for (int i = 0; i < 6; i++) {
        void (*action)(struct ring *, unsigned char) = __VERIFIER_nondet_bool() ? put : get;
        action(&ring, __VERIFIER_nondet_uchar());
        if (ring.count > CAPACITY)
            reach_error();
    }
    return 0;
}
