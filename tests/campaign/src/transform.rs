//! Transformations of generated programs that preserve the semantics, so that the verdict must stay
//! the same.
//!
//! They work on lines, and rely on the style of the generator: one statement per line, names that
//! occur once in a program, prototypes of all functions, loop conditions without side effects.

use crate::pointers::Program;
use crate::random::Random;

/// A transformation.
#[derive(Clone, Copy, Debug)]
pub struct Transformation {
    /// Its name in reports.
    pub name: &'static str,
    apply: fn(&mut Random, &[String]) -> Vec<String>,
}

/// All transformations.
pub const TRANSFORMATIONS: &[Transformation] = &[
    Transformation { name: "rename", apply: rename },
    Transformation { name: "reorder", apply: reorder },
    Transformation { name: "dead-code", apply: dead_code },
    Transformation { name: "wrap", apply: wrap },
    Transformation { name: "peel", apply: peel },
    Transformation { name: "structure", apply: into_structures },
    Transformation { name: "heap", apply: onto_heap },
    Transformation { name: "split", apply: split },
    Transformation { name: "outline", apply: outline },
];

/// Applies `count` transformations that are chosen at random. Returns their names, too.
#[must_use]
pub fn transform(program: &Program, random: &mut Random, count: usize) -> (Program, Vec<&'static str>) {
    let mut transformed = program.clone();
    let mut names = Vec::new();
    for _ in 0..count {
        let chosen = TRANSFORMATIONS[random.below(TRANSFORMATIONS.len())];
        names.push(chosen.name);
        // The units of a program share their names.
        let start = random.clone();
        for unit in &mut transformed.units {
            let lines: Vec<String> = unit.lines().map(str::to_owned).collect();
            let mut choices = start.clone();
            *unit = (chosen.apply)(&mut choices, &lines).iter().map(|line| format!("{line}\n")).collect();
        }
        random.number();
    }
    (transformed, names)
}

fn is_name(letter: char) -> bool {
    letter.is_ascii_alphanumeric() || letter == '_' || letter == '@'
}

/// Replaces words.
fn replace_words(line: &str, replacement: &dyn Fn(&str) -> Option<String>) -> String {
    let mut result = String::new();
    let mut rest = line;
    while let Some(start) = rest.find(is_name) {
        let length = rest[start..].find(|letter| !is_name(letter)).unwrap_or(rest.len() - start);
        let word = &rest[start..start + length];
        result.push_str(&rest[..start]);
        result.push_str(&replacement(word).unwrap_or_else(|| word.to_owned()));
        rest = &rest[start + length..];
    }
    result.push_str(rest);
    result
}

/// Whether the word is a name made by the generator: letters and a number, possibly of file scope.
fn is_generated(word: &str) -> bool {
    let word = word.strip_prefix('@').unwrap_or(word);
    let digits = word.trim_start_matches(|letter: char| letter.is_ascii_lowercase());
    !word.starts_with(|letter: char| letter.is_ascii_digit())
        && !digits.is_empty()
        && digits.len() < word.len()
        && digits.chars().all(|letter| letter.is_ascii_digit())
}

/// The space in front of a line.
fn indentation(line: &str) -> &str {
    &line[..line.len() - line.trim_start().len()]
}

fn is_of_file_scope(line: &str) -> bool {
    !line.starts_with(' ') && !line.starts_with('}')
}

/// Whether the line is an assignment to a plain place, as one statement: it may be wrapped and
/// moved into a block.
fn is_plain_assignment(line: &str) -> bool {
    let text = line.trim_start();
    text.starts_with("acc += ") && text.ends_with(';') && text.matches(';').count() == 1
}

