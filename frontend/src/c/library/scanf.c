// The `scanf` family. A conversion from a stream is an input with the converted value, not with its
// text. A conversion from a string parses the text, except for floating values, which are any value
// of any number of characters.

void __unsupported_conversion_of_scanf(void);

struct conversion {
  _Bool is_suppressed;
  // 0: not given.
  int width, bytes;
  char kind;
  // The text between the brackets.
  const char *set, *set_end;
  _Bool is_complement;
};

// Parses a conversion after its `%`; returns its last character.
static const char *read_conversion(const char *format, struct conversion *c) {
  struct conversion none = {0};
  *c = none;
  if (*format == '*') {
    c->is_suppressed = 1;
    format++;
  }
  for (; *format >= '0' && *format <= '9'; format++) c->width = 10 * c->width + (*format - '0');
  char length = 0;
  for (; is_among(*format, "hlLjqzt"); format++)
    length = length != *format ? *format : length == 'h' ? 'c' : 'q';
  c->bytes = length == 'h'                                      ? sizeof(short)
             : length == 'c'                                    ? sizeof(char)
             : length == 'l' || length == 'z' || length == 't'  ? sizeof(long)
             : length == 'q' || length == 'j' || length == 'L'  ? sizeof(long long)
                                                                : sizeof(int);
  c->kind = *format;
  if (c->kind == '[') {
    format++;
    if (*format == '^') {
      c->is_complement = 1;
      format++;
    }
    c->set = format;
    if (*format == ']') format++;
    while (*format && *format != ']') format++;
    c->set_end = format;
  }
  if (is_among(c->kind, "eEfFgGaA")) {
    c->bytes = length == 'L' ? sizeof(long double) : length == 'l' ? sizeof(double) : sizeof(float);
    c->kind = 'f';
  }
  if (c->kind == 'X') c->kind = 'x';
  if (!is_among(c->kind, "diuoxcs[nf%") || is_among(c->kind, "cs[") && length == 'l')
    __unsupported_conversion_of_scanf();
  return format;
}

static _Bool is_in_set(const struct conversion *c, char text) {
  for (const char *s = c->set; s < c->set_end; s++) {
    if (s[0] == text) return !c->is_complement;
    if (s + 2 < c->set_end && s[1] == '-' && s[0] <= text && text <= s[2]) return !c->is_complement;
  }
  return c->is_complement;
}

// Whether a text of the conversion may contain the character.
static _Bool fits(const struct conversion *c, char text) {
  if (c->kind == '[') return is_in_set(c, text);
  if (c->kind == 's') return !(text == ' ' || text >= '\t' && text <= '\r');
  return 1;
}

static void assign(void *to, int bytes, unsigned long long number) {
  if (bytes == sizeof(long long)) *(long long *)to = number;
  else if (bytes == sizeof(short)) *(short *)to = number;
  else if (bytes == sizeof(char)) *(char *)to = number;
  else *(int *)to = number;
}

static int base_of(char kind) { return kind == 'o' ? 8 : kind == 'x' ? 16 : kind == 'i' ? 0 : 10; }

long long __input_scanf_long_long(void);
long __input_scanf_long(void);
int __input_scanf(void);
short __input_scanf_short(void);
signed char __input_scanf_signed_char(void);
float __input_scanf_float(void);
double __input_scanf_double(void);
long double __input_scanf_long_double(void);
char __input_scanf_char(void);
_Bool __input_scanf_failure(void);
_Bool __input_scanf_end(void);
_Bool __input_scanf_end_of_text(void);
int __approximate_count_of_scanf(void);

static unsigned long long input_number(const struct conversion *c) {
  long long number = c->bytes == sizeof(long long) ? __input_scanf_long_long()
                     : c->bytes == sizeof(short)   ? __input_scanf_short()
                     : c->bytes == sizeof(char)    ? __input_scanf_signed_char()
                                                   : __input_scanf();
  // At most this number of characters.
  if (c->width > 0 && c->width < 10) {
    long long limit = 1, base = c->kind == 'o' ? 8 : c->kind == 'x' || c->kind == 'i' ? 16 : 10;
    for (int i = 0; i < c->width; i++) limit *= base;
    __VERIFIER_assume(number < limit && number > -limit / base);
  }
  return number;
}

static int scan_input(const char *format, va_list list) {
  int assigned = 0;
  for (; *format; format++) {
    if (*format != '%') continue;
    struct conversion c;
    format = read_conversion(format + 1, &c);
    if (c.kind == '%') continue;
    if (c.kind == 'n') {
      int count = __approximate_count_of_scanf();
      __VERIFIER_assume(count >= 0);
      if (!c.is_suppressed) assign(__builtin_va_arg(list, void *), c.bytes, count);
      continue;
    }
    if (__input_scanf_failure()) return assigned == 0 && __input_scanf_end() ? -1 : assigned;
    void *to = c.is_suppressed ? 0 : __builtin_va_arg(list, void *);
    if (is_among(c.kind, "diuox")) {
      unsigned long long number = input_number(&c);
      if (to) assign(to, c.bytes, number);
    } else if (c.kind == 'f') {
      if (to && c.bytes == sizeof(float)) *(float *)to = __input_scanf_float();
      else if (to && c.bytes == sizeof(double)) *(double *)to = __input_scanf_double();
      else if (to) *(long double *)to = __input_scanf_long_double();
    } else {
      int width = c.width ? c.width : c.kind == 'c' ? 1 : 0x7fffffff, n = 0;
      for (; n < width; n++) {
        if (n > 0 && __input_scanf_end_of_text()) break;
        char text = __input_scanf_char();
        __VERIFIER_assume(fits(&c, text));
        if (to) ((char *)to)[n] = text;
      }
      if (to && c.kind != 'c') ((char *)to)[n] = 0;
    }
    if (to) assigned++;
  }
  return is_reread ? __approximate_count_of_scanf() : assigned;
}

