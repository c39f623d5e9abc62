// verdict: TRUE
typedef unsigned long size_t;
extern void *malloc(size_t), *realloc(void *, size_t);
extern void reach_error(void);

int main(void) {
    int *block = malloc(4), *other = malloc(4);
    if (!block || !other) return 0;
    size_t living = (size_t)other;
    block = realloc(block, 8);
    if (block && (size_t)block == living) reach_error();
    return 0;
}
