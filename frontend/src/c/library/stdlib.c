// <stdlib.h> without allocation.
//
// `qsort` keeps the order of elements that compare equal. C leaves this order, and that of the
// comparisons, unspecified.

typedef struct { int quot, rem; } div_t;
typedef struct { long quot, rem; } ldiv_t;
typedef struct { long long quot, rem; } lldiv_t;

div_t div(int a, int b) {
  div_t result = {a / b, a % b};
  return result;
}

ldiv_t ldiv(long a, long b) {
  ldiv_t result = {a / b, a % b};
  return result;
}

lldiv_t lldiv(long long a, long long b) {
  lldiv_t result = {a / b, a % b};
  return result;
}

lldiv_t imaxdiv(long long a, long long b) {
  lldiv_t result = {a / b, a % b};
  return result;
}

static unsigned digit_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'z') return c - 'a' + 10;
  if (c >= 'A' && c <= 'Z') return c - 'A' + 10;
  return 99;
}

struct number {
  unsigned long long magnitude;
  const char *end;
  _Bool is_negative, is_too_large;
};

// Parses a number of magnitude at most `limit`, or `negative_limit` for a negative number. Without
// digits the end is the start of the text.
static struct number read_number(const char *s, int base, unsigned long long limit, unsigned long long negative_limit) {
  struct number number = {0, s, 0, 0};
  if (base == 1 || base < 0 || base > 36) {
    error_number = EINVAL;
    return number;
  }
  while (*s == ' ' || *s >= '\t' && *s <= '\r') s++;
  if (*s == '-') {
    number.is_negative = 1;
    limit = negative_limit;
    s++;
  } else if (*s == '+') {
    s++;
  }
  if ((base == 0 || base == 16) && s[0] == '0' && (s[1] == 'x' || s[1] == 'X') && digit_value(s[2]) < 16) {
    s += 2;
    base = 16;
  }
  if (base == 0) base = *s == '0' ? 8 : 10;
  const char *first = s;
  unsigned long long most = limit / base;
  unsigned last = limit % base;
  for (;; s++) {
    unsigned digit = digit_value(*s);
    if (digit >= base) break;
    if (number.magnitude > most || number.magnitude == most && digit > last) number.is_too_large = 1;
    else number.magnitude = number.magnitude * base + digit;
  }
  if (s != first) number.end = s;
  if (number.is_too_large) {
    number.magnitude = limit;
    error_number = ERANGE;
  }
  return number;
}

static long long read_signed(const char *s, char **end, int base, unsigned long long limit) {
  struct number number = read_number(s, base, limit, limit + 1);
  if (end) *end = (char *)number.end;
  return number.is_negative ? -number.magnitude : number.magnitude;
}

// Negates a negative number after parsing, except for the greatest number, which stands for
// overflow.
static unsigned long long read_unsigned(const char *s, char **end, int base, unsigned long long limit) {
  struct number number = read_number(s, base, limit, limit);
  if (end) *end = (char *)number.end;
  return number.is_negative && !number.is_too_large ? -number.magnitude : number.magnitude;
}

long strtol(const char *s, char **end, int base) { return read_signed(s, end, base, ~0ul >> 1); }
long __isoc23_strtol(const char *s, char **end, int base) { return strtol(s, end, base); }
long long strtoll(const char *s, char **end, int base) { return read_signed(s, end, base, ~0ull >> 1); }
long long strtoq(const char *s, char **end, int base) { return strtoll(s, end, base); }
long long strtoimax(const char *s, char **end, int base) { return strtoll(s, end, base); }
long long __isoc23_strtoll(const char *s, char **end, int base) { return strtoll(s, end, base); }
unsigned long strtoul(const char *s, char **end, int base) { return read_unsigned(s, end, base, ~0ul); }
unsigned long __isoc23_strtoul(const char *s, char **end, int base) { return strtoul(s, end, base); }
unsigned long long strtoull(const char *s, char **end, int base) { return read_unsigned(s, end, base, ~0ull); }
unsigned long long strtouq(const char *s, char **end, int base) { return strtoull(s, end, base); }
unsigned long long strtoumax(const char *s, char **end, int base) { return strtoull(s, end, base); }
unsigned long long __isoc23_strtoull(const char *s, char **end, int base) { return strtoull(s, end, base); }

