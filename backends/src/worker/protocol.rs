//! The protocol between client and worker.
//!
//! A *frame* is a length of four bytes (little-endian) and a body. The body of a request consists
//! of the records of new terms (see [`terms::wire`]), then commands, of which at most the last has
//! a [`Response`]. The exchange is strictly one request frame, one response frame; a response
//! begins with the [effort](crate::effort) of the worker so far. The only exception is the empty
//! frame: it has no response, and interrupts a busy worker.

use crate::Reason;
use crate::interpolation::{Preference, Score, Strength};
use std::time::Duration;
use terms::choice::Choice;
use terms::wire::{self, Reader, WireError, Writer};
use terms::{FunctionValue, TermPool, Value};

/// The number of bytes of the length of a frame.
pub(super) const HEADER: usize = 4;

/// The number of bytes of the worker's effort so far, in nanoseconds, at the beginning of each
/// answer.
pub(super) const EFFORT: usize = 8;

/// The frame that interrupts a busy worker.
pub(super) const STOP: [u8; HEADER] = [0; HEADER];

/// A command of a client. Numbers are wire ids of terms, symbols and functions that were sent
/// before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Creates a prover of the solver for the logic.
    Create {
        solver: String,
        logic: String,
    },
    /// Queries whether all commands so far succeeded. Answer: `Done` or `Failed`.
    Ready,
    Push,
    Pop,
    Assert(u32),
    /// Limits of the following commands: effort and time by the clock, counted from the arrival of
    /// the frame, and whether they may be interrupted.
    Limit {
        effort: Option<Duration>,
        time: Option<Duration>,
        is_interruptible: bool,
    },
    /// Answer: `Sat`, `Unsat` or `Failed`.
    Check(Vec<u32>),
    /// Directly after `Unsat`. Answer: `Indices`.
    Core,
    /// This and the next three directly after `Sat`. Answer: `Values`.
    Value(u32),
    Eval(Vec<u32>),
    /// Answer: `Function`.
    Function(u32),
    /// Answer: `Terms`.
    Project {
        formula: u32,
        variables: Vec<u32>,
    },
    /// Answer: `Terms`.
    Eliminate {
        formula: u32,
        variables: Vec<u32>,
    },
    /// Answer: `Terms`, one for each part except the last, or `Sat`.
    Interpolate {
        source: String,
        solver: String,
        preference: Preference,
        parents: Vec<Option<usize>>,
        parts: Vec<Vec<u32>>,
    },
    /// Drops all state. Answer: `Done`.
    Reset,
}

/// An answer of a worker.
#[derive(Clone, Debug)]
pub(super) enum Response {
    Done,
    Sat,
    Unsat,
    Failed(Reason),
    Indices(Vec<usize>),
    Values(Vec<Value>),
    Function(FunctionValue),
    /// Records of the worker's own encoder, and ids of terms in them.
    Terms {
        records: Vec<u8>,
        ids: Vec<u32>,
    },
    /// Like `Terms`, for symbols with their values.
    Witness {
        records: Vec<u8>,
        ids: Vec<u32>,
        values: Vec<Value>,
    },
}

impl Command {
    /// Whether the command queries a model.
    pub(super) fn asks_model(&self) -> bool {
        matches!(self, Command::Value(_) | Command::Eval(_) | Command::Function(_) | Command::Project { .. })
    }

