// Declarations shared by the files of the library. All files form one translation unit, of which
// this file is the first.
//
// Functions that start with `__input_` are inputs of the program; the rest of the name is the name
// of the input in traces. Functions that start with `__approximate_` return any value of their
// type, over-approximated: a counterexample through such a call does not count.
// `__are_accesses_checked` returns whether memory accesses are checked; reads that only serve such
// checks depend on it. `unsigned long` has the width of `size_t` in both data models, `long` that
// of `ptrdiff_t` and `ssize_t`.

typedef unsigned long size_t;
typedef long ssize_t;
typedef __builtin_va_list va_list;

void *malloc(size_t size);
void *realloc(void *old, size_t size);
void free(void *memory);
void abort(void);
void _Exit(int status);
void __VERIFIER_assume(int condition);
_Bool __are_accesses_checked(void);
size_t strlen(const char *s);

// Reads a string whose characters are irrelevant.
static void read_text(const char *text) {
  if (__are_accesses_checked()) strlen(text);
}

// Reads a block whose bytes are irrelevant: it is valid if its first and its last byte are.
static void read_block(const void *from, size_t size) {
  const char *bytes = from;
  if (__are_accesses_checked() && size > 0) bytes[0], bytes[size - 1];
}
