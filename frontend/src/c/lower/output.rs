//! Output functions whose result is unused: observable effects.
//!
//! The printed text is irrelevant, so the library source of such a function is skipped, including
//! its loops over digits. But the function reads its arguments, and where accesses are checked, a
//! read of invalid memory is an error. So a call is skipped if it only reads string literals. If
//! the format is a literal, it determines the reads: only `%s` dereferences its argument (`%p` does
//! not), up to its precision. `strlen` and `strnlen` of the library read these strings, and the
//! rest is skipped. Any other call executes the library source.
//!
//! A null pointer for `%s` is undefined in C, and most libraries print `(null)`: it is an
//! unsupported construct, neither an error nor part of a proof.

use super::calls::Argument;
use super::function::Lowering;
use grammars::source::Span;
use program::ssa::{Callee, InstructionKind, Signedness};
use terms::Term;

/// The memory that an output function reads through its arguments.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Reading {
    /// No memory of the program.
    Nothing,
    /// The target of the argument with this index.
    Argument(usize),
    /// A format string and the arguments after it.
    Format { index: usize, dialect: Dialect },
    /// A format string with a `va_list`.
    List,
}

/// The dialect of format strings.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Dialect {
    C,
    /// Letters after `%p` describe the pointer target.
    Linux,
}

/// The treatment of a call of an output function.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Output {
    /// The reads are done; the rest is irrelevant.
    Skipped,
    /// The library source must be executed.
    Runs,
    /// Unsupported; the block has ended.
    Refused,
}

fn reading(name: &str) -> Reading {
    let c = |index| Reading::Format { index, dialect: Dialect::C };
    match name.strip_prefix("__builtin_").unwrap_or(name) {
        "putchar" | "putc" | "fputc" | "putchar_unlocked" | "putc_unlocked" | "_IO_putc" | "fflush" => {
            Reading::Nothing
        }
        "setlocale" => Reading::Argument(1),
        "printf" => c(0),
        "fprintf" | "dprintf" | "__printf_chk" | "syslog" => c(1),
        "__fprintf_chk" => c(2),
        "printk" => Reading::Format { index: 0, dialect: Dialect::Linux },
        "puts" | "fputs" | "fputs_unlocked" | "fwrite" | "perror" | "getenv" | "secure_getenv" | "system" => {
            Reading::Argument(0)
        }
        _ => Reading::List,
    }
}

/// Whether an output function of this name reads memory through its arguments.
pub(super) fn reads_memory(name: &str) -> bool {
    reading(name) != Reading::Nothing
}

/// The use of an argument by a conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Use {
    /// The value.
    Value,
    /// The string that it points to.
    Text(Precision),
}

/// The largest number of characters read from a string.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Precision {
    Unbounded,
    Constant(u64),
    /// The value of the preceding argument.
    Argument,
}

/// The uses of the arguments by a format, in order; `None` if they are unknown, or if the format
/// does more than read.
fn uses(format: &str, dialect: Dialect) -> Option<Vec<Use>> {
    let mut uses = Vec::new();
    let mut rest = format;
    while let Some(start) = rest.find('%') {
        rest = rest[start + 1..].trim_start_matches(['-', '+', ' ', '#', '0', '\'']);
        if let Some(after) = rest.strip_prefix('*') {
            uses.push(Use::Value);
            rest = after;
        } else {
            rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
        }
        let mut precision = Precision::Unbounded;
        if let Some(after) = rest.strip_prefix('.') {
            if let Some(after) = after.strip_prefix('*') {
                uses.push(Use::Value);
                precision = Precision::Argument;
                rest = after;
            } else {
                rest = after.trim_start_matches(|c: char| c.is_ascii_digit());
                let digits = &after[..after.len() - rest.len()];
                precision = Precision::Constant(if digits.is_empty() { 0 } else { digits.parse().ok()? });
            }
        }
        let is_plain = !rest.starts_with(['h', 'l', 'L', 'j', 'z', 't', 'q']);
        rest = rest.trim_start_matches(['h', 'l', 'L', 'j', 'z', 't', 'q']);
        let conversion = rest.chars().next()?;
        rest = &rest[conversion.len_utf8()..];
        match conversion {
            '%' | 'm' => {}
            's' if is_plain => uses.push(Use::Text(precision)),
            'p' if dialect == Dialect::Linux && rest.starts_with(|c: char| c.is_ascii_alphanumeric()) => {
                return None;
            }
            'd' | 'i' | 'u' | 'o' | 'x' | 'X' | 'c' | 'p' | 'e' | 'E' | 'f' | 'F' | 'g' | 'G' | 'a' | 'A' => {
                uses.push(Use::Value);
            }
            _ => return None,
        }
    }
    Some(uses)
}

