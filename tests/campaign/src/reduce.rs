//! Reduction of a text that stays interesting: delta debugging over lines and tokens.
//!
//! After Zeller and Hildebrandt, *Simplifying and Isolating Failure-Inducing Input*, TSE 2002, with
//! chunks of halved size. DIVERGENCE: the lines of a block are removed together with its braces, or
//! the braces only, and parenthesized expressions are replaced by numbers. The cost is dominated by
//! the test: some hundreds of tests for a program of 100 lines. The result is not minimal if the
//! budget ends earlier.

use std::time::Instant;

/// Tests whether a text, given as units, is still interesting.
pub type Test<'t> = dyn FnMut(&[String]) -> bool + 't;

/// Shrinks units while `is_interesting` holds for them, until `deadline`.
pub fn reduce(units: &[String], deadline: Instant, is_interesting: &mut Test<'_>) -> Vec<String> {
    let mut current: Vec<Vec<String>> =
        units.iter().map(|unit| unit.lines().map(str::to_owned).collect()).collect();
    let mut test = |units: &[Vec<String>]| Instant::now() < deadline && is_interesting(&joined(units));
    loop {
        let before = size(&current);
        for unit in 0..current.len() {
            remove_chunks(&mut current, unit, &mut test);
            remove_blocks(&mut current, unit, &mut test);
            simplify(&mut current, unit, &mut test);
        }
        if size(&current) == before || Instant::now() >= deadline {
            return joined(&current);
        }
    }
}

fn joined(units: &[Vec<String>]) -> Vec<String> {
    units.iter().map(|lines| lines.iter().map(|line| format!("{line}\n")).collect()).collect()
}

fn size(units: &[Vec<String>]) -> usize {
    units.iter().flatten().map(|line| line.len() + 1).sum()
}

type LinesTest<'t> = dyn FnMut(&[Vec<String>]) -> bool + 't;

/// Replaces the lines of one unit where the result stays interesting.
fn attempt(current: &mut [Vec<String>], unit: usize, lines: Vec<String>, test: &mut LinesTest<'_>) -> bool {
    let old = std::mem::replace(&mut current[unit], lines);
    let is_kept = test(current);
    if !is_kept {
        current[unit] = old;
    }
    is_kept
}

/// Removes chunks of lines, from half of the unit down to single lines. Chunks with unbalanced
/// braces are not tried.
fn remove_chunks(current: &mut [Vec<String>], unit: usize, test: &mut LinesTest<'_>) {
    let mut chunk = current[unit].len().div_ceil(2).max(1);
    loop {
        let mut start = 0;
        while start < current[unit].len() {
            let lines = &current[unit];
            let end = (start + chunk).min(lines.len());
            let is_removed = is_balanced(&lines[start..end]) && {
                let rest = [&lines[..start], &lines[end..]].concat();
                attempt(current, unit, rest, test)
            };
            if !is_removed {
                start += chunk.div_ceil(2).max(1);
            }
        }
        if chunk == 1 {
            return;
        }
        chunk = chunk.div_ceil(2);
    }
}

/// The change of the nesting depth by a line, and the lowest depth in it relative to its start.
fn braces(line: &str) -> (i32, i32) {
    let (mut depth, mut lowest) = (0, 0);
    for letter in line.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        lowest = lowest.min(depth);
    }
    (depth, lowest)
}

fn is_balanced(lines: &[String]) -> bool {
    let mut depth = 0;
    for line in lines {
        let (change, lowest) = braces(line);
        if depth + lowest < 0 {
            return false;
        }
        depth += change;
    }
    depth == 0
}

/// The line where the block that `start` opens is closed.
fn end_of_block(lines: &[String], start: usize) -> Option<usize> {
    let mut depth = braces(&lines[start]).0;
    if depth <= 0 {
        return None;
    }
    for (offset, line) in lines[start + 1..].iter().enumerate() {
        let (change, lowest) = braces(line);
        if depth + lowest <= 0 {
            return Some(start + 1 + offset);
        }
        depth += change;
    }
    None
}

/// Removes blocks, or only their first and last lines.
fn remove_blocks(current: &mut [Vec<String>], unit: usize, test: &mut LinesTest<'_>) {
    let mut start = 0;
    while start < current[unit].len() {
        let lines = &current[unit];
        if let Some(end) = end_of_block(lines, start) {
            let without = [&lines[..start], &lines[end + 1..]].concat();
            let unwrapped = [&lines[..start], &lines[start + 1..end], &lines[end + 1..]].concat();
            let plain: Vec<String> = [
                &lines[..start],
                &["{".to_owned()][..],
                &lines[start + 1..end],
                &["}".to_owned()][..],
                &lines[end + 1..],
            ]
            .concat();
            let is_plain = lines[start].trim() == "{";
            if attempt(current, unit, without, test)
                || attempt(current, unit, unwrapped, test)
                || !is_plain && attempt(current, unit, plain, test)
            {
                continue;
            }
        }
        start += 1;
    }
}

