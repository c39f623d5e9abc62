//! Maps names to the headers that declare them: hints for undeclared names.

/// Headers, with those of their names that programs use without including the header.
const HEADERS: &[(&str, &[&str])] = &[
    ("stddef.h", &["NULL", "size_t", "ptrdiff_t", "wchar_t", "offsetof", "max_align_t"]),
    (
        "stdint.h",
        &[
            "int8_t",
            "int16_t",
            "int32_t",
            "int64_t",
            "uint8_t",
            "uint16_t",
            "uint32_t",
            "uint64_t",
            "intptr_t",
            "uintptr_t",
            "intmax_t",
            "uintmax_t",
            "INT8_MAX",
            "INT16_MAX",
            "INT32_MAX",
            "INT32_MIN",
            "INT64_MAX",
            "INT64_MIN",
            "UINT8_MAX",
            "UINT16_MAX",
            "UINT32_MAX",
            "UINT64_MAX",
            "SIZE_MAX",
        ],
    ),
    ("stdbool.h", &["bool", "true", "false"]),
    (
        "limits.h",
        &[
            "CHAR_BIT",
            "CHAR_MAX",
            "CHAR_MIN",
            "SCHAR_MAX",
            "SCHAR_MIN",
            "UCHAR_MAX",
            "SHRT_MAX",
            "SHRT_MIN",
            "USHRT_MAX",
            "INT_MAX",
            "INT_MIN",
            "UINT_MAX",
            "LONG_MAX",
            "LONG_MIN",
            "ULONG_MAX",
            "LLONG_MAX",
            "LLONG_MIN",
            "ULLONG_MAX",
        ],
    ),
    ("stdio.h", &["FILE", "EOF", "stdin", "stdout", "stderr", "BUFSIZ"]),
    ("stdlib.h", &["EXIT_SUCCESS", "EXIT_FAILURE", "RAND_MAX", "div_t", "ldiv_t"]),
    ("stdarg.h", &["va_list", "va_start", "va_end", "va_arg"]),
    ("errno.h", &["errno", "EINVAL", "ENOMEM", "ERANGE"]),
    ("float.h", &["DBL_MAX", "DBL_MIN", "DBL_EPSILON", "FLT_MAX", "FLT_MIN", "FLT_EPSILON"]),
    ("math.h", &["M_PI", "M_E", "INFINITY", "NAN", "HUGE_VAL"]),
    ("time.h", &["time_t", "clock_t", "CLOCKS_PER_SEC"]),
    ("pthread.h", &["pthread_t", "pthread_mutex_t", "pthread_cond_t"]),
];

/// Keywords of C++ that begin declarations and are not keywords of C.
const OTHER_LANGUAGE: &[&str] =
    &["class", "template", "namespace", "using", "public", "private", "virtual", "constexpr"];

/// A suggestion for an undeclared name, if the name permits one.
#[must_use]
pub fn hint(name: &str) -> Option<String> {
    if OTHER_LANGUAGE.contains(&name) {
        return Some("this is a C++ keyword; only C is supported".to_owned());
    }
    let (header, _) = HEADERS.iter().find(|(_, names)| names.contains(&name))?;
    Some(format!("it is declared in <{header}>: add `#include <{header}>`"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn names_of_the_library_are_known_by_their_header() {
        assert_eq!(
            super::hint("uint8_t").as_deref(),
            Some("it is declared in <stdint.h>: add `#include <stdint.h>`")
        );
        assert_eq!(super::hint("class").as_deref(), Some("this is a C++ keyword; only C is supported"));
        assert_eq!(super::hint("x"), None);
    }
}
