// <stdio.h>.
//
// Output is discarded. The text of a number, a character, a string or a pointer is exact; that of a
// floating value is any text. Output may fail, according to its result.
//
// Characters, values and ends of files that are read are arbitrary inputs. Repeated reads, reads of
// written data, and reads from several files are over-approximated, because they are unrelated.

typedef void *stream_t;

enum { END = -1 };

static _Bool had_end;
static _Bool is_reread;
static unsigned opened;

void __unsupported_more_streams(void);
_Bool __input_output_error(void);
_Bool __input_open_error(void);
_Bool __input_close_error(void);
_Bool __input_read_error(void);
int __approximate_input(void);
int __approximate_stream_state(void);


struct output {
  char *to;
  // The part that fits, with the null character at the end.
  size_t size;
  // The number of characters, including those that do not fit.
  size_t length;
};

struct specification {
  _Bool is_left, has_plus, has_space, is_alternative, is_zero_padded, has_precision;
  int width, precision;
};

static void put(struct output *output, char c) {
  if (output->length + 1 < output->size) output->to[output->length] = c;
  output->length++;
}

static void pad(struct output *output, char c, int count) {
  for (int i = 0; i < count; i++) put(output, c);
}

// A text padded with spaces to the width.
static void put_text(struct output *output, const char *text, int length, int width, _Bool is_left) {
  if (!is_left) pad(output, ' ', width - length);
  for (int i = 0; i < length; i++) put(output, text[i]);
  if (is_left) pad(output, ' ', width - length);
}

static void put_number(struct output *output, struct specification *s, unsigned long long magnitude, char sign, const char *prefix,
                       unsigned base, const char *digits) {
  char reversed[24];
  int count = 0, prefix_length = 0;
  while (magnitude) {
    reversed[count++] = digits[magnitude % base];
    magnitude /= base;
  }
  int precision = s->has_precision ? s->precision : 1;
  if (base == 8 && s->is_alternative && precision <= count) precision = count + (count == 0 || reversed[count - 1] != '0');
  while (prefix[prefix_length]) prefix_length++;
  int zeros = precision > count ? precision - count : 0;
  int length = (sign != 0) + prefix_length + zeros + count;
  if (s->is_zero_padded && !s->is_left && !s->has_precision && length < s->width) {
    zeros += s->width - length;
    length = s->width;
  }
  if (!s->is_left) pad(output, ' ', s->width - length);
  if (sign) put(output, sign);
  for (int i = 0; i < prefix_length; i++) put(output, prefix[i]);
  pad(output, '0', zeros);
  while (count > 0) put(output, reversed[--count]);
  if (s->is_left) pad(output, ' ', s->width - length);
}

char __approximate_text_of_a_floating_value(void);
unsigned long __approximate_number_of_an_address(void);
size_t __approximate_length_of_a_floating_value(void);

static void put_floating(struct output *output) {
  size_t length = __approximate_length_of_a_floating_value();
  __VERIFIER_assume(length > 0 && length < 0x40000000);
  for (size_t i = 0; i < length && output->length + i + 1 < output->size; i++) {
    char c = __approximate_text_of_a_floating_value();
    __VERIFIER_assume(c != 0);
    output->to[output->length + i] = c;
  }
  output->length += length;
}

void __unsupported_conversion_of_printf(void);
void __unsupported_null_pointer_for_a_conversion_of_printf(void);