float __approximate_sscanf_float(void);
double __approximate_sscanf_double(void);
long double __approximate_sscanf_long_double(void);
size_t __approximate_sscanf_length(void);

static _Bool is_space(char c) { return c == ' ' || c >= '\t' && c <= '\r'; }

// Room for the digits of the longest number that is represented exactly, its sign and a prefix.
enum { NUMBER_SIZE = 80 };

static int scan_text(const char *text, const char *format, va_list list) {
  const char *start = text;
  int assigned = 0;
  _Bool has_converted = 0;
  for (; *format; format++) {
    if (is_space(*format)) {
      while (is_space(*text)) text++;
      continue;
    }
    struct conversion c = {0};
    if (*format == '%') format = read_conversion(format + 1, &c);
    if (c.kind == 0 || c.kind == '%') {
      if (c.kind == '%') while (is_space(*text)) text++;
      if (!*text) return has_converted ? assigned : -1;
      if (*text != *format) return assigned;
      text++;
      continue;
    }
    if (c.kind == 'n') {
      if (!c.is_suppressed) assign(__builtin_va_arg(list, void *), c.bytes, text - start);
      continue;
    }
    if (c.kind != 'c' && c.kind != '[') while (is_space(*text)) text++;
    if (!*text) return has_converted ? assigned : -1;
    void *to = c.is_suppressed ? 0 : __builtin_va_arg(list, void *);
    if (is_among(c.kind, "diuox")) {
      char number[NUMBER_SIZE];
      int n = 0;
      for (; n < NUMBER_SIZE - 1 && (c.width == 0 || n < c.width) && (digit_value(text[n]) < 16 || is_among(text[n], "+-xX")); n++)
        number[n] = text[n];
      if (n == NUMBER_SIZE - 1) __unsupported_conversion_of_scanf();
      number[n] = 0;
      char *end;
      int error = error_number;
      _Bool is_long = c.bytes == sizeof(long long);
      unsigned long long value =
          c.kind == 'd' || c.kind == 'i'
              ? (is_long ? strtoll(number, &end, base_of(c.kind)) : strtol(number, &end, base_of(c.kind)))
              : (is_long ? strtoull(number, &end, base_of(c.kind)) : strtoul(number, &end, base_of(c.kind)));
      error_number = error;
      if (end == number) return assigned;
      text += end - number;
      if (to) assign(to, c.bytes, value);
    } else if (c.kind == 'f') {
      size_t length = __approximate_sscanf_length();
      __VERIFIER_assume(length <= strlen(text));
      if (length == 0) return assigned;
      text += length;
      if (to && c.bytes == sizeof(float)) *(float *)to = __approximate_sscanf_float();
      else if (to && c.bytes == sizeof(double)) *(double *)to = __approximate_sscanf_double();
      else if (to) *(long double *)to = __approximate_sscanf_long_double();
    } else {
      int width = c.width ? c.width : c.kind == 'c' ? 1 : 0x7fffffff, n = 0;
      for (; n < width && text[n] && fits(&c, text[n]); n++)
        if (to) ((char *)to)[n] = text[n];
      if (n == 0) return assigned;
      text += n;
      if (to && c.kind != 'c') ((char *)to)[n] = 0;
    }
    has_converted = 1;
    if (to) assigned++;
  }
  return assigned;
}

int vscanf(const char *format, va_list list) { return scan_input(format, list); }
int vfscanf(stream_t stream, const char *format, va_list list) { return scan_input(format, list); }
int vsscanf(const char *text, const char *format, va_list list) { return scan_text(text, format, list); }
int __isoc99_vscanf(const char *format, va_list list) { return scan_input(format, list); }
int __isoc99_vfscanf(stream_t stream, const char *format, va_list list) { return scan_input(format, list); }
int __isoc99_vsscanf(const char *text, const char *format, va_list list) { return scan_text(text, format, list); }

int scanf(const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  return scan_input(format, list);
}

int fscanf(stream_t stream, const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  return scan_input(format, list);
}

int sscanf(const char *text, const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  return scan_text(text, format, list);
}

int __isoc99_scanf(const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  return scan_input(format, list);
}

int __isoc99_fscanf(stream_t stream, const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  return scan_input(format, list);
}

int __isoc99_sscanf(const char *text, const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  return scan_text(text, format, list);
}

int __isoc23_scanf(const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  return scan_input(format, list);
}

int __isoc23_fscanf(stream_t stream, const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  return scan_input(format, list);
}

int __isoc23_sscanf(const char *text, const char *format, ...) {
  va_list list;
  __builtin_va_start(list, format);
  return scan_text(text, format, list);
}