/// Renames variables and functions, which changes all orders that depend on names.
fn rename(random: &mut Random, lines: &[String]) -> Vec<String> {
    let (factor, offset) = ([7, 11, 13][random.below(3)], random.below(90));
    let new = |word: &str| {
        let at = word.find(|letter: char| letter.is_ascii_digit())?;
        if !is_generated(word) {
            return None;
        }
        let number: usize = word[at..].parse().ok()?;
        // A prime greater than all numbers keeps names distinct.
        Some(format!("{}{}", &word[..at], (number * factor + offset) % 10_007))
    };
    lines.iter().map(|line| replace_words(line, &new)).collect()
}

/// Permutes the definitions of file scope: variables among themselves, functions among themselves.
fn reorder(random: &mut Random, lines: &[String]) -> Vec<String> {
    let is_type = |line: &str| {
        (line.starts_with("struct ") || line.starts_with("union "))
            && line.contains("{")
            && line.ends_with("};")
            && !line.contains('=')
    };
    let (mut types, mut variables, mut prototypes, mut functions) = (vec![], vec![], vec![], vec![]);
    let mut body: Option<Vec<String>> = None;
    for line in lines {
        if let Some(lines) = &mut body {
            lines.push(line.clone());
            if line == "}" {
                functions.extend(body.take());
            }
        } else if is_type(line) {
            types.push(line.clone());
        } else if line.ends_with('{') && is_of_file_scope(line) {
            body = Some(vec![line.clone()]);
        } else if line.ends_with(");") {
            prototypes.push(line.clone());
        } else if line.ends_with('}') {
            // A function on one line.
            functions.push(vec![line.clone()]);
        } else {
            variables.push(line.clone());
        }
    }
    shuffle(random, &mut variables);
    shuffle(random, &mut functions);
    prototypes.reverse();
    [types, variables, prototypes, functions.concat()].concat()
}

fn shuffle<T>(random: &mut Random, items: &mut [T]) {
    for last in (1..items.len()).rev() {
        items.swap(last, random.below(last + 1));
    }
}

/// Inserts statements that are never reached, and variables that are never used.
fn dead_code(random: &mut Random, lines: &[String]) -> Vec<String> {
    let mut result = Vec::new();
    for line in lines {
        if is_plain_assignment(line) && random.percent(40) {
            let space = indentation(line);
            let dead = random.of(&[
                "if (0) { *(int *)0 = acc; }",
                "while (0) acc = acc / 0;",
                "for (int dead = 0; dead > 0; dead++) { int *lost = malloc(4); lost[9] = acc; }",
                "if (sizeof(int) == 3) free((void *)8);",
                "switch (1) { case 2: acc = *(char *)0; }",
                "{ int dead = 5; int *unused = &dead; (void)unused; }",
                "0 && (acc = *(int *)0);",
            ]);
            result.push(format!("{space}{dead}"));
        }
        result.push(line.clone());
    }
    result
}

/// Moves statements into blocks that run once.
fn wrap(random: &mut Random, lines: &[String]) -> Vec<String> {
    let one = |line: &String| match is_plain_assignment(line) && random.percent(60) {
        true => {
            let (space, text) = (indentation(line), line.trim_start());
            let (before, after) = [
                ("if (1) { ", " }"),
                ("do { ", " } while (0);"),
                ("{ ", " }"),
                ("for (int once = 0; once < 1; once++) { ", " }"),
                ("switch (1) { case 0: break; default: ", " }"),
                ("if (0) ; else ", ""),
            ][random.below(6)];
            format!("{space}{before}{text}{after}")
        }
        false => line.clone(),
    };
    lines.iter().map(one).collect()
}

/// The line where the block that the line `start` opens is closed.
fn end_of_block(lines: &[String], start: usize) -> Option<usize> {
    let space = indentation(&lines[start]);
    let end = format!("{space}}}");
    let found = lines[start + 1..].iter().position(|line| indentation(line).len() <= space.len())?;
    (lines[start + 1 + found] == end).then_some(start + 1 + found)
}