/// Simplifies expressions: replaces a pair of parentheses by a number or removes its surroundings,
/// removes an operand.
fn simplify(current: &mut [Vec<String>], unit: usize, test: &mut LinesTest<'_>) {
    let mut line = 0;
    while line < current[unit].len() {
        let mut from = 0;
        while let Some(candidate) = next_candidate(&current[unit][line], &mut from) {
            let mut lines = current[unit].clone();
            lines[line] = candidate;
            if attempt(current, unit, lines, test) {
                from = 0;
            }
        }
        line += 1;
    }
}

/// The next shorter form of a line; `from` counts the forms that were tried.
fn next_candidate(line: &str, from: &mut usize) -> Option<String> {
    let candidates = candidates(line);
    let found = candidates.get(*from).cloned();
    *from += 1;
    found
}

/// Shorter forms of a line.
fn candidates(line: &str) -> Vec<String> {
    let mut found = Vec::new();
    let spans = parentheses(line);
    for &(open, close) in &spans {
        let (before, inner, after) = (&line[..open], &line[open + 1..close], &line[close + 1..]);
        for value in ["0", "1"] {
            if inner.len() > 1 {
                found.push(format!("{before}({value}){after}"));
            }
        }
        // One operand of the enclosed expression.
        for op in [" ? ", " : ", " + ", " - ", " * ", " & ", " | ", " ^ ", " && ", " || ", " % ", " / ", ", "]
        {
            if let Some((one, other)) = inner.split_once(op) {
                found.push(format!("{before}({one}){after}"));
                found.push(format!("{before}({other}){after}"));
            }
        }
        // Parentheses that do not belong to a call.
        if !before.ends_with(|letter: char| letter.is_alphanumeric() || letter == '_') {
            found.push(format!("{before}{inner}{after}"));
            found.push(format!("{before}{after}"));
        }
    }
    if let Some((before, after)) = line.split_once(" = ") {
        let end = if after.trim_end().ends_with(';') { ";" } else { "" };
        found.push(format!("{before} = 0{end}"));
        found.push(format!("{before} = 1{end}"));
    }
    for op in [" + ", " - ", " & ", " * ", " % ", " | ", " ^ "] {
        if let Some((before, after)) = line.rsplit_once(op) {
            let end = if after.trim_end().ends_with(';') { ";" } else { "" };
            found.push(format!("{before}{end}"));
        }
    }
    found.retain(|candidate| candidate.len() < line.len());
    found.sort_by_key(String::len);
    found.dedup();
    found
}

/// The balanced pairs of parentheses.
fn parentheses(line: &str) -> Vec<(usize, usize)> {
    let (mut open, mut pairs) = (Vec::new(), Vec::new());
    for (index, letter) in line.char_indices() {
        match letter {
            '(' => open.push(index),
            ')' => pairs.extend(open.pop().map(|start| (start, index))),
            _ => {}
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn reduced(text: &str, is_interesting: impl Fn(&str) -> bool) -> String {
        let deadline = Instant::now() + Duration::from_secs(20);
        reduce(&[text.to_owned()], deadline, &mut |units| is_interesting(&units[0])).concat()
    }

    #[test]
    fn lines_that_do_not_matter_go() {
        let text =
            "int a;\nint f(void) {\n  if (a) {\n    b = 1;\n    c = (x + (y * 3));\n  }\n  return 1;\n}\n";
        let is_balanced = |text: &str| is_balanced(&[text.to_owned()]);
        assert_eq!(reduced(text, |text| text.contains("b = 1") && is_balanced(text)).trim(), "b = 1;");
        let found = reduced(text, |text| text.contains("f(void)") && text.contains('y') && is_balanced(text));
        assert!(found.lines().count() <= 3, "{found}");
    }

    #[test]
    fn nothing_goes_where_everything_matters() {
        let text = "a\nb\nc\n";
        assert_eq!(reduced(text, |found| found == text), text);
    }

    #[test]
    fn parentheses_are_balanced() {
        assert_eq!(parentheses("f(a, (b)) )"), [(5, 7), (1, 8)]);
    }
}
