// Functions of verification tasks that are implemented in C.

unsigned char __input___VERIFIER_nondet_memory(void);

void __VERIFIER_nondet_memory(void *to, size_t size) {
  unsigned char *t = to;
  for (size_t i = 0; i < size; i++) t[i] = __input___VERIFIER_nondet_memory();
}
