//! Sorts.
//!
//! A sort is converted to postfix form, in which a `define-sort` also stores its body, and then
//! evaluated on a stack.

use super::elaborate::{Context, Elaborator};
use super::limits;
use super::literal::too_wide;
use super::scope::{SortMeaning, SortStep};
use grammars::smtlib::{Name, Node, NodeKind};
use grammars::source::{Diagnostic, Span};
use terms::{Sort, TermPool, print};

impl Elaborator {
    /// Elaborates the sort at `node`.
    pub(super) fn sort(
        &mut self,
        pool: &mut TermPool,
        cx: &Context<'_>,
        node: Node,
    ) -> Result<Sort, Diagnostic> {
        // The common case: a single symbol.
        if let NodeKind::Symbol(name) = cx.tree.kind(node)
            && self.scopes.sort(name).is_none()
            && let Some(sort) = plain(cx.names.text(name))
        {
            return Ok(sort);
        }
        let steps = self.sort_steps(pool, cx, node, &[])?;
        self.evaluate_sort(pool, cx, &steps, &[], cx.tree.span(node))
    }

    /// Converts the sort at `node`, with free `parameters`, to postfix form.
    pub(super) fn sort_steps(
        &mut self,
        pool: &mut TermPool,
        cx: &Context<'_>,
        node: Node,
        parameters: &[Name],
    ) -> Result<Vec<SortStep>, Diagnostic> {
        enum Task {
            Enter(Node),
            Apply(Node),
        }
        let mut steps = Vec::new();
        let mut work = vec![Task::Enter(node)];
        while let Some(task) = work.pop() {
            match task {
                Task::Enter(node) => {
                    let span = cx.tree.span(node);
                    match cx.tree.kind(node) {
                        NodeKind::Symbol(name) => {
                            match parameters.iter().position(|&parameter| parameter == name) {
                                Some(index) => steps.push(SortStep::Parameter(index as u32)),
                                None => self.sort_application(pool, cx, name, 0, span, &mut steps)?,
                            }
                        }
                        NodeKind::Indexed { .. } => steps.push(SortStep::Sort(indexed(cx, node)?)),
                        NodeKind::Apply { arguments, .. } => {
                            work.push(Task::Apply(node));
                            work.extend(cx.tree.list(arguments).iter().rev().map(|&node| Task::Enter(node)));
                        }
                        _ => return Err(Diagnostic::error(span, "expected a sort")),
                    }
                }
                Task::Apply(node) => {
                    let NodeKind::Apply { head, arguments } = cx.tree.kind(node) else {
                        unreachable!("only applications are scheduled")
                    };
                    let span = cx.tree.span(head);
                    let NodeKind::Symbol(name) = cx.tree.kind(head) else {
                        return Err(Diagnostic::error(span, "this sort takes no arguments"));
                    };
                    self.sort_application(pool, cx, name, arguments.len(), span, &mut steps)?;
                }
            }
            if steps.len() > limits::SORT_SIZE as usize {
                return Err(too_large(cx.tree.span(node)));
            }
        }
        Ok(steps)
    }

    fn sort_application(
        &mut self,
        pool: &mut TermPool,
        cx: &Context<'_>,
        name: Name,
        count: usize,
        span: Span,
        steps: &mut Vec<SortStep>,
    ) -> Result<(), Diagnostic> {
        let text = cx.names.text(name);
        let expects = |arity: usize| {
            if arity == count {
                return Ok(());
            }
            let message = format!("the sort `{text}` takes {}, not {count}", arguments(arity));
            Err(Diagnostic::error(span, message))
        };
        match self.scopes.sort(name).map(|definition| definition.meaning.clone()) {
            Some(SortMeaning::Uninterpreted { arity }) => {
                expects(arity as usize)?;
                steps.push(match arity {
                    0 => SortStep::Sort(pool.uninterpreted_sort(text)),
                    _ => SortStep::Uninterpreted(name, arity),
                });
            }
            Some(SortMeaning::Defined { arity, body }) => {
                expects(arity)?;
                // The arguments are the last `arity` groups of steps; the body determines where
                // they are evaluated.
                let mut starts = Vec::with_capacity(arity);
                let mut end = steps.len();
                for _ in 0..arity {
                    end = start_of(steps, end);
                    starts.push(end);
                }
                starts.reverse();
                let arguments = steps.split_off(end);
                for &step in body.iter() {
                    match step {
                        SortStep::Parameter(index) => {
                            let index = index as usize;
                            let from = starts[index] - end;
                            let to = starts.get(index + 1).map_or(arguments.len(), |start| start - end);
                            steps.extend_from_slice(&arguments[from..to]);
                        }
                        step => steps.push(step),
                    }
                    if steps.len() > limits::SORT_SIZE as usize {
                        return Err(too_large(span));
                    }
                }
            }
            None if text == "Array" => {
                expects(2)?;
                steps.push(SortStep::Array);
            }
            None => match plain(text) {
                Some(sort) => {
                    expects(0)?;
                    steps.push(SortStep::Sort(sort));
                }
                None => return Err(self.unknown_sort(cx, name, span)),
            },
        }
        Ok(())
    }

