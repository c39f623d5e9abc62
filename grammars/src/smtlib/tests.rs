//! Reading of commands.

use super::token::Word;
use super::{CommandKind, List, Node, NodeKind, Reader, Tree};
use crate::source::SourceMap;

/// The commands of a text by their kind, errors as `line:column: message`.
fn read(bytes: &[u8]) -> Vec<Result<CommandKind, String>> {
    let mut map = SourceMap::new();
    let file = map.add("a.smt2", bytes.to_vec()).unwrap();
    Reader::new(&map, file)
        .map(|command| {
            command.map(|command| command.kind).map_err(|error| {
                let at = map.location(error.primary.span).expect("an error has a location");
                format!("{}:{}: {}", at.line, at.column, error.message)
            })
        })
        .collect()
}

fn errors(text: &str) -> Vec<String> {
    read(text.as_bytes()).into_iter().filter_map(Result::err).collect()
}

#[test]
fn all_commands_are_read() {
    let text = "
        (set-logic QF_LIA) (set-option :print-success false) (set-info :source |a
        b|) (set-info :x) (set-info :y (a :b \"c\" (1 2.0 #x3 #b0) let _)) (declare-sort S 0) (declare-sort T)
        (define-sort A (X Y) (Array X (Array Y (_ BitVec 3)))) (declare-const c Int) (declare-fun f (Int (_ BitVec 3)) Bool)
        (define-const d Int 3) (define-fun g ((x Int) (y Bool)) Int (ite y x 1)) (assert true) (check-sat)
        (check-sat-assuming (a (not b))) (check-sat-assuming ()) (push 1) (push) (pop 1) (pop) (get-model)
        (get-value (a (f 1 #b000))) (get-assertions) (get-assignment) (get-unsat-core) (get-unsat-assumptions)
        (get-interpolants A (and B C) (D (E) F) G) (get-proof) (get-info :version) (get-option :x) (echo \"a \"\"b\"\" c\")
        (declare-datatypes ((L 0)) (((nil)))) (declare-datatype L ((nil))) (define-fun-rec f () Int f)
        (define-funs-rec ((f () Int)) (f)) (minimize x) (reset) (reset-assertions) (exit)";
    let commands = read(text.as_bytes());
    assert!(commands.iter().all(Result::is_ok), "{commands:?}");
    assert_eq!(commands.len(), 39);
    assert!(matches!(commands[32], Ok(CommandKind::DeclareDatatype { .. })), "{:?}", commands[32]);
}

#[test]
fn all_terms_are_read() {
    let text = "(assert (let ((x 1) (y 2.5)) (forall ((z Int) (w (_ BitVec 8))) (exists ((v S)) (! (f x \"s\" #xAb #b01
        (as c S) ((as const (Array Int Int)) 0) ((_ extract 3 1) w) (_ bv3 8) (_ +oo 8 24) |a b| push) :named n
        :pattern ((f x) (g y)) :weight 3 :flag)))))";
    assert!(read(text.as_bytes())[0].is_ok());
}

#[test]
fn bars_and_doubled_quotes_are_no_part_of_a_name() {
    let mut map = SourceMap::new();
    let file = map.add("a.smt2", *b"(assert (|x| x \"a\"\"b\" || |let|))").unwrap();
    let mut reader = Reader::new(&map, file);
    let command = reader.next().unwrap().unwrap();
    let CommandKind::Assert(term) = command.kind else { panic!("{command:?}") };
    let NodeKind::Apply { head, arguments } = command.tree.kind(term) else { panic!("{command:?}") };
    let text = |node| match command.tree.kind(node) {
        NodeKind::Symbol(name) | NodeKind::String(name) => reader.names().text(name),
        kind => panic!("{kind:?}"),
    };
    assert_eq!(text(head), "x");
    let arguments: Vec<&str> = command.tree.list(arguments).iter().map(|&node| text(node)).collect();
    assert_eq!(arguments, ["x", "a\"b", "", "let"]);
}

#[test]
fn an_error_is_where_it_belongs_and_reading_goes_on() {
    let cases = [
        ("(assert (and a b)", "1:1: this parenthesis is never closed"),
        ("(assert (and a (or b c)", "1:9: this parenthesis is never closed"),
        ("(assert (and a b)\n(check-sat)", "2:1: a `check-sat` command inside of a command"),
        ("(assert (and a b\n(assert c)\n(check-sat)", "2:2: a `assert` command inside of a command"),
        ("(check-sat))", "1:12: unmatched closing parenthesis"),
        ("(assert a b)", "1:11: unexpected symbol `b`"),
        ("(assert)", "1:8: unexpected `)`"),
        ("()", "1:1: this command is empty"),
        ("(declare-fun f Int)", "1:16: unexpected symbol `Int`"),
        ("(declare-const let Int)", "1:16: unexpected reserved word `let`"),
        ("(assert ((f x) y))", "1:11: unexpected symbol `f`"),
        ("assert", "1:1: unexpected reserved word `assert`"),
        ("(assert 1x)", "1:9: `1x` is neither a number nor a symbol"),
        ("(assert #b2)", "1:9: `#b2` is neither a number nor a symbol"),
        ("(assert |a\\b|)", "1:9: this quoted symbol has no closing bar"),
        ("(assert (= \"a", "1:12: this string has no closing quote"),
        ("(assert [a])", "1:9: invalid character `[`"),
        ("(assert ())", "1:10: unexpected `)`"),
        ("(get-value ())", "1:13: unexpected `)`"),
        ("(push -1)", "1:7: unexpected symbol `-1`"),
    ];
    for (text, expected) in cases {
        assert_eq!(errors(text)[0], expected, "{text}");
        let continued = format!("{text}\n(set-logic ALL)");
        let is_open = text.ends_with('a') || text.contains('\\');
        let reads_on = matches!(read(continued.as_bytes()).last(), Some(Ok(CommandKind::SetLogic(_))));
        assert_eq!(reads_on, !is_open, "{text}");
    }
}