int atoi(const char *s) { return (int)strtol(s, 0, 10); }
long atol(const char *s) { return strtol(s, 0, 10); }
long long atoll(const char *s) { return strtoll(s, 0, 10); }

double __approximate_strtod(void);
size_t __approximate_strtod_length(void);

double strtod(const char *s, char **end) {
  read_text(s);
  if (end) {
    size_t length = __approximate_strtod_length();
    __VERIFIER_assume(length <= strlen(s));
    *end = (char *)s + length;
  }
  return __approximate_strtod();
}

float strtof(const char *s, char **end) { return (float)strtod(s, end); }
long double strtold(const char *s, char **end) { return strtod(s, end); }
double atof(const char *s) { return strtod(s, 0); }

char *__approximate_environment(void);
int __input_system(void);

char *getenv(const char *name) {
  read_text(name);
  return __approximate_environment();
}

char *secure_getenv(const char *name) { return getenv(name); }

// <locale.h>
char *setlocale(int category, const char *name) {
  if (name) read_text(name);
  return __approximate_environment();
}

int system(const char *command) {
  if (command) read_text(command);
  return __input_system();
}

typedef int (*compare_t)(const void *, const void *);

void qsort(void *base, size_t count, size_t size, compare_t compare) {
  char *array = base;
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && compare(array + (j - 1) * size, array + j * size) > 0; j--)
      for (size_t k = 0; k < size; k++) {
        char byte = array[(j - 1) * size + k];
        array[(j - 1) * size + k] = array[j * size + k];
        array[j * size + k] = byte;
      }
}

void *bsearch(const void *key, const void *base, size_t count, size_t size, compare_t compare) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    const void *at = (const char *)base + middle * size;
    int order = compare(key, at);
    if (order == 0) return (void *)at;
    if (order < 0) high = middle;
    else low = middle + 1;
  }
  return 0;
}

int __input_rand(void);
long __input_random(void);
double __approximate_drand48(void);

static long random_number(void) {
  long number = __input_random();
  __VERIFIER_assume(number >= 0 && number <= 0x7fffffff);
  return number;
}

int rand(void) {
  int number = __input_rand();
  __VERIFIER_assume(number >= 0);
  return number;
}

int rand_r(unsigned *seed) {
  *seed = __input_rand();
  return rand();
}

void srand(unsigned seed) {}
void srandom(unsigned seed) {}
void srand48(long seed) {}
long random(void) { return random_number(); }
long lrand48(void) { return random_number(); }

long mrand48(void) {
  return (int)__input_random();
}

double drand48(void) {
  double number = __approximate_drand48();
  __VERIFIER_assume(number >= 0.0 && number < 1.0);
  return number;
}

typedef void (*handler_t)(void);
// C requires room for 32; other libraries have more.
enum {
  MOST_HANDLERS = 128,
};
static handler_t exit_functions[MOST_HANDLERS], quick_exit_functions[MOST_HANDLERS];
static unsigned exit_count, quick_exit_count;
void __unsupported_more_exit_handlers(void);

int atexit(handler_t function) {
  if (exit_count == MOST_HANDLERS) __unsupported_more_exit_handlers();
  exit_functions[exit_count++] = function;
  return 0;
}

int at_quick_exit(handler_t function) {
  if (quick_exit_count == MOST_HANDLERS) __unsupported_more_exit_handlers();
  quick_exit_functions[quick_exit_count++] = function;
  return 0;
}

// Called by `exit` before it terminates the program.
void __run_exit_handlers(void) {
  while (exit_count > 0) exit_functions[--exit_count]();
}

void __run_quick_exit_handlers(void) {
  while (quick_exit_count > 0) quick_exit_functions[--quick_exit_count]();
}