static int format(struct output *output, const char *format, va_list list) {
  const char *lower = "0123456789abcdef", *upper = "0123456789ABCDEF";
  for (; *format; format++) {
    if (*format != '%') {
      put(output, *format);
      continue;
    }
    struct specification s = {0};
    for (format++;; format++) {
      if (*format == '-') s.is_left = 1;
      else if (*format == '+') s.has_plus = 1;
      else if (*format == ' ') s.has_space = 1;
      else if (*format == '#') s.is_alternative = 1;
      else if (*format == '0') s.is_zero_padded = 1;
      else break;
    }
    if (*format == '*') {
      s.width = __builtin_va_arg(list, int);
      if (s.width < 0) {
        s.is_left = 1;
        s.width = -s.width;
      }
      format++;
    } else {
      for (; *format >= '0' && *format <= '9'; format++) s.width = 10 * s.width + (*format - '0');
    }
    if (*format == '.') {
      format++;
      s.has_precision = 1;
      if (*format == '*') {
        s.precision = __builtin_va_arg(list, int);
        if (s.precision < 0) s.has_precision = 0;
        format++;
      } else {
        for (; *format >= '0' && *format <= '9'; format++) s.precision = 10 * s.precision + (*format - '0');
      }
    }
    int bytes = sizeof(int);
    _Bool is_long_double = 0;
    for (;; format++) {
      if (*format == 'h') bytes = bytes == sizeof(short) ? sizeof(char) : sizeof(short);
      else if (*format == 'l') bytes = bytes == sizeof(int) ? sizeof(long) : sizeof(long long);
      else if (*format == 'j' || *format == 'q') bytes = sizeof(long long);
      else if (*format == 'z' || *format == 't') bytes = sizeof(long);
      else if (*format == 'L') is_long_double = 1;
      else break;
      // If `int` and `long` have one size, the second `l` counts.
      if (*format == 'l' && sizeof(int) == sizeof(long) && format[1] == 'l') {
        bytes = sizeof(long long);
        format++;
      }
    }
    char conversion = *format;
    if (conversion == '%') {
      put(output, '%');
    } else if (conversion == 'd' || conversion == 'i') {
      long long number = bytes == sizeof(long long) ? __builtin_va_arg(list, long long)
                         : bytes == sizeof(long)    ? __builtin_va_arg(list, long)
                                                    : __builtin_va_arg(list, int);
      if (bytes == sizeof(short)) number = (short)number;
      if (bytes == sizeof(char)) number = (signed char)number;
      char sign = number < 0 ? '-' : s.has_plus ? '+' : s.has_space ? ' ' : 0;
      put_number(output, &s, number < 0 ? -(unsigned long long)number : number, sign, "", 10, lower);
    } else if (conversion == 'u' || conversion == 'o' || conversion == 'x' || conversion == 'X') {
      unsigned long long number = bytes == sizeof(long long) ? __builtin_va_arg(list, unsigned long long)
                                  : bytes == sizeof(long)    ? __builtin_va_arg(list, unsigned long)
                                                             : __builtin_va_arg(list, unsigned);
      if (bytes == sizeof(short)) number = (unsigned short)number;
      if (bytes == sizeof(char)) number = (unsigned char)number;
      const char *prefix = "";
      if (s.is_alternative && number && conversion == 'x') prefix = "0x";
      if (s.is_alternative && number && conversion == 'X') prefix = "0X";
      unsigned base = conversion == 'u' ? 10 : conversion == 'o' ? 8 : 16;
      put_number(output, &s, number, 0, prefix, base, conversion == 'X' ? upper : lower);
    } else if (conversion == 'c' && bytes == sizeof(int)) {
      char c = __builtin_va_arg(list, int);
      put_text(output, &c, 1, s.width, s.is_left);
    } else if (conversion == 's' && bytes == sizeof(int)) {
      const char *text = __builtin_va_arg(list, const char *);
      // Undefined in C.
      if (!text && __are_accesses_checked()) __unsupported_null_pointer_for_a_conversion_of_printf();
      if (!text) text = !s.has_precision || s.precision >= 6 ? "(null)" : "";
      int length = s.has_precision ? strnlen(text, s.precision) : strlen(text);
      put_text(output, text, length, s.width, s.is_left);
    } else if (conversion == 'p') {
      const void *pointer = __builtin_va_arg(list, const void *);
      // The printed number is arbitrary, so it does not identify the object.
      if (pointer) put_number(output, &s, __approximate_number_of_an_address(), 0, "0x", 16, lower);
      else put_text(output, "(nil)", 5, s.width, s.is_left);
    } else if (conversion == 'n') {
      void *to = __builtin_va_arg(list, void *);
      if (bytes == sizeof(long long)) *(long long *)to = output->length;
      else if (bytes == sizeof(long)) *(long *)to = output->length;
      else if (bytes == sizeof(short)) *(short *)to = output->length;
      else if (bytes == sizeof(char)) *(signed char *)to = output->length;
      else *(int *)to = output->length;
    } else if (is_among(conversion, "eEfFgGaA")) {
      if (is_long_double) __builtin_va_arg(list, long double);
      else __builtin_va_arg(list, double);
      put_floating(output);
    } else {
      __unsupported_conversion_of_printf();
    }
  }
  if (output->size > 0) output->to[output->length < output->size ? output->length : output->size - 1] = 0;
  return output->length;
}

int vsnprintf(char *to, size_t size, const char *text, va_list list) {
  struct output output = {to, size, 0};
  return format(&output, text, list);
}

int vsprintf(char *to, const char *text, va_list list) {
  return vsnprintf(to, ~0ul, text, list);
}

int snprintf(char *to, size_t size, const char *text, ...) {
  va_list list;
  __builtin_va_start(list, text);
  return vsnprintf(to, size, text, list);
}

int sprintf(char *to, const char *text, ...) {
  va_list list;
  __builtin_va_start(list, text);
  return vsnprintf(to, ~0ul, text, list);
}

