// verdict: UNKNOWN
// property: valid-deref
int main(void) {
    int x = 3;
    unsigned long from = (unsigned long)&x, to = 0;
    for (unsigned long bit = 1; bit; bit <<= 1)
        if (from & bit) to += bit;
    *(int *)to = 5;
}
