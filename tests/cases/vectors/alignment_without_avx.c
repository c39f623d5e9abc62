// verdict: TRUE
extern void reach_error(void);
typedef int v4 __attribute__((vector_size(16)));
typedef int v8 __attribute__((vector_size(32)));
int main(void) {
    if (_Alignof(v4) != 16 || _Alignof(v8) != 16 || __alignof__(v8) != 32) reach_error();
    return 0;
}
