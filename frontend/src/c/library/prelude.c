// What the other files of the library use. All files are one translation unit, this one comes first.
//
// Functions that begin with `__input_` are inputs of the task, named in traces by the rest of the name; those that begin with
// `__approximate_` are any value of their type, over-approximated: a counterexample through one does not count.
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
