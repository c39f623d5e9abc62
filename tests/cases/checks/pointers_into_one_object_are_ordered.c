// verdict: TRUE
// check: pointer-compare
int a[4], b[4];
long length(int *p, int *end) {
    long n = 0;
    for (int *q = p; q < end; q++) n++;
    return n == end - p;
}
int main(void) { return length(a, a + 4) && length(b, b + 2) && a != b; }
