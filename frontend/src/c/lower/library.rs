//! Functions of the C library that programs call but do not define, as C text that our own front end reads.
//!
//! The text is read only if the program calls one of them. Loops go byte by byte: simple, and right for any overlap
//! that the standard allows.

use crate::c::hir::{self, Callee, ExprKind};
use crate::c::sema;
use grammars::source::{SourceMap, Span};

/// The names of the functions in [`TEXT`].
const NAMES: &[&str] = &[
    "memchr", "memcmp", "memcpy", "memmove", "memset", "strcat", "strchr", "strcmp", "strcpy", "strlen",
    "strncat", "strncmp", "strncpy", "strrchr", "strstr", "strnlen", "mempcpy", "stpcpy", "bzero",
];

/// The functions. `unsigned long` has the width of `size_t` in both data models.
const TEXT: &str = r"
typedef unsigned long size_t;
void *memcpy(void *to, const void *from, size_t n) {
  unsigned char *t = to; const unsigned char *f = from;
  for (size_t i = 0; i < n; i++) t[i] = f[i];
  return to;
}
void *mempcpy(void *to, const void *from, size_t n) {
  unsigned char *t = to; const unsigned char *f = from;
  for (size_t i = 0; i < n; i++) t[i] = f[i];
  return t + n;
}
void *memmove(void *to, const void *from, size_t n) {
  unsigned char *t = to; const unsigned char *f = from;
  if (t < f) for (size_t i = 0; i < n; i++) t[i] = f[i];
  else for (size_t i = n; i > 0; i--) t[i - 1] = f[i - 1];
  return to;
}
void *memset(void *to, int c, size_t n) {
  unsigned char *t = to;
  for (size_t i = 0; i < n; i++) t[i] = c;
  return to;
}
void bzero(void *to, size_t n) {
  unsigned char *t = to;
  for (size_t i = 0; i < n; i++) t[i] = 0;
}
int memcmp(const void *a, const void *b, size_t n) {
  const unsigned char *x = a, *y = b;
  for (size_t i = 0; i < n; i++) if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
  return 0;
}
void *memchr(const void *s, int c, size_t n) {
  const unsigned char *x = s;
  for (size_t i = 0; i < n; i++) if (x[i] == (unsigned char)c) return (void *)(x + i);
  return 0;
}
size_t strlen(const char *s) {
  size_t n = 0;
  while (s[n]) n++;
  return n;
}
size_t strnlen(const char *s, size_t limit) {
  size_t n = 0;
  while (n < limit && s[n]) n++;
  return n;
}
char *strcpy(char *to, const char *from) {
  size_t i = 0;
  do { to[i] = from[i]; } while (from[i++]);
  return to;
}
char *stpcpy(char *to, const char *from) {
  size_t i = 0;
  while (to[i] = from[i]) i++;
  return to + i;
}
char *strncpy(char *to, const char *from, size_t n) {
  size_t i = 0;
  for (; i < n && from[i]; i++) to[i] = from[i];
  for (; i < n; i++) to[i] = 0;
  return to;
}
char *strcat(char *to, const char *from) {
  size_t n = 0, i = 0;
  while (to[n]) n++;
  do { to[n + i] = from[i]; } while (from[i++]);
  return to;
}
char *strncat(char *to, const char *from, size_t limit) {
  size_t n = 0, i = 0;
  while (to[n]) n++;
  for (; i < limit && from[i]; i++) to[n + i] = from[i];
  to[n + i] = 0;
  return to;
}
int strcmp(const char *a, const char *b) {
  const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
  size_t i = 0;
  while (x[i] && x[i] == y[i]) i++;
  return x[i] == y[i] ? 0 : x[i] < y[i] ? -1 : 1;
}
int strncmp(const char *a, const char *b, size_t n) {
  const unsigned char *x = (const unsigned char *)a, *y = (const unsigned char *)b;
  size_t i = 0;
  for (; i < n; i++) {
    if (x[i] != y[i]) return x[i] < y[i] ? -1 : 1;
    if (!x[i]) return 0;
  }
  return 0;
}
char *strchr(const char *s, int c) {
  for (size_t i = 0;; i++) {
    if (s[i] == (char)c) return (char *)(s + i);
    if (!s[i]) return 0;
  }
}
char *strrchr(const char *s, int c) {
  char *found = 0;
  for (size_t i = 0;; i++) {
    if (s[i] == (char)c) found = (char *)(s + i);
    if (!s[i]) return found;
  }
}
char *strstr(const char *s, const char *t) {
  for (size_t i = 0;; i++) {
    size_t k = 0;
    while (t[k] && s[i + k] == t[k]) k++;
    if (!t[k]) return (char *)(s + i);
    if (!s[i]) return 0;
  }
}
";

/// Whether the library has a body for this name.
pub(super) fn is_defined(name: &str) -> bool {
    NAMES.contains(&name)
}

/// The library, if the program calls a function that only it defines.
pub(super) fn parse_if_needed(hir: &hir::Program) -> Option<hir::Program> {
    let is_needed = hir.exprs.values().any(|expr| {
        let (ExprKind::Call { callee: Callee::Direct(id), .. } | ExprKind::FunctionAddress(id)) = expr.kind
        else {
            return false;
        };
        let function = &hir[id];
        function.body.is_none() && is_defined(hir.name(function.name))
    });
    is_needed.then(|| parse(hir))
}

/// Parses and checks the library for the data model of the program.
fn parse(hir: &hir::Program) -> hir::Program {
    let mut map = SourceMap::new();
    let file = map.add("<library>", TEXT.as_bytes().to_vec()).expect("the library is short");
    let parsed = grammars::c::parse(&map, file);
    debug_assert!(parsed.diagnostics.is_empty(), "the library parses: {:?}", parsed.diagnostics);
    let checked = sema::check(&parsed.unit, sema::Options { model: hir.types.model });
    debug_assert!(!checked.has_errors(), "the library is well typed: {:?}", checked.diagnostics);
    let mut program = checked.program;
    // Its positions would be taken for positions in the program's files.
    forget_spans(&mut program);
    program
}

fn forget_spans(program: &mut hir::Program) {
    program.globals.values_mut().for_each(|node| node.span = Span::NONE);
    program.functions.values_mut().for_each(|node| {
        node.span = Span::NONE;
        if let Some(body) = &mut node.body {
            body.end = Span::NONE;
        }
    });
    program.locals.values_mut().for_each(|node| node.span = Span::NONE);
    program.labels.values_mut().for_each(|node| node.span = Span::NONE);
    program.exprs.values_mut().for_each(|node| node.span = Span::NONE);
    program.places.values_mut().for_each(|node| node.span = Span::NONE);
    program.stmts.values_mut().for_each(|node| node.span = Span::NONE);
    program.inits.values_mut().for_each(|node| node.span = Span::NONE);
}
