//! Positions and diagnostics.

use grammars::source::{Diagnostic, SourceMap, Span};

const PREPROCESSED: &[u8] = b"# 1 \"main.c\"\nint a;\n# 7 \"/usr/include/h.h\" 1 3 4\nint b;\n\nint c;\n# 3 \"main.c\" 2\nint d;\n#line 90\nint e;\n";

fn find(map: &SourceMap, text: &str) -> Span {
    let file = map.files().next().expect("one file");
    let bytes = map.bytes(file);
    let at = bytes.windows(text.len()).position(|window| window == text.as_bytes()).expect("the text occurs");
    let lo = map.file_span(file).lo + at as u32;
    Span::new(lo, lo + text.len() as u32)
}

#[test]
fn markers_give_the_presumed_position() {
    let mut map = SourceMap::new();
    map.add("main.i", PREPROCESSED).unwrap();
    for (text, expected, is_system) in [
        ("int a", "main.c:1:1", false),
        ("b;", "/usr/include/h.h:7:5", true),
        ("c;", "/usr/include/h.h:9:5", true),
        ("int d", "main.c:3:1", false),
        ("e;", "main.c:90:5", false),
    ] {
        let presumed = map.presumed(find(&map, text)).unwrap();
        assert_eq!((presumed.to_string().as_str(), presumed.is_system), (expected, is_system));
    }
    assert_eq!(map.location(find(&map, "c;")).unwrap().line, 6);
}

#[test]
fn several_files_share_one_range_of_offsets() {
    let mut map = SourceMap::new();
    let one = map.add("one.c", *b"int x;").unwrap();
    let two = map.add("two.c", *b"").unwrap();
    let three = map.add("three.c", *b"a\r\nbc").unwrap();
    for file in [one, two, three] {
        assert_eq!(map.file_of(map.file_span(file)), Some(file));
        assert_eq!(map.file_of(map.file_span(file).end()), Some(file));
    }
    assert_eq!(map.text(map.line_span(three, 1).unwrap()), "a");
    assert_eq!(map.line_text(map.file_span(three).end()).unwrap(), "bc");
    assert_eq!(map.line_count(three), 2);
    assert_eq!((map.file_of(Span::NONE), map.presumed(Span::NONE)), (None, None));
    assert_eq!(map.file_of(Span::new(1000, 1001)), None);
}

#[test]
fn joining_spans() {
    let (a, b) = (Span::new(3, 5), Span::new(8, 9));
    assert_eq!(a.join(b), Span::new(3, 9));
    assert_eq!((a.join(Span::NONE), Span::NONE.join(b)), (a, b));
}

#[test]
fn a_diagnostic_shows_all_its_places() {
    let mut map = SourceMap::new();
    let far = "\n".repeat(50);
    map.add("main.c", format!("int x;\n{far}int y; char x;\n").into_bytes()).unwrap();
    let text = Diagnostic::error(find(&map, "char x"), "`x` is declared again")
        .with_label("here")
        .with_secondary(find(&map, "int y"), "not this")
        .with_secondary(find(&map, "int x"), "it was declared here")
        .with_help("rename it")
        .render(&map);
    for part in [
        "`x` is declared again",
        "main.c:52:8",
        "not this",
        "it was declared here",
        "main.c:1:1",
        "help: rename it",
    ] {
        assert!(text.contains(part), "no {part} in\n{text}");
    }
}

#[test]
fn long_lines_are_cut_and_odd_bytes_replaced() {
    let mut map = SourceMap::new();
    let mut bytes = vec![b'a'; 1_000_000];
    bytes.extend(b"\xff\x07HERE");
    bytes.extend(vec![b'b'; 1_000_000]);
    map.add("long.c", bytes).unwrap();
    let text = Diagnostic::warning(find(&map, "HERE"), "odd").with_label("this").render(&map);
    assert!(
        text.len() < 2_000 && text.contains("\u{fffd}\u{fffd}HERE") && text.contains("long.c:1:1000003"),
        "{text}"
    );
}

#[test]
fn what_has_no_source_still_has_a_message() {
    let map = SourceMap::new();
    assert!(Diagnostic::error(Span::NONE, "there is no `main`").render(&map).contains("there is no `main`"));
}

#[test]
fn miette_gets_the_file_and_the_range() {
    let mut map = SourceMap::new();
    map.add("main.c", *b"\xff int x;").unwrap();
    let (source, span) = map.miette(find(&map, "int")).unwrap();
    assert_eq!(source.name(), "main.c");
    assert_eq!(&source.inner()[span.offset()..span.offset() + span.len()], "int");
}
