// verdict: TRUE
// only: QF_ABVFP,QF_UFBVFP
extern void reach_error(void);
struct entry { void *key; int value; } table[4];
int one, two;
unsigned hash(void *p) { return ((unsigned long)p >> 3) % 4; }
void put(void *key, int value) {
    unsigned at = hash(key);
    while (table[at].key) at = (at + 1) % 4;
    table[at].key = key;
    table[at].value = value;
}
int get(void *key) {
    unsigned at = hash(key);
    while (table[at].key != key) at = (at + 1) % 4;
    return table[at].value;
}
int main(void) {
    put(&one, 1);
    put(&two, 2);
    if (get(&one) != 1 || get(&two) != 2) reach_error();
}
