// What the other files of the library use. All files are one translation unit, this one comes first.
//
// Functions that begin with `__input_` are inputs of the task, named in traces by the rest of the name; those that begin with
// `__approximate_` are any value of their type, over-approximated: a counterexample through one does not count.
// `__are_accesses_checked` tells whether memory that is read must be there; what is read for no other reason is read only then.
// `unsigned long` has the width of `size_t` in both data models, `long` that of `ptrdiff_t` and `ssize_t`.

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

// What a function does that reads a text whose characters do not matter.
static void read_text(const char *text) {
  if (__are_accesses_checked()) strlen(text);
}

// The same for a block: it is in one object if its first and its last byte are.
static void read_block(const void *from, size_t size) {
  const char *bytes = from;
  if (__are_accesses_checked() && size > 0) bytes[0], bytes[size - 1];
}
