// verdict: TRUE
// options: --property valid-deref
static char table[16];

static unsigned long hash(void *p) { return ((unsigned long)p * 2654435761u) >> 7; }

int main(void) {
    int x, y;
    char *place = table + hash(&x) % 16;
    *place = 1;
    place = table;
    place += hash(&y) & 15;
    *place = 2;
    return table[0];
}