/// Peels off the first iteration of a loop.
fn peel(random: &mut Random, lines: &[String]) -> Vec<String> {
    let mut result = Vec::new();
    let mut index = 0;
    while index < lines.len() {
        let line = &lines[index];
        let parts = line.trim_start().strip_prefix("for (").and_then(|rest| {
            let rest = rest.strip_suffix(") {")?;
            let mut parts = rest.splitn(3, "; ");
            Some((parts.next()?, parts.next()?, parts.next()?))
        });
        let end = end_of_block(lines, index);
        let (Some((first, condition, step)), Some(end), true) = (parts, end, random.percent(70)) else {
            result.push(line.clone());
            index += 1;
            continue;
        };
        let body = &lines[index + 1..end];
        let has_jumps = ["break;", "continue;", "label", "case ", "default:"];
        if body.iter().any(|line| has_jumps.iter().any(|jump| line.contains(jump))) {
            result.push(line.clone());
            index += 1;
            continue;
        }
        let space = indentation(line);
        result.push(format!("{space}{{ {first}; if ({condition}) {{"));
        result.extend_from_slice(body);
        result.push(format!("{space}{step}; }}"));
        result.push(format!("{space}for (; {condition}; {step}) {{"));
        result.extend_from_slice(body);
        result.push(format!("{space}}} }}"));
        index = end + 1;
    }
    result
}

/// A local number that the line declares: its type, name and value.
fn declared_number(line: &str) -> Option<(&str, &str, &str)> {
    let text = line.trim_start();
    if !line.starts_with(' ') || text.matches(';').count() != 1 {
        return None;
    }
    let (declaration, value) = text.strip_suffix(';')?.split_once(" = ")?;
    let (ty, name) = declaration.rsplit_once(' ')?;
    let is_number = [
        "int",
        "long",
        "short",
        "unsigned",
        "char",
        "unsigned char",
        "signed char",
        "unsigned long",
        "unsigned short",
    ];
    (is_number.contains(&ty) && is_generated(name) && name.starts_with(['v', 'i', 'r']))
        .then_some((ty, name, value))
}

/// Turns local numbers into members of structures.
fn into_structures(random: &mut Random, lines: &[String]) -> Vec<String> {
    let mut chosen = Vec::new();
    let declare = |line: &String| match declared_number(line) {
        Some((ty, name, value)) if random.percent(60) => {
            chosen.push(name.to_owned());
            format!("{}struct {{ char before; {ty} member; }} {name} = {{ 1, {value} }};", indentation(line))
        }
        _ => line.clone(),
    };
    let declared: Vec<String> = lines.iter().map(declare).collect();
    let new = |word: &str| chosen.iter().any(|name| name == word).then(|| format!("{word}.member"));
    use_instead(&declared, "struct { char before;", &new)
}

/// Local numbers become elements of an area that the function allocates and that lives until the
/// function ends.
fn onto_heap(random: &mut Random, lines: &[String]) -> Vec<String> {
    let mut chosen = Vec::new();
    let mut depth = 0usize;
    let declare = |line: &String| {
        depth = indentation(line).len();
        match declared_number(line) {
            // Not in a loop, where the area would grow.
            Some((ty, name, value)) if depth == 2 && random.percent(60) => {
                chosen.push(name.to_owned());
                let space = indentation(line);
                format!("{space}{ty} *{name} = __builtin_alloca(sizeof({ty})); *{name} = {value};")
            }
            _ => line.clone(),
        }
    };
    let declared: Vec<String> = lines.iter().map(declare).collect();
    let new = |word: &str| chosen.iter().any(|name| name == word).then(|| format!("(*{word})"));
    use_instead(&declared, "= __builtin_alloca(", &new)
}

/// Replaces words in all lines; in lines with the mark only in the value, which may contain a name
/// that was declared before.
fn use_instead(lines: &[String], mark: &str, new: &dyn Fn(&str) -> Option<String>) -> Vec<String> {
    let one = |line: &String| match line.contains(mark) {
        true => {
            // The value follows the name of the variable itself.
            let at = line.rfind(" = ").map_or(line.len(), |at| at + 3);
            let at = line.find(" = { 1, ").map_or(at, |found| found + 8);
            let at =
                line.find("; *").and_then(|start| Some(start + line[start..].find(" = ")? + 3)).unwrap_or(at);
            format!("{}{}", &line[..at], replace_words(&line[at..], new))
        }
        false => replace_words(line, new),
    };
    lines.iter().map(one).collect()
}