    pub(super) fn write(&self, out: &mut Writer) {
        match self {
            Command::Create { solver, logic } => {
                out.byte(0);
                out.text(solver);
                out.text(logic);
            }
            Command::Ready => out.byte(1),
            Command::Push => out.byte(2),
            Command::Pop => out.byte(3),
            Command::Assert(formula) => {
                out.byte(4);
                out.number((*formula).into());
            }
            Command::Limit { effort, time, is_interruptible } => {
                out.byte(5);
                for limit in [effort, time] {
                    write_option(
                        out,
                        limit.map(|limit| u64::try_from(limit.as_micros()).unwrap_or(u64::MAX)),
                    );
                }
                out.byte(u8::from(*is_interruptible));
            }
            Command::Check(assumptions) => {
                out.byte(6);
                write_ids(out, assumptions);
            }
            Command::Core => out.byte(7),
            Command::Value(symbol) => {
                out.byte(8);
                out.number((*symbol).into());
            }
            Command::Eval(terms) => {
                out.byte(9);
                write_ids(out, terms);
            }
            Command::Function(function) => {
                out.byte(10);
                out.number((*function).into());
            }
            Command::Project { formula, variables } => {
                out.byte(11);
                out.number((*formula).into());
                write_ids(out, variables);
            }
            Command::Eliminate { formula, variables } => {
                out.byte(12);
                out.number((*formula).into());
                write_ids(out, variables);
            }
            Command::Interpolate { source, solver, preference, parents, parts } => {
                out.byte(13);
                out.text(source);
                out.text(solver);
                out.size(preference.score as usize);
                out.size(preference.strength as usize);
                out.size(parts.len());
                for (part, &parent) in parts.iter().zip(parents) {
                    write_ids(out, part);
                    write_option(out, parent.map(|parent| parent as u64));
                }
            }
            Command::Reset => out.byte(14),
        }
    }

    pub(super) fn read(input: &mut Reader<'_>) -> Result<Self, WireError> {
        Ok(match input.byte()? {
            0 => Command::Create { solver: input.text()?.to_owned(), logic: input.text()?.to_owned() },
            1 => Command::Ready,
            2 => Command::Push,
            3 => Command::Pop,
            4 => Command::Assert(input.small()?),
            5 => Command::Limit {
                effort: read_option(input)?.map(Duration::from_micros),
                time: read_option(input)?.map(Duration::from_micros),
                is_interruptible: input.byte()? != 0,
            },
            6 => Command::Check(read_ids(input)?),
            7 => Command::Core,
            8 => Command::Value(input.small()?),
            9 => Command::Eval(read_ids(input)?),
            10 => Command::Function(input.small()?),
            11 => Command::Project { formula: input.small()?, variables: read_ids(input)? },
            12 => Command::Eliminate { formula: input.small()?, variables: read_ids(input)? },
            13 => {
                let (source, solver) = (input.text()?.to_owned(), input.text()?.to_owned());
                let score = Score::all().nth(input.small()? as usize);
                let score = score.ok_or(WireError::Malformed("a score"))?;
                let strength = Strength::all().nth(input.small()? as usize);
                let strength = strength.ok_or(WireError::Malformed("a strength"))?;
                let preference = Preference { score, strength };
                let (mut parts, mut parents) = (Vec::new(), Vec::new());
                for _ in 0..input.count()? {
                    parts.push(read_ids(input)?);
                    parents.push(read_option(input)?.map(|parent| parent as usize));
                }
                Command::Interpolate { source, solver, preference, parents, parts }
            }
            14 => Command::Reset,
            _ => return Err(WireError::Malformed("a command")),
        })
    }
}

impl Response {
    pub(super) fn write(&self, pool: &TermPool, out: &mut Writer) {
        match self {
            Response::Done => out.byte(0),
            Response::Sat => out.byte(1),
            Response::Unsat => out.byte(2),
            Response::Failed(reason) => {
                out.byte(3);
                write_reason(out, reason);
            }
            Response::Indices(indices) => {
                out.byte(4);
                out.size(indices.len());
                for &index in indices {
                    out.size(index);
                }
            }
            Response::Values(values) => {
                out.byte(5);
                write_values(out, pool, values);
            }
            Response::Function(function) => {
                out.byte(6);
                wire::write_function_value(pool, function, out);
            }
            Response::Terms { records, ids } => {
                out.byte(7);
                out.slice(records);
                write_ids(out, ids);
            }
            Response::Witness { records, ids, values } => {
                out.byte(8);
                out.slice(records);
                write_ids(out, ids);
                write_values(out, pool, values);
            }
        }
    }

