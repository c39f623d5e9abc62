//! Random types against gcc: sizes, alignments, offsets, the bytes of initialized and modified
//! objects, and the values of expressions over their members, in both data models.
//!
//! A program calls `R` with a sequence of numbers. gcc compiles it without a C library, so that
//! 32-bit programs need none, and the front end lowers it for the interpreter. Both sequences must
//! be equal. `HORNWORK_LAYOUTS=FIRST..END` selects other seeds.

use frontend::c::lower::{Options, lower};
use frontend::c::{sema, types::DataModel};
use frontend::spec::Specification;
use grammars::source::SourceMap;
use program::interp::{
    Answer, Config, ExternalCall, Interpreter, ObjectRequest, Oracle, Outcome, TraceMode, ValueRequest,
};
use std::fmt::Write as _;
use std::ops::Range;
use std::path::PathBuf;
use std::process::Command;
use terms::{TermPool, Value};

/// SplitMix64.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    fn below(&mut self, end: u64) -> u64 {
        self.next() % end
    }

    fn percent(&mut self, chance: u64) -> bool {
        self.below(100) < chance
    }

    fn pick<'a, T: ?Sized>(&mut self, list: &[&'a T]) -> &'a T {
        list[self.below(list.len() as u64) as usize]
    }
}

/// The kinds of scalars, as distinguished by the generator.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Integer,
    Float,
    /// `long double`, whose padding bytes a store may keep or clear.
    LongDouble,
    Pointer,
}

#[derive(Clone)]
enum Type {
    Scalar(Kind, String),
    Array(Box<Type>, u64),
    /// A record, by its index.
    Record(usize),
}

#[derive(Clone)]
struct Member {
    /// Empty for an unnamed bit-field or an anonymous record.
    name: String,
    ty: Type,
    width: Option<u64>,
}

struct Record {
    /// `struct t3` or `union t3`; empty for a record that is only named by its member.
    name: String,
    is_union: bool,
    members: Vec<Member>,
}

/// A scalar within an object.
struct Leaf {
    path: String,
    kind: Kind,
    is_bit_field: bool,
}

/// Integer types with the largest width of a bit-field, which differs for `long`.
const INTEGERS: &[(&str, u64)] = &[
    ("_Bool", 1),
    ("char", 8),
    ("signed char", 8),
    ("unsigned char", 8),
    ("short", 16),
    ("unsigned short", 16),
    ("int", 32),
    ("unsigned", 32),
    ("long", 32),
    ("unsigned long", 32),
    ("long long", 64),
    ("unsigned long long", 64),
    ("enum plain", 32),
    ("enum packed", 8),
    ("enum negative", 32),
];

/// Typedefs with `aligned`, for types that are large enough for the greater alignments.
const ALIGNED: &[&str] =
    &["int_2", "int_16", "short_1", "llong_4", "llong_8", "double_2", "double_16", "char_4"];

const HEAD: &str = "\
enum plain { P0, P1, P2 };
enum __attribute__((packed)) packed { Q0, Q1, Q2 = 3 };
enum negative { N0 = -5, N1 };
typedef int int_2 __attribute__((aligned(2)));
typedef int int_16 __attribute__((aligned(16)));
typedef short short_1 __attribute__((aligned(1)));
typedef long long llong_4 __attribute__((aligned(4)));
typedef long long llong_8 __attribute__((aligned(8)));
typedef double double_2 __attribute__((aligned(2)));
typedef double double_16 __attribute__((aligned(16)));
typedef char char_4 __attribute__((aligned(4)));
";

struct Generator {
    random: Random,
    records: Vec<Record>,
    text: String,
    /// The statements of the program.
    body: String,
    names: u64,
}

impl Generator {
    fn new(seed: u64) -> Self {
        Self {
            random: Random(seed),
            records: Vec::new(),
            text: HEAD.to_owned(),
            body: String::new(),
            names: 0,
        }
    }

    fn name(&mut self, prefix: &str) -> String {
        self.names += 1;
        format!("{prefix}{}", self.names)
    }