    /// Evaluates the steps with the given `parameters`.
    pub(super) fn evaluate_sort(
        &mut self,
        pool: &mut TermPool,
        cx: &Context<'_>,
        steps: &[SortStep],
        parameters: &[Sort],
        span: Span,
    ) -> Result<Sort, Diagnostic> {
        let mut stack: Vec<Sort> = Vec::new();
        for &step in steps {
            let sort = match step {
                SortStep::Sort(sort) => sort,
                SortStep::Parameter(index) => parameters[index as usize],
                SortStep::Array => {
                    let (element, index) = (stack.pop(), stack.pop());
                    let (Some(index), Some(element)) = (index, element) else {
                        unreachable!("steps are in postfix form")
                    };
                    pool.array_sort(index, element)
                }
                SortStep::Uninterpreted(name, arity) => {
                    let arguments = stack.split_off(stack.len() - arity as usize);
                    let mut text = format!("({}", cx.names.text(name));
                    for argument in arguments {
                        text.push(' ');
                        text.push_str(&print::sort(pool, argument));
                    }
                    text.push(')');
                    // Sorts with equal names are equal, so the name must be unambiguous.
                    pool.uninterpreted_sort(&text.replace('|', "'"))
                }
            };
            if self.sort_size(pool, sort) > limits::SORT_SIZE {
                return Err(too_large(span));
            }
            if step == SortStep::Array {
                self.check_array(pool, sort, span)?;
            }
            stack.push(sort);
        }
        Ok(stack.pop().expect("a sort has a step"))
    }

    /// The number of sorts in a sort. The sizes of its components are already known.
    fn sort_size(&mut self, pool: &TermPool, sort: Sort) -> u32 {
        let Sort::Array(parts) = sort else { return 1 };
        if let Some(&size) = self.sort_sizes.get(&sort) {
            return size;
        }
        let (index, element) = pool.array_sort_parts(parts);
        let size_of = |sort| self.sort_sizes.get(&sort).copied().unwrap_or(1);
        let size = size_of(index).saturating_add(size_of(element)).saturating_add(1);
        self.sort_sizes.insert(sort, size);
        size
    }

    fn unknown_sort(&mut self, cx: &Context<'_>, name: Name, span: Span) -> Diagnostic {
        let text = cx.names.text(name);
        if matches!(text, "String" | "RegLan" | "Seq" | "Set" | "Bag" | "Tuple" | "List") {
            return Diagnostic::error(span, format!("the sort `{text}` is not supported"));
        }
        let error = Diagnostic::error(span, format!("the sort `{text}` is not declared"));
        let known = ["Bool", "Int", "Real", "Array", "RoundingMode", "Float32", "Float64"];
        let declared: Vec<Name> = self.scopes.sort_names().collect();
        let candidates = declared.iter().map(|&name| cx.names.text(name)).chain(known);
        self.suggest(error, text, candidates)
    }
}

/// The start of the group of steps that ends before `end`.
fn start_of(steps: &[SortStep], end: usize) -> usize {
    let (mut at, mut missing) = (end, 1);
    while missing > 0 {
        at -= 1;
        missing -= 1;
        missing += match steps[at] {
            SortStep::Sort(_) | SortStep::Parameter(_) => 0,
            SortStep::Array => 2,
            SortStep::Uninterpreted(_, arity) => arity as usize,
        };
    }
    at
}