int vasprintf(char **to, const char *text, va_list list) {
  va_list copy;
  __builtin_va_copy(copy, list);
  size_t size = (size_t)vsnprintf(0, 0, text, copy) + 1;
  char *memory = malloc(size);
  if (!memory) return -1;
  *to = memory;
  return vsnprintf(memory, size, text, list);
}

int asprintf(char **to, const char *text, ...) {
  va_list list;
  __builtin_va_start(list, text);
  return vasprintf(to, text, list);
}

int __vsnprintf_chk(char *to, size_t size, int flag, size_t object, const char *text, va_list list) {
  check(size <= object);
  return vsnprintf(to, size, text, list);
}

int __vsprintf_chk(char *to, int flag, size_t object, const char *text, va_list list) {
  int length = vsnprintf(to, object, text, list);
  check(length < object);
  return length;
}

int __snprintf_chk(char *to, size_t size, int flag, size_t object, const char *text, ...) {
  va_list list;
  __builtin_va_start(list, text);
  return __vsnprintf_chk(to, size, flag, object, text, list);
}

int __sprintf_chk(char *to, int flag, size_t object, const char *text, ...) {
  va_list list;
  __builtin_va_start(list, text);
  return __vsprintf_chk(to, flag, object, text, list);
}

// The number of characters written, or failure.
int vprintf(const char *text, va_list list) {
  int length = vsnprintf(0, 0, text, list);
  return __input_output_error() ? -1 : length;
}

int vfprintf(stream_t stream, const char *text, va_list list) { return vprintf(text, list); }
int vdprintf(int file, const char *text, va_list list) { return vprintf(text, list); }
int __vprintf_chk(int flag, const char *text, va_list list) { return vprintf(text, list); }
int __vfprintf_chk(stream_t stream, int flag, const char *text, va_list list) { return vprintf(text, list); }

int printf(const char *text, ...) {
  va_list list;
  __builtin_va_start(list, text);
  return vprintf(text, list);
}

int fprintf(stream_t stream, const char *text, ...) {
  va_list list;
  __builtin_va_start(list, text);
  return vprintf(text, list);
}

int dprintf(int file, const char *text, ...) {
  va_list list;
  __builtin_va_start(list, text);
  return vprintf(text, list);
}

int __printf_chk(int flag, const char *text, ...) {
  va_list list;
  __builtin_va_start(list, text);
  return vprintf(text, list);
}

int __fprintf_chk(stream_t stream, int flag, const char *text, ...) {
  va_list list;
  __builtin_va_start(list, text);
  return vprintf(text, list);
}

// The length of a driver's message is not used.
int __input_printk(void);

int printk(const char *text, ...) {
  if (!__are_accesses_checked()) return __input_printk();
  va_list list;
  __builtin_va_start(list, text);
  return vprintf(text, list);
}

void syslog(int priority, const char *text, ...) {
  if (!__are_accesses_checked()) return;
  va_list list;
  __builtin_va_start(list, text);
  vprintf(text, list);
}


static int written(int result) { return __input_output_error() ? END : result; }

int putchar(int c) { return written((unsigned char)c); }
int putc(int c, stream_t stream) { return written((unsigned char)c); }
int fputc(int c, stream_t stream) { return written((unsigned char)c); }
int putchar_unlocked(int c) { return written((unsigned char)c); }
int putc_unlocked(int c, stream_t stream) { return written((unsigned char)c); }
int _IO_putc(int c, stream_t stream) { return written((unsigned char)c); }
int puts(const char *text) { return written((int)strlen(text) + 1); }

int fputs(const char *text, stream_t stream) {
  read_text(text);
  return written(1);
}

int fputs_unlocked(const char *text, stream_t stream) { return fputs(text, stream); }
int fflush(stream_t stream) { return written(0); }

void perror(const char *text) {
  if (text) read_text(text);
}

size_t __input_fwrite(void);

size_t fwrite(const void *from, size_t size, size_t count, stream_t stream) {
  if (size == 0 || count == 0) return 0;
  read_block(from, count > ~0ul / size ? ~0ul : size * count);
  size_t done = __input_fwrite();
  __VERIFIER_assume(done <= count);
  return done;
}


// Only the address of a stream is used.
static char streams[16];

static stream_t open_stream(void) {
  if (__input_open_error()) {
    fail();
    return 0;
  }
  if (opened == sizeof streams) __unsupported_more_streams();
  if (opened > 0) is_reread = 1;
  return &streams[opened++];
}

stream_t fopen(const char *name, const char *mode) {
  read_text(name);
  read_text(mode);
  return open_stream();
}

stream_t fopen64(const char *name, const char *mode) { return fopen(name, mode); }