    fn scalar(&mut self) -> Type {
        match self.random.below(10) {
            0 => match self.random.pick(&["float", "double", "long double"]) {
                "long double" => Type::Scalar(Kind::LongDouble, "long double".to_owned()),
                name => Type::Scalar(Kind::Float, name.to_owned()),
            },
            1 => Type::Scalar(Kind::Pointer, "char *".to_owned()),
            2 => {
                let name = self.random.pick(ALIGNED);
                let kind = if name.starts_with("double") { Kind::Float } else { Kind::Integer };
                Type::Scalar(kind, name.to_owned())
            }
            _ => {
                let (name, _) = INTEGERS[self.random.below(INTEGERS.len() as u64) as usize];
                Type::Scalar(Kind::Integer, name.to_owned())
            }
        }
    }

    fn ty(&mut self) -> Type {
        match self.random.below(10) {
            0 | 1 if !self.records.is_empty() => {
                let named: Vec<usize> =
                    (0..self.records.len()).filter(|&index| !self.records[index].name.is_empty()).collect();
                match named.is_empty() {
                    true => self.scalar(),
                    false => Type::Record(named[self.random.below(named.len() as u64) as usize]),
                }
            }
            2 => Type::Array(
                Box::new(Type::Scalar(Kind::Integer, "char".to_owned())),
                1 + self.random.below(6),
            ),
            3 => {
                let element = self.ty();
                Type::Array(Box::new(element), 1 + self.random.below(3))
            }
            _ => self.scalar(),
        }
    }

    /// Attributes of a record or a member; may be empty.
    fn attributes(&mut self, chance: u64) -> String {
        let mut text = String::new();
        if self.random.percent(chance) {
            text.push_str(" __attribute__((packed))");
        }
        if self.random.percent(chance) {
            let align = 1 << self.random.below(6);
            let _ = write!(text, " __attribute__((aligned({align})))");
        }
        text
    }

    /// Defines a record; returns its specifier. `depth` is the number of enclosing records.
    fn record(&mut self, depth: u32) -> (usize, String) {
        let is_union = self.random.percent(25);
        let keyword = if is_union { "union" } else { "struct" };
        let tag = if depth == 0 { self.name("t") } else { String::new() };
        let mut text = format!("{keyword}{} {tag} {{", self.attributes(12));
        let mut members = Vec::new();
        for _ in 0..1 + self.random.below(6) {
            let attributes = self.attributes(8);
            if depth < 2 && self.random.percent(8) {
                let (index, inner) = self.record(depth + 1);
                let name = if self.random.percent(50) { self.name("m") } else { String::new() };
                let _ = write!(text, " {inner} {name}{attributes};");
                members.push(Member { name, ty: Type::Record(index), width: None });
                continue;
            }
            if self.random.percent(45) {
                let (name, limit) = INTEGERS[self.random.below(INTEGERS.len() as u64) as usize];
                let ty = Type::Scalar(Kind::Integer, name.to_owned());
                let (field, width) = match self.random.below(8) {
                    0 => (String::new(), self.random.below(limit + 1)),
                    1 => (self.name("b"), limit),
                    _ => (self.name("b"), 1 + self.random.below(limit)),
                };
                // The constants of an enumeration must fit.
                let width = if name.starts_with("enum") && width > 0 { width.max(4) } else { width };
                // See the divergence documented in the layout module.
                let attributes = if width == 64 { "" } else { &attributes };
                let _ = write!(text, " {name} {field} : {width}{attributes};");
                members.push(Member { name: field, ty, width: Some(width) });
                continue;
            }
            let ty = self.ty();
            let name = self.name("m");
            let _ = write!(text, " {}{attributes};", self.declaration(&ty, &name));
            members.push(Member { name, ty, width: None });
        }
        text.push('}');
        let name = if depth == 0 { format!("{keyword} {tag}") } else { String::new() };
        self.records.push(Record { name, is_union, members });
        let mut after = self.attributes(6);
        if depth > 0 {
            after = String::new();
        }
        text.push_str(&after);
        (self.records.len() - 1, text)
    }

    fn declaration(&self, ty: &Type, name: &str) -> String {
        match ty {
            Type::Scalar(_, spelling) => format!("{spelling} {name}"),
            Type::Record(index) => format!("{} {name}", self.records[*index].name),
            Type::Array(element, length) => self.declaration(element, &format!("{name}[{length}]")),
        }
    }