fn too_large(span: Span) -> Diagnostic {
    Diagnostic::error(span, "this sort is too large")
        .with_help(format!("at most {} nested sorts are supported", limits::SORT_SIZE))
}

fn arguments(count: usize) -> String {
    match count {
        0 => "no arguments".to_owned(),
        1 => "1 argument".to_owned(),
        _ => format!("{count} arguments"),
    }
}

fn plain(text: &str) -> Option<Sort> {
    Some(match text {
        "Bool" => Sort::Bool,
        "Int" => Sort::Int,
        "Real" => Sort::Real,
        "RoundingMode" => Sort::RoundingMode,
        "Float16" => Sort::Float(5, 11),
        "Float32" => Sort::Float(8, 24),
        "Float64" => Sort::Float(11, 53),
        "Float128" => Sort::Float(15, 113),
        _ => return None,
    })
}

/// Whether the name is a sort of a theory.
pub(super) fn is_predefined(text: &str) -> bool {
    text == "Array" || plain(text).is_some()
}

fn indexed(cx: &Context<'_>, node: Node) -> Result<Sort, Diagnostic> {
    let span = cx.tree.span(node);
    let NodeKind::Indexed { name, indices } = cx.tree.kind(node) else {
        unreachable!("only indexed identifiers come here")
    };
    match (cx.names.text(name), cx.tree.list(indices)) {
        ("BitVec", &[width]) => Ok(Sort::BitVec(width_index(cx, width)?)),
        ("FloatingPoint", &[exponent, significand]) => {
            let (exponent, significand) = format(cx, exponent, significand)?;
            Ok(Sort::Float(exponent, significand))
        }
        (text @ ("BitVec" | "FloatingPoint"), indices) => {
            let message =
                format!("`{text}` takes {}", if text == "BitVec" { "1 index" } else { "2 indices" });
            Err(Diagnostic::error(span, format!("{message}, not {}", indices.len())))
        }
        (text, _) => Err(Diagnostic::error(span, format!("unknown indexed sort `{text}`"))),
    }
}

/// The width of a bit vector.
pub(super) fn width_index(cx: &Context<'_>, node: Node) -> Result<u32, Diagnostic> {
    let (width, span) = (index(cx, node)?, cx.tree.span(node));
    match width {
        Some(0) => Err(Diagnostic::error(span, "a bit vector has at least one bit")),
        Some(width) if width <= limits::BIT_VECTOR_WIDTH => Ok(width),
        _ => Err(too_wide(span, &cx.map.text(span))),
    }
}

/// The widths of the exponent and the significand of a float.
pub(super) fn format(cx: &Context<'_>, exponent: Node, significand: Node) -> Result<(u16, u16), Diagnostic> {
    let part = |node, what: &str, limit: u32| {
        let span = cx.tree.span(node);
        match index(cx, node)? {
            Some(width @ 2..) if width <= limit => Ok(width as u16),
            Some(0 | 1) => {
                Err(Diagnostic::error(span, format!("the {what} of a float has at least two bits")))
            }
            _ => Err(Diagnostic::error(span, format!("unsupported width of the {what} of a float"))
                .with_help(format!("at most {limit} bits are supported"))),
        }
    };
    let exponent = part(exponent, "exponent", limits::EXPONENT_WIDTH)?;
    let significand = part(significand, "significand", limits::SIGNIFICAND_WIDTH)?;
    Ok((exponent, significand))
}

/// The value of a numeral as an index; `None` if it exceeds a word.
pub(super) fn index(cx: &Context<'_>, node: Node) -> Result<Option<u32>, Diagnostic> {
    match cx.tree.kind(node) {
        NodeKind::Numeral(name) => {
            let digits = cx.names.text(name).trim_start_matches('0');
            Ok(if digits.is_empty() { Some(0) } else { digits.parse().ok() })
        }
        _ => Err(Diagnostic::error(cx.tree.span(node), "this index should be a numeral")),
    }
}
