// verdict: TRUE
// property: valid-memtrack
// options: --function copy
extern void *malloc(unsigned long);
char *copy(const char *text) {
    char *block = malloc(2);
    if (block) block[0] = text ? 1 : 0;
    return block;
}
