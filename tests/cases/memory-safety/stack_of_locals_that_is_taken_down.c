// verdict: TRUE
// property: valid-memsafety
struct frame { int value; struct frame *next; } *top;
static int sum(int n) {
    struct frame frame = { n, top };
    top = &frame;
    int result = top->value + (frame.next ? frame.next->value : 0);
    top = frame.next;
    return result;
}
int main(void) {
    struct frame first = { 1, 0 };
    top = &first;
    for (int i = 0; i < 3; i++)
        if (sum(i) != i + 1) *(int *)0 = 1;
}
