// verdict: FALSE(valid-deref)
// options: --property valid-deref
static char table[16];

static unsigned long hash(void *p) { return ((unsigned long)p * 2654435761u) >> 7; }

int main(void) {
    int x;
    char *place = table + hash(&x) % 17;
    *place = 1;
    return table[0];
}
