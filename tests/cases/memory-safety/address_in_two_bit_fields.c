// verdict: UNKNOWN
// property: valid-deref
struct parts { unsigned long low : 24, high : 40; };
int main(void) {
    int x = 1;
    unsigned long address = (unsigned long)&x;
    struct parts parts = { address & 0xffffff, address >> 24 };
    int *p = (int *)((unsigned long)parts.high << 24 | parts.low);
    *p = 5;
}