    fn leaves(&self, ty: &Type, path: &str, is_bit_field: bool, into: &mut Vec<Leaf>) {
        match ty {
            Type::Scalar(kind, _) => into.push(Leaf { path: path.to_owned(), kind: *kind, is_bit_field }),
            Type::Array(element, length) => {
                for index in 0..*length {
                    self.leaves(element, &format!("{path}[{index}]"), false, into);
                }
            }
            Type::Record(index) => {
                for member in &self.records[*index].members {
                    if member.name.is_empty() && member.width.is_some() {
                        continue;
                    }
                    let inner = if member.name.is_empty() {
                        path.to_owned()
                    } else {
                        format!("{path}.{}", member.name)
                    };
                    self.leaves(&member.ty, &inner, member.width.is_some(), into);
                }
            }
        }
    }

    /// The leaves that an initializer reaches: for a union those of its first member.
    fn initialized(&self, ty: &Type, path: &str, into: &mut Vec<Leaf>) {
        match ty {
            Type::Record(index) => {
                let record = &self.records[*index];
                let named =
                    record.members.iter().filter(|member| member.width.is_none() || !member.name.is_empty());
                for member in named.take(if record.is_union { 1 } else { usize::MAX }) {
                    let inner = if member.name.is_empty() {
                        path.to_owned()
                    } else {
                        format!("{path}.{}", member.name)
                    };
                    if matches!(member.ty, Type::Scalar(..)) {
                        self.leaves(&member.ty, &inner, member.width.is_some(), into);
                    } else {
                        self.initialized(&member.ty, &inner, into);
                    }
                }
            }
            Type::Array(element, length) => {
                for index in 0..*length {
                    self.initialized(element, &format!("{path}[{index}]"), into);
                }
            }
            Type::Scalar(..) => self.leaves(ty, path, false, into),
        }
    }

    fn number(&mut self) -> String {
        match self.random.below(4) {
            0 => format!("{}", self.random.next() as i32),
            1 => format!("{:#x}", self.random.next() >> 1),
            _ => format!("{}", self.random.below(200) as i64 - 100),
        }
    }

    /// The items of the initializer of a part, without its own braces.
    fn items(&mut self, ty: &Type) -> Vec<String> {
        match ty {
            Type::Scalar(Kind::Integer, _) => vec![self.number()],
            Type::Scalar(Kind::Float | Kind::LongDouble, _) => {
                vec![format!("{}", self.random.below(100) as i64 - 50)]
            }
            Type::Scalar(Kind::Pointer, _) => vec!["0".to_owned()],
            Type::Array(element, length) => {
                if matches!(&**element, Type::Scalar(_, name) if name == "char") && self.random.percent(60) {
                    let text = &"abcdefgh"[..self.random.below(length + 1) as usize];
                    return vec![format!("\"{text}\"")];
                }
                (0..*length).flat_map(|_| self.item(element)).collect()
            }
            Type::Record(index) => {
                let record = &self.records[*index];
                let parts: Vec<Type> = (record.members.iter())
                    .filter(|member| member.width.is_none() || !member.name.is_empty())
                    .map(|member| member.ty.clone())
                    .take(if record.is_union { 1 } else { usize::MAX })
                    .collect();
                parts.iter().flat_map(|part| self.item(part)).collect()
            }
        }
    }

    /// The initializer of a part, with or without braces.
    fn item(&mut self, ty: &Type) -> Vec<String> {
        let items = self.items(ty);
        let is_aggregate = !matches!(ty, Type::Scalar(..));
        // Leading braces belong to the outermost part without its own braces.
        let needs_braces = items.first().is_none_or(|first| first.starts_with('{'));
        if is_aggregate && (needs_braces || self.random.percent(50)) {
            return vec![self.braced(items)];
        }
        if !is_aggregate && self.random.percent(5) {
            return vec![self.braced(items)];
        }
        items
    }

    fn braced(&mut self, mut items: Vec<String>) -> String {
        if items.len() > 1 && self.random.percent(20) {
            let length = self.random.below(items.len() as u64) as usize;
            items.truncate(length.max(1));
        }
        format!("{{ {} }}", items.join(", "))
    }

    fn initializer(&mut self, ty: &Type) -> String {
        let items = self.items(ty);
        self.braced(items)
    }

    fn report(&mut self, expression: &str) {
        let _ = writeln!(self.body, "  R({expression});");
    }