impl Lowering<'_, '_, '_> {
    /// Lowers a call of an output function whose result is unused, or that has no library source.
    pub(super) fn output(&mut self, name: &str, arguments: &[Argument], span: Span) -> Output {
        if self.slot_bits().is_none() {
            return Output::Skipped;
        }
        let skipped_if = |condition| if condition { Output::Skipped } else { Output::Runs };
        match reading(name) {
            Reading::Nothing => Output::Skipped,
            Reading::Argument(index) => skipped_if(self.literal_argument(arguments, index).is_some()),
            Reading::List => Output::Runs,
            Reading::Format { index, dialect } => {
                let uses = self.literal_argument(arguments, index).and_then(|format| uses(&format, dialect));
                match uses {
                    Some(uses) => skipped_if(self.read_texts(&arguments[index + 1..], &uses, span)),
                    None if dialect == Dialect::Linux => {
                        self.unsupported(format!("{name} with a format that is not fully known"), span);
                        Output::Refused
                    }
                    None => Output::Runs,
                }
            }
        }
    }

    fn literal_argument(&self, arguments: &[Argument], index: usize) -> Option<String> {
        self.string_literal(arguments.get(index)?.expr?)
    }

    /// Reads the strings among the arguments of a format. Returns `false` without any effect if the
    /// arguments do not match.
    fn read_texts(&mut self, arguments: &[Argument], uses: &[Use], span: Span) -> bool {
        if arguments.len() < uses.len() {
            return false;
        }
        let width = self.m.program.machine.pointer_width;
        let mut texts = Vec::new();
        for (index, (argument, &usage)) in arguments.iter().zip(uses).enumerate() {
            let Use::Text(precision) = usage else { continue };
            if argument.expr.is_some_and(|expr| self.string_literal(expr).is_some()) {
                continue;
            }
            if self.m.pool_width(argument.term) != width {
                return false;
            }
            let limit = match precision {
                Precision::Unbounded => None,
                Precision::Constant(limit) => Some(self.m.pool.bv(width, limit)),
                Precision::Argument => {
                    let limit = arguments[index - 1];
                    if self.m.scalar_type(self.hir, limit.ty).is_none() {
                        return false;
                    }
                    // A negative precision counts as omitted; extended, it exceeds every length.
                    Some(self.resize(limit.term, width, Signedness::Signed))
                }
            };
            texts.push((argument.term, limit));
        }
        let Some((library, hir)) = self.m.library.zip(self.m.library_hir()) else { return texts.is_empty() };
        let (Some(unbounded), Some(bounded)) = (hir.function_named("strlen"), hir.function_named("strnlen"))
        else {
            return texts.is_empty();
        };
        for (text, limit) in texts {
            self.refuse_null_text(text, span);
            let (reader, arguments) = match limit {
                None => (unbounded, vec![text]),
                Some(limit) => (bounded, vec![text, limit]),
            };
            let target = self.m.function(library, reader);
            let Some(result) = self.m.program.functions[target].result else { continue };
            self.emit(InstructionKind::Call { callee: Callee::Direct(target), arguments }, result, span);
        }
        true
    }

    fn refuse_null_text(&mut self, text: Term, span: Span) {
        let null = self.m.pool.bv(self.m.pool_width(text), 0);
        let is_null = self.m.pool.eq(text, null);
        if is_null == self.m.pool.fls() {
            return;
        }
        let (refused, next) = (self.b.create_block(), self.b.create_block());
        self.branch(is_null, refused, next, span);
        self.b.seal(refused);
        self.b.switch_to(refused);
        self.unsupported("a null pointer for the conversion %s", span);
        self.b.seal(next);
        self.b.switch_to(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const C: Dialect = Dialect::C;

    #[test]
    fn only_texts_are_read() {
        let uses = uses("%d %5.2f %p%%%c %-8s\n", C);
        let expected =
            [Use::Value, Use::Value, Use::Value, Use::Value, Use::Text(Precision::Unbounded)].to_vec();
        assert_eq!(uses, Some(expected));
    }

    #[test]
    fn a_precision_bounds_what_is_read() {
        let text = |precision| Some(vec![Use::Text(precision)]);
        assert_eq!(uses("%.3s", C), text(Precision::Constant(3)));
        assert_eq!(uses("%.s", C), text(Precision::Constant(0)));
        assert_eq!(uses("%*.*s", C), Some(vec![Use::Value, Use::Value, Use::Text(Precision::Argument)]));
    }

    #[test]
    fn what_stores_or_is_not_known_cannot_be_told() {
        for format in ["%n", "%ls", "%1$s", "%", "%5", "%y", "%.99999999999999999999s"] {
            assert_eq!(uses(format, C), None, "{format}");
        }
    }

    #[test]
    fn linux_reads_through_some_pointers() {
        assert_eq!(uses("%pV", Dialect::Linux), None);
        assert_eq!(uses("%p\n", Dialect::Linux), Some(vec![Use::Value]));
        assert_eq!(uses("%pV", C), Some(vec![Use::Value]));
    }
}
