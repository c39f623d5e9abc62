// verdict: FALSE(unreach-call)
// only: QF_ABVFP,QF_UFBVFP
// The lifetime of the old block ends before that of the new one begins.
typedef unsigned long size_t;
extern void *malloc(size_t), *realloc(void *, size_t);
extern void reach_error(void);

int main(void) {
    int *block = malloc(4);
    if (!block) return 0;
    size_t old = (size_t)block;
    block = realloc(block, 8);
    if (block && (size_t)block == old) reach_error();
    return 0;
}