    fn report_leaf(&mut self, leaf: &Leaf) {
        match leaf.kind {
            Kind::Integer => self.report(&leaf.path),
            Kind::Float | Kind::LongDouble => self.report(&format!("{} * 4", leaf.path)),
            Kind::Pointer => self.report(&format!("{} == 0", leaf.path)),
        }
    }

    /// An operation that changes a leaf, and the value of the operation.
    fn change(&mut self, leaf: &Leaf) {
        let path = &leaf.path;
        if leaf.kind != Kind::Integer {
            let value = if leaf.kind == Kind::Float { self.random.below(50) } else { 0 };
            let _ = writeln!(self.body, "  {path} = {value};");
            return self.report_leaf(leaf);
        }
        let (number, small) = (self.number(), self.random.below(40) as i64 - 20);
        let expression = match self.random.below(18) {
            0 => format!("{path} = {number}"),
            1 => format!("{path}++"),
            2 => format!("--{path}"),
            3 => format!("{path} += {number}"),
            4 => format!("({path} = {number}) - {small} < 0"),
            5 => format!("({path}++) - {small} < 0"),
            6 => format!("(0, {path}) - {small}"),
            7 => format!("(zero ? {path} : {path}) - {small}"),
            8 => format!("({path} = {small}) << 3"),
            9 => format!("{path} >> 2"),
            10 => format!("-{path} < 1"),
            11 => format!("~{path}"),
            12 => format!("{path} * {path}"),
            13 => format!("sizeof({path} + 0)"),
            14 => format!("{path} == -1"),
            15 => format!("{path} < 1u"),
            16 => format!("(zero ? {small} : ({path} = {number}))"),
            _ => format!("{path} - {small} > 0ll"),
        };
        self.report(&expression);
        self.report(path);
    }

    fn bytes(&mut self, object: &str) {
        let _ = writeln!(
            self.body,
            "  for (unsigned i = 0; i < sizeof({object}); i++) R(((unsigned char *)&{object})[i]);"
        );
    }

    /// The declarations and statements of a program.
    fn program(mut self) -> (String, String) {
        for _ in 0..3 + self.random.below(3) {
            let pack = self.random.percent(20).then(|| 1 << self.random.below(5));
            if let Some(pack) = pack {
                let _ = writeln!(self.text, "#pragma pack(push, {pack})");
            }
            let (index, text) = self.record(0);
            let _ = writeln!(self.text, "{text};");
            if pack.is_some() {
                self.text.push_str("#pragma pack(pop)\n");
            }
            self.observe(index);
        }
        (self.text, self.body)
    }

    /// Observes all properties of a record.
    fn observe(&mut self, index: usize) {
        let ty = Type::Record(index);
        let name = self.records[index].name.clone();
        self.report(&format!("sizeof({name})"));
        self.report(&format!("_Alignof({name})"));
        self.report(&format!("__alignof__({name})"));
        let (fixed, local, copy, list) = (self.name("g"), self.name("l"), self.name("c"), self.name("a"));
        let initializer = self.initializer(&ty);
        let _ = writeln!(self.text, "static {name} {fixed} = {initializer};");
        let items: Vec<String> = (0..1 + self.random.below(3)).flat_map(|_| self.item(&ty)).collect();
        let _ = writeln!(self.text, "static {name} {list}[] = {{ {} }};", items.join(", "));
        let members = self.records[index].members.clone();
        for member in members.iter().filter(|member| !member.name.is_empty() && member.width.is_none()) {
            self.report(&format!("__builtin_offsetof({name}, {})", member.name));
            self.report(&format!("_Alignof({fixed}.{})", member.name));
        }
        self.bytes(&fixed);
        self.report(&format!("sizeof({list})"));
        self.bytes(&list);
        let (first, second) = (self.initializer(&ty), items.join(", "));
        let _ = writeln!(self.body, "  {name} {local} = {first}; {name} {list}_l[] = {{ {second} }};");
        self.report(&format!("sizeof({list}_l)"));
        let mut leaves = Vec::new();
        self.initialized(&ty, &local, &mut leaves);
        self.initialized(&ty, &format!("{list}_l[0]"), &mut leaves);
        for leaf in &leaves {
            self.report_leaf(leaf);
        }
        let _ = writeln!(self.body, "  {name} {copy} = {local};");
        let mut leaves = Vec::new();
        self.initialized(&ty, &copy, &mut leaves);
        for leaf in &leaves {
            self.report_leaf(leaf);
        }
        let mut leaves = Vec::new();
        self.leaves(&ty, &fixed, false, &mut leaves);
        for _ in 0..12.min(leaves.len() * 2) {
            let all = self.random.percent(40);
            let chosen: Vec<&Leaf> = leaves.iter().filter(|leaf| all || leaf.is_bit_field).collect();
            if chosen.is_empty() {
                continue;
            }
            let leaf = chosen[self.random.below(chosen.len() as u64) as usize];
            if leaf.kind == Kind::LongDouble {
                continue;
            }
            // A union member holds the bytes of another member, so it must be neither a `_Bool` nor
            // a number.
            let value = if leaf.kind == Kind::Integer { self.random.below(2) } else { 0 };
            let _ = writeln!(self.body, "  {} = {value};", leaf.path);
            self.change(leaf);
        }
        self.bytes(&fixed);
    }
}

