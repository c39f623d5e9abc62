// volatile objects keep stored values; const, restrict, register; atomic operations.
int printf(const char *, ...);
#define P(x) printf("%ld\n", (long)(x))
volatile int v = 3; const volatile int cv = 4; struct { volatile int a; const int b; } s = { 1, 2 }; _Atomic int at = 5;
static int f(const int *restrict a, int *restrict b) { *b = *a + 1; return *b; }
int main(void) {
  v = v + 1; P(v); P(cv); s.a += 5; P(s.a); P(s.b); register int r = 3; P(r); volatile int *p = &v; *p = 9; P(v); int x = 1, y; P(f(&x, &y)); 
  at++; at += 2; P(at); P(__sync_fetch_and_add(&x, 4)); P(x); P(__sync_bool_compare_and_swap(&x, 5, 7)); P(x); P(__atomic_load_n(&x, 5)); __atomic_store_n(&x, 8, 5); P(x); P(__atomic_exchange_n(&x, 1, 5)); P(__sync_val_compare_and_swap(&x, 1, 2)); P(__atomic_add_fetch(&x, 3, 5)); P(__sync_lock_test_and_set(&x, 9)); __sync_synchronize(); int e = 9; P(__atomic_compare_exchange_n(&x, &e, 11, 0, 5, 5)); P(x); P(__sync_or_and_fetch(&x, 4)); P(__sync_nand_and_fetch(&x, 3));
  volatile struct { int q[3]; } vs = { { 1, 2, 3 } }; int i = 1; vs.q[i] = 7; P(vs.q[1]); for (volatile int k = 0; k < 3; k++) P(k);
  __asm__ volatile("" ::: "memory"); 
  return 0;
}
