// verdict: TRUE
// options: --data-model LP64
extern void reach_error(void);
int main(void) {
    unsigned __int128 x = (unsigned __int128)0xffffffffffffffffULL * 0xffffffffffffffffULL;
    if ((unsigned long long)(x >> 64) != 0xfffffffffffffffeULL || (unsigned long long)x != 1) reach_error();
}
