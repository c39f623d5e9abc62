typedef unsigned char T;
extern void reach_error(void);
static T f(T T) { return T ? f(T - 1) + 1 : 0; }
int main(void) {
    T x = f(3);
    if (x != 3)
        reach_error();
    return 0;
}