#[test]
fn comments_may_hold_any_bytes_but_names_are_utf_8() {
    assert!(read(b"; caf\xe9 ( |\n(check-sat) ; \xff").iter().all(Result::is_ok));
    let error = |text: &[u8]| read(text)[0].clone().unwrap_err();
    assert_eq!(error(b"(assert |a\xe9|)"), "1:11: this is not UTF-8 text");
    assert_eq!(error(b"(echo \"a\xe9\")"), "1:9: this is not UTF-8 text");
    assert_eq!(error(b"(assert \xe9)"), "1:9: this is not UTF-8 text");
    assert!(read("(assert |é|)".as_bytes())[0].is_ok());
}

#[test]
fn words_are_found_by_their_index() {
    let names = Word::names();
    for &word in Word::ALL {
        assert_eq!(names.text(word.name()), word.text());
        assert_eq!(Word::of(word.name()), Some(word));
    }
}

#[test]
fn depth_costs_no_stack() {
    let depth = 300_000;
    for (open, close) in
        [("(let ((x (f x))) ", ")"), ("(not ", ")"), ("(! ", " :a b)"), ("(forall ((x S)) ", ")")]
    {
        let text = format!("(assert {}x{})", open.repeat(depth), close.repeat(depth));
        assert!(read(text.as_bytes())[0].is_ok(), "{open}");
    }
    let sort = format!("(declare-const x {}Int{})", "(Array Int ".repeat(depth), ")".repeat(depth));
    assert!(read(sort.as_bytes())[0].is_ok());
    let expression = format!("(set-info :x {}{})", "(".repeat(depth), ")".repeat(depth));
    assert!(read(expression.as_bytes())[0].is_ok());
    assert_eq!(errors(&"(assert (not ".repeat(depth)).len(), 1);
}

/// The form of a term with the places of its nodes, which begins at `start`.
fn form(reader: &Reader<'_>, tree: &Tree, start: u32, node: Node) -> String {
    let text = |name| reader.names().text(name);
    let of = |node: Node| form(reader, tree, start, node);
    let list = |list: List| tree.list(list).iter().map(|&node| of(node)).collect::<Vec<_>>().join(" ");
    let form = match tree.kind(node) {
        NodeKind::Number(value) => format!("{value}"),
        NodeKind::Numeral(name) | NodeKind::Symbol(name) => text(name).to_owned(),
        NodeKind::Decimal(name) | NodeKind::Hexadecimal(name) | NodeKind::Binary(name) => {
            text(name).to_owned()
        }
        NodeKind::Indexed { name, indices } => format!("indexed {} {}", text(name), list(indices)),
        NodeKind::As { identifier, sort } => format!("as {} {}", of(identifier), of(sort)),
        NodeKind::Apply { head, arguments } => format!("apply {} {}", of(head), list(arguments)),
        NodeKind::Let { bindings, body } => format!("let {} in {}", list(bindings), of(body)),
        NodeKind::Binding { name, value } => format!("{} = {}", text(name), of(value)),
        NodeKind::Forall { variables, body } => format!("forall {}. {}", list(variables), of(body)),
        NodeKind::Exists { variables, body } => format!("exists {}. {}", list(variables), of(body)),
        NodeKind::Variable { name, sort } => format!("{}: {}", text(name), of(sort)),
        kind => panic!("{kind:?}"),
    };
    let span = tree.span(node);
    format!("[{} {} {form}]", span.lo - start, span.hi - start)
}

#[test]
fn terms_read_ahead_are_those_of_the_automaton() {
    let terms = [
        "x",
        "|a b|",
        "12",
        "12345678901",
        "1.50",
        "#xAb",
        "#b01",
        "(f x 1 (g |y| 2) z)",
        "(let ((x 1) (y (f x))) (let ((x y)) (g x y)))",
        "(forall ((x Int) (|y| (Array Int (_ BitVec 8)))) (exists ((z S)) (p x y z)))",
        "((_ extract 3 1) ((as const (Array Int Int)) (as c S)))",
        "(concat (_ bv3 8) (_ +oo 8 24) ((_ f #x1 a) x))",
    ];
    for term in terms {
        let read = |prefix: &str, suffix: &str| {
            let text = format!("{prefix}{term}{suffix}");
            let mut map = SourceMap::new();
            let file = map.add("a.smt2", text.into_bytes()).unwrap();
            let mut reader = Reader::new(&map, file);
            let command = reader.next().unwrap().unwrap();
            let node = match command.kind {
                CommandKind::Assert(node) | CommandKind::DefineFun { body: node, .. } => node,
                kind => panic!("{kind:?}"),
            };
            // An annotated term is left to the automaton.
            let (node, was_ahead) = match command.tree.kind(node) {
                NodeKind::Annotated { term, .. } => (term, false),
                _ => (node, true),
            };
            (form(&reader, &command.tree, map.file_span(file).lo + prefix.len() as u32, node), was_ahead)
        };
        let (expected, was_ahead) = read("(assert (! ", " :a))");
        assert!(!was_ahead);
        for prefix in [
            "(assert ",
            "(define-fun f ((x Int) (|y| (Array Int Int))) (_ BitVec 3) ",
            "(define-const |c| Int ",
        ] {
            assert_eq!(read(prefix, ")"), (expected.clone(), true), "{prefix}");
        }
    }
}
