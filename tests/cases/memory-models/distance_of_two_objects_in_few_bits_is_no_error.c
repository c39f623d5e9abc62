// verdict: UNKNOWN
// options: --property valid-deref
// Where both objects are close together, the sum is the address of `other`.
struct relative { int distance; };

int main(void) {
    int other = 3;
    struct relative r;
    long distance = (unsigned long)&other - (unsigned long)&r;
    if (distance != (int)distance)
        return 0;
    r.distance = (int)distance;
    *(int *)((unsigned long)&r + r.distance) = 4;
    return other;
}