    /// Reads `body` completely.
    pub(super) fn read(pool: &TermPool, body: &[u8]) -> Result<Self, WireError> {
        let mut input = Reader::new(body);
        let response = match input.byte()? {
            0 => Response::Done,
            1 => Response::Sat,
            2 => Response::Unsat,
            3 => Response::Failed(read_reason(&mut input)?),
            4 => {
                let count = input.count()?;
                let indices = (0..count).map(|_| Ok(input.small()? as usize));
                Response::Indices(indices.collect::<Result<_, WireError>>()?)
            }
            5 => Response::Values(read_values(pool, &mut input)?),
            6 => Response::Function(wire::read_function_value(pool, &mut input)?),
            7 => Response::Terms { records: input.slice()?.to_vec(), ids: read_ids(&mut input)? },
            8 => Response::Witness {
                records: input.slice()?.to_vec(),
                ids: read_ids(&mut input)?,
                values: read_values(pool, &mut input)?,
            },
            _ => return Err(WireError::Malformed("a response")),
        };
        if input.is_empty() { Ok(response) } else { Err(WireError::Malformed("bytes after a response")) }
    }
}

fn write_values(out: &mut Writer, pool: &TermPool, values: &[Value]) {
    out.size(values.len());
    for value in values {
        wire::write_value(pool, value, out);
    }
}

fn read_values(pool: &TermPool, input: &mut Reader<'_>) -> Result<Vec<Value>, WireError> {
    let count = input.count()?;
    (0..count).map(|_| wire::read_value(pool, input)).collect()
}

/// The header of a body of `length` bytes.
pub(super) fn header(length: usize) -> Option<[u8; HEADER]> {
    Some(u32::try_from(length).ok()?.to_le_bytes())
}

/// The length of the body of the frame at the start of `bytes`, if its header is complete.
pub(super) fn body_length(bytes: &[u8]) -> Option<usize> {
    let header = bytes.first_chunk::<HEADER>()?;
    Some(u32::from_le_bytes(*header) as usize)
}

fn write_ids(out: &mut Writer, ids: &[u32]) {
    out.size(ids.len());
    for &id in ids {
        out.number(id.into());
    }
}

fn read_ids(input: &mut Reader<'_>) -> Result<Vec<u32>, WireError> {
    let count = input.count()?;
    (0..count).map(|_| input.small()).collect()
}

fn write_option(out: &mut Writer, value: Option<u64>) {
    out.byte(u8::from(value.is_some()));
    if let Some(value) = value {
        out.number(value);
    }
}

fn read_option(input: &mut Reader<'_>) -> Result<Option<u64>, WireError> {
    Ok(match input.byte()? {
        0 => None,
        _ => Some(input.number()?),
    })
}

fn write_reason(out: &mut Writer, reason: &Reason) {
    let (code, text) = match reason {
        Reason::Timeout => (0, ""),
        Reason::Memory => (1, ""),
        Reason::Interrupted => (2, ""),
        Reason::Incomplete(text) => (3, text.as_str()),
        Reason::Unsupported(text) => (4, text.as_str()),
        Reason::Misuse(text) => (5, text.as_str()),
        Reason::Fault(text) => (6, text.as_str()),
    };
    out.byte(code);
    out.text(text);
}

fn read_reason(input: &mut Reader<'_>) -> Result<Reason, WireError> {
    let code = input.byte()?;
    let text = input.text()?.to_owned();
    Ok(match code {
        0 => Reason::Timeout,
        1 => Reason::Memory,
        2 => Reason::Interrupted,
        3 => Reason::Incomplete(text),
        4 => Reason::Unsupported(text),
        5 => Reason::Misuse(text),
        6 => Reason::Fault(text),
        _ => return Err(WireError::Malformed("a reason")),
    })
}