/// The program for gcc: it writes the numbers to standard output with system calls.
fn for_gcc((declarations, body): &(String, String)) -> String {
    format!(
        "{declarations}
static int zero;
static long long results[1 << 16];
static unsigned count;
static void R(long long number) {{ results[count++] = number; }}
void *memcpy(void *to, const void *from, __SIZE_TYPE__ n) {{
  while (n--) ((volatile char *)to)[n] = ((const char *)from)[n];
  return to;
}}
void *memset(void *to, int byte, __SIZE_TYPE__ n) {{
  while (n--) ((volatile char *)to)[n] = byte;
  return to;
}}
static void run(void) {{
{body}}}
__attribute__((force_align_arg_pointer)) void _start(void) {{
  run();
  unsigned done = 0;
  while (done < count * sizeof *results) {{
    int wrote;
    __asm__ volatile (\"int $0x80\" : \"=a\"(wrote)
      : \"a\"(4), \"b\"(1), \"c\"((char *)results + done), \"d\"((int)(count * sizeof *results - done)) : \"memory\");
    if (wrote <= 0) break;
    done += wrote;
  }}
  __asm__ volatile (\"int $0x80\" :: \"a\"(1), \"b\"(0));
  for (;;) ;
}}
"
    )
}

/// The program for the front end.
fn for_us((declarations, body): &(String, String)) -> String {
    format!(
        "{declarations}
int zero = 0;
int printf(const char *, ...);
static void R(long long number) {{ printf(\"%lld\", number); }}
int main(void) {{
{body}  return 0;
}}
"
    )
}

/// The numbers printed by the program of gcc; `None` if gcc rejects the program or the machine
/// cannot run it.
fn expected(folder: &std::path::Path, text: &str, flag: &str) -> Option<Vec<i64>> {
    let (source, binary) = (folder.join("layout.c"), folder.join("layout"));
    std::fs::write(&source, text).expect("the temporary folder is writable");
    let options = ["-w", "-O0", "-fwrapv", "-nostdlib", "-static", "-fno-pie", "-no-pie", "-fno-builtin"];
    let compiled = Command::new("cc")
        .arg(flag)
        .args(options)
        .args(["-fno-stack-protector", "-fno-asynchronous-unwind-tables"])
        .arg(&source)
        .arg("-o")
        .arg(&binary)
        .output()
        .ok()?;
    if !compiled.status.success() {
        return None;
    }
    let run = Command::new(&binary).output().ok()?;
    if !run.status.success() {
        return None;
    }
    let (numbers, _) = run.stdout.as_chunks::<8>();
    Some(numbers.iter().map(|bytes| i64::from_le_bytes(*bytes)).collect())
}

#[derive(Default)]
struct Printed(Vec<i64>);

impl Oracle for Printed {
    fn value(&mut self, _: &ValueRequest<'_>) -> Answer<Value> {
        Answer::Any
    }
    fn contents(&mut self, _: &ObjectRequest) -> Answer<Vec<(u64, u8)>> {
        Answer::Any
    }
    fn address(&mut self, _: &ObjectRequest) -> Answer<u64> {
        Answer::Any
    }
    fn external_call(&mut self, call: &ExternalCall<'_>) {
        if let ("printf", Some(Value::BitVec(number))) = (call.name, call.arguments.get(1)) {
            self.0.push(number.to_u64().expect("a long long has 64 bits") as i64);
        }
    }
}

/// The numbers printed by our program.
fn found(text: &str, model: DataModel) -> Result<Vec<i64>, String> {
    let mut map = SourceMap::new();
    let file = map.add("layout.c", text.as_bytes()).expect("the program is small");
    let parsed = grammars::c::parse(&map, file);
    let checked = sema::check(&parsed.unit, sema::Options { model });
    if let Some(error) = parsed.diagnostics.iter().chain(&checked.diagnostics).find(|found| found.is_error())
    {
        return Err(format!("{}: {}", map.text(error.primary.span), error.message));
    }
    let mut pool = TermPool::new();
    let (program, _) =
        lower(&mut pool, &checked.program, &Specification::default_for_tool(), &Options::new("main"));
    let violations = program::ssa::check::check(&pool, &program);
    if !violations.is_empty() {
        return Err(format!("{violations:?}"));
    }
    let config = Config { max_steps: 100_000_000, max_memory: 1 << 31, trace: TraceMode::Off };
    let mut printed = Printed::default();
    let run =
        Interpreter::new(&pool, &program, config).expect("the objects fit into memory").run(&mut printed);
    match run.outcome {
        Outcome::Stopped(_) => Ok(printed.0),
        Outcome::Unsupported(unsupported) => Err(program.unsupported[unsupported].construct.clone()),
        outcome => Err(format!("{outcome:?}")),
    }
}

fn seeds(default: Range<u64>) -> Range<u64> {
    let chosen = std::env::var("HORNWORK_LAYOUTS").ok().and_then(|text| {
        let (first, end) = text.split_once("..")?;
        Some(first.parse().ok()?..end.parse().ok()?)
    });
    chosen.unwrap_or(default)
}

#[expect(
    clippy::print_stderr,
    reason = "the reader of the test's output must know that programs were left out"
)]
fn compare(flag: &str, model: DataModel) {
    let folder = Folder::new(flag);
    let (mut compared, mut failures) = (0, Vec::new());
    let seeds = seeds(0..25);
    let count = seeds.end - seeds.start;
    for seed in seeds {
        let program = Generator::new(seed).program();
        let Some(expected) = expected(&folder.0, &for_gcc(&program), flag) else { continue };
        compared += 1;
        let text = for_us(&program);
        let difference = match found(&text, model) {
            Err(reason) => Some(reason),
            Ok(numbers) if numbers == expected => None,
            Ok(numbers) => {
                let first = expected.iter().zip(&numbers).position(|(a, b)| a != b);
                Some(match first {
                    Some(at) => {
                        format!("number {at}: gcc has {}, the interpreter {}", expected[at], numbers[at])
                    }
                    None => format!("gcc has {} numbers, the interpreter {}", expected.len(), numbers.len()),
                })
            }
        };
        if let Some(difference) = difference {
            if let Ok(kept) = std::env::var("HORNWORK_LAYOUTS_KEEP") {
                let path = PathBuf::from(kept).join(format!("{}{seed}.c", flag.trim_start_matches('-')));
                std::fs::write(path, &text).expect("the folder is writable");
            }
            failures.push(format!("seed {seed} ({flag}): {difference}"));
        }
    }
    assert!(failures.is_empty(), "{} of {compared} differ: {failures:#?}", failures.len());
    if compared * 2 < count {
        eprintln!(
            "only {compared} of {count} programs were compared: cc does not make or run {flag} programs"
        );
        assert!(flag == "-m32", "cc refuses too many of the programs");
    }
}

/// A temporary folder.
struct Folder(PathBuf);

impl Folder {
    fn new(flag: &str) -> Self {
        let path = std::env::temp_dir().join(format!("hornwork-layout{flag}-{}", std::process::id()));
        std::fs::create_dir_all(&path).expect("a temporary folder can be made");
        Self(path)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

#[test]
fn random_types_in_lp64() {
    compare("-m64", DataModel::Lp64);
}

#[test]
fn random_types_in_ilp32() {
    compare("-m32", DataModel::Ilp32);
}