/// Passes the value of an assignment through a temporary variable.
fn split(random: &mut Random, lines: &[String]) -> Vec<String> {
    let one = |line: &String| match is_plain_assignment(line) && random.percent(60) {
        true => {
            let (space, text) = (indentation(line), line.trim_start());
            let value = text.trim_start_matches("acc += ").trim_end_matches(';');
            match value.contains("({") {
                true => line.clone(),
                false => {
                    format!("{space}{{ __typeof__(({value}) + 0) temporary = {value}; acc += temporary; }}")
                }
            }
        }
        false => line.clone(),
    };
    lines.iter().map(one).collect()
}

/// Moves the body of a function into another function.
fn outline(_: &mut Random, lines: &[String]) -> Vec<String> {
    let mut result = Vec::new();
    for line in lines {
        let name = line.strip_suffix(" {").and_then(|head| {
            let (before, parameters) = head.split_once('(')?;
            let (_, name) = before.rsplit_once([' ', '*'])?;
            let is_simple = is_of_file_scope(line)
                && name.starts_with("@f")
                && before == format!("int {name}")
                && !parameters.contains("...");
            is_simple.then_some((name, parameters.strip_suffix(')')?))
        });
        match name {
            // At most once: the name of the inner function would be taken the second time.
            Some((name, parameters)) if !lines.iter().any(|line| line.contains("_inner(")) => {
                let arguments: Vec<&str> = parameters
                    .split(", ")
                    .filter_map(|parameter| parameter.rsplit([' ', '*']).next())
                    .collect();
                let arguments = arguments.join(", ");
                result.push(format!("static int {name}_inner({parameters});"));
                result.push(format!("int {name}({parameters}) {{ return {name}_inner({arguments}); }}"));
                result.push(format!("static int {name}_inner({parameters}) {{"));
            }
            _ => result.push(line.clone()),
        }
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    fn applied(name: &str, text: &str) -> String {
        let transformation =
            TRANSFORMATIONS.iter().find(|known| known.name == name).expect("a name of the table");
        let lines: Vec<String> = text.lines().map(str::to_owned).collect();
        (transformation.apply)(&mut Random::new(3), &lines).join("\n")
    }

    #[test]
    fn names_stay_apart() {
        let text = applied("rename", "int v1 = @g2 + v3 + acc;");
        assert!(!text.contains("v1 ") && text.contains("acc;") && text.contains("@g"), "{text}");
    }

    #[test]
    fn a_loop_is_peeled_unless_it_is_left_early() {
        let text = "  for (int k1 = 0; k1 < 3; k1++) {\n    acc += k1;\n  }";
        let peeled = applied("peel", text);
        assert!(
            peeled.contains("{ int k1 = 0; if (k1 < 3) {") && peeled.contains("for (; k1 < 3; k1++) {"),
            "{peeled}"
        );
        let text = "  for (int k1 = 0; k1 < 3; k1++) {\n    break;\n  }";
        assert_eq!(applied("peel", text), text);
    }

    #[test]
    fn variables_move_with_all_their_uses() {
        let text = (0..9).map(|n| format!("  int v{n} = {n};\n  acc += v{n};\n")).collect::<String>();
        let structures = applied("structure", &text);
        assert!(structures.contains(".member;") && structures.contains("{ 1, "), "{structures}");
        assert_eq!(structures.matches("struct {").count(), structures.matches(".member").count());
        let heap = applied("heap", &text);
        assert_eq!(heap.matches("__builtin_alloca").count(), heap.matches("acc += (*v").count());
    }
}