stream_t fdopen(int file, const char *mode) {
  read_text(mode);
  return open_stream();
}

stream_t freopen(const char *name, const char *mode, stream_t stream) {
  if (name) read_text(name);
  read_text(mode);
  return open_stream();
}

stream_t tmpfile(void) { return open_stream(); }
stream_t popen(const char *command, const char *mode) { return fopen(command, mode); }

static int closed(void) {
  if (!__input_close_error()) return 0;
  fail();
  return END;
}

int fclose(stream_t stream) { return closed(); }
int pclose(stream_t stream) { return __approximate_stream_state(); }

int remove(const char *name) {
  read_text(name);
  return closed();
}

int rename(const char *from, const char *to) {
  read_text(from);
  read_text(to);
  return closed();
}

// The stream owns the buffer until it is closed.
void __unsupported_buffer_of_a_stream(void);

void setbuf(stream_t stream, char *buffer) {
  if (buffer && __are_accesses_checked()) __unsupported_buffer_of_a_stream();
}

int setvbuf(stream_t stream, char *buffer, int mode, size_t size) {
  setbuf(stream, buffer);
  return __approximate_stream_state();
}

int fileno(stream_t stream) { return __approximate_stream_state(); }
int ferror(stream_t stream) { return __approximate_stream_state(); }
int feof(stream_t stream) { return had_end ? __approximate_stream_state() : 0; }
void clearerr(stream_t stream) { is_reread = 1; }

int fseek(stream_t stream, long offset, int origin) {
  is_reread = 1;
  return closed();
}

void rewind(stream_t stream) { is_reread = 1; }

long ftell(stream_t stream) {
  long position = __approximate_stream_state();
  __VERIFIER_assume(position >= -1);
  return position;
}

int ungetc(int c, stream_t stream) {
  is_reread = 1;
  return c == END ? END : (unsigned char)c;
}


// A character or the end of the file, given by `input`.
static int character(int input) {
  if (is_reread) input = __approximate_input();
  __VERIFIER_assume(input >= END && input <= 255);
  if (input == END) had_end = 1;
  return input;
}

int __input_getchar(void);
int __input_fgetc(void);
int __input_fgets(void);
int __input_gets(void);
int __input_getline(void);

int getchar(void) { return character(__input_getchar()); }
int getchar_unlocked(void) { return character(__input_getchar()); }
int fgetc(stream_t stream) { return character(__input_fgetc()); }
int getc(stream_t stream) { return character(__input_fgetc()); }
int getc_unlocked(stream_t stream) { return character(__input_fgetc()); }
int _IO_getc(stream_t stream) { return character(__input_fgetc()); }

char *fgets(char *to, int size, stream_t stream) {
  if (size <= 0) return 0;
  int n = 0;
  while (n < size - 1) {
    int c = character(__input_fgets());
    if (c == END && (n == 0 || __input_read_error())) return 0;
    if (c == END) break;
    to[n++] = c;
    if (c == '\n') break;
  }
  to[n] = 0;
  return to;
}

char *__fgets_chk(char *to, size_t object, int size, stream_t stream) {
  check(size <= 0 || size <= object);
  return fgets(to, size, stream);
}

char *gets(char *to) {
  size_t n = 0;
  for (;; n++) {
    int c = character(__input_gets());
    if (c == END && (n == 0 || __input_read_error())) return 0;
    if (c == END || c == '\n') break;
    to[n] = c;
  }
  to[n] = 0;
  return to;
}

ssize_t getdelim(char **line, size_t *size, int end, stream_t stream) {
  size_t n = 0;
  if (!*line) *size = 0;
  for (;;) {
    int c = character(__input_getline());
    if (c == END && (n == 0 || __input_read_error())) return -1;
    if (n + 2 > *size) {
      size_t larger = 2 * *size < 120 ? 120 : 2 * *size;
      char *memory = realloc(*line, larger);
      if (!memory) return -1;
      *line = memory;
      *size = larger;
    }
    if (c == END) break;
    (*line)[n++] = c;
    if (c == end) break;
  }
  (*line)[n] = 0;
  return n;
}

ssize_t getline(char **line, size_t *size, stream_t stream) { return getdelim(line, size, '\n', stream); }

unsigned char __input_fread(void);
size_t __input_fread_count(void);

size_t fread(void *to, size_t size, size_t count, stream_t stream) {
  if (size == 0 || count == 0) return 0;
  unsigned char *t = to;
  size_t total = size * count, done = __input_fread_count();
  __VERIFIER_assume(done <= total);
  for (size_t i = 0; i < total && i < done; i++) t[i] = is_reread ? __approximate_input() : __input_fread();
  if (done < total) had_end = 1;
  return done / size;
}
