// verdict: TRUE
// options: --data-model ILP32
extern void reach_error(void);
struct pair { int first, second; };
struct plain { char tag; long long count; };
struct shared { char tag; _Atomic long long count; };
struct table { char tag; _Atomic double rows[2]; };
int main(void) {
    if (_Alignof(_Atomic long long) != 8 || _Alignof(long long) != 4) reach_error();
    if (_Alignof(_Atomic struct pair) != 8 || _Alignof(_Atomic long double) != 4) reach_error();
    if (sizeof(struct plain) != 12 || sizeof(struct shared) != 16 || sizeof(struct table) != 24) reach_error();
}
