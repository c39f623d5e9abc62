//! Tests of frames and conversations without processes.

use super::protocol::{Command, EFFORT, HEADER, Response, body_length, header};
use super::server::{Activity, serve};
use crate::interpolation::{Preference, Score, Strength};
use crate::{Reason, Registry};
use std::time::Duration;
use terms::wire::{Reader, Writer};
use terms::{FunctionValue, TermPool, Value};

fn commands() -> Vec<Command> {
    vec![
        Command::Create { solver: "some".to_owned(), logic: "QF_LIA".to_owned() },
        Command::Ready,
        Command::Push,
        Command::Assert(7),
        Command::Pop,
        Command::Limit { effort: None, time: Some(Duration::from_micros(1234)), is_interruptible: true },
        Command::Limit { effort: Some(Duration::from_micros(99)), time: None, is_interruptible: false },
        Command::Check(vec![0, 300, u32::MAX]),
        Command::Core,
        Command::Value(3),
        Command::Eval(vec![1, 2]),
        Command::Function(9),
        Command::Project { formula: 1, variables: vec![4, 5] },
        Command::Eliminate { formula: 2, variables: Vec::new() },
        Command::Interpolate {
            source: "mcsat".to_owned(),
            solver: "some".to_owned(),
            preference: Preference { score: Score::Short, strength: Strength::Weakest },
            parents: vec![Some(2), Some(2), None],
            parts: vec![vec![1], Vec::new(), vec![2, 3]],
        },
        Command::Reset,
    ]
}

#[test]
fn commands_come_back() {
    let mut out = Writer::default();
    for command in commands() {
        command.write(&mut out);
    }
    let mut input = Reader::new(&out.bytes);
    for command in commands() {
        assert_eq!(Command::read(&mut input), Ok(command));
    }
    assert!(input.is_empty());
}

#[test]
fn responses_come_back() {
    let pool = TermPool::new();
    let function = FunctionValue {
        table: [(vec![Value::int(1)], Value::Bool(true))].into(),
        default: Some(Value::Bool(false)),
    };
    let text = || "why".to_owned();
    let responses = [
        Response::Done,
        Response::Sat,
        Response::Unsat,
        Response::Failed(Reason::Timeout),
        Response::Failed(Reason::Memory),
        Response::Failed(Reason::Interrupted),
        Response::Failed(Reason::Incomplete(text())),
        Response::Failed(Reason::Unsupported(text())),
        Response::Failed(Reason::Misuse(text())),
        Response::Failed(Reason::Fault(text())),
        Response::Indices(vec![0, 5, 1000]),
        Response::Values(vec![Value::bv(9, 300), Value::int(-3)]),
        Response::Function(function),
        Response::Terms { records: vec![1, 2, 3], ids: vec![2, 900] },
    ];
    for response in responses {
        let mut out = Writer::default();
        response.write(&pool, &mut out);
        let back = Response::read(&pool, &out.bytes).expect("a written response can be read");
        assert_eq!(format!("{back:?}"), format!("{response:?}"));
        // Every proper prefix is an error.
        for end in 0..out.bytes.len() {
            assert!(Response::read(&pool, &out.bytes[..end]).is_err(), "{response:?} up to {end}");
        }
        out.byte(0);
        assert!(Response::read(&pool, &out.bytes).is_err(), "{response:?} and more");
    }
}

/// A frame without new terms.
fn frame(commands: &[Command]) -> Vec<u8> {
    let mut out = Writer { bytes: vec![0; HEADER] };
    out.slice(&[]);
    commands.iter().for_each(|command| command.write(&mut out));
    let length = header(out.bytes.len() - HEADER).expect("the frame is short");
    out.bytes[..HEADER].copy_from_slice(&length);
    out.bytes
}

fn responses(mut bytes: &[u8]) -> Vec<String> {
    let mut responses = Vec::new();
    while let Some(length) = body_length(bytes) {
        let body = &bytes[HEADER + EFFORT..HEADER + length];
        let response = Response::read(&TermPool::new(), body).expect("the server sends well-formed answers");
        responses.push(format!("{response:?}"));
        bytes = &bytes[HEADER + length..];
    }
    responses
}

#[test]
fn a_server_answers_also_where_there_is_no_answer() {
    let input = [
        frame(&[Command::Ready]),
        frame(&[Command::Create { solver: "nobody".to_owned(), logic: "ALL".to_owned() }, Command::Ready]),
        frame(&[Command::Push, Command::Check(Vec::new())]),
        frame(&[Command::Core]),
        super::protocol::STOP.to_vec(),
        frame(&[Command::Reset]),
        frame(&[Command::Ready]),
    ]
    .concat();
    let mut output = Vec::new();
    let served = serve(&Registry::default(), &mut &input[..], &mut output, &Activity::default());
    assert!(served.is_ok());
    let nobody = "Failed(Misuse(\"the worker has no solver nobody\"))";
    let nothing = "Failed(Misuse(\"no prover was created\"))";
    let no_evidence = "Failed(Misuse(\"no model or refutation to query\"))";
    assert_eq!(responses(&output), [nothing, nobody, nobody, no_evidence, "Done", nothing]);
}

#[test]
fn broken_requests_end_the_conversation() {
    let whole = frame(&commands());
    for end in 1..whole.len() {
        let served =
            serve(&Registry::default(), &mut &whole[..end], &mut std::io::sink(), &Activity::default());
        assert!(served.is_err(), "up to {end}");
    }
    for place in HEADER..whole.len() {
        let mut broken = whole.clone();
        broken[place] ^= 0x5a;
        // Any result is acceptable; the server must not panic.
        drop(serve(&Registry::default(), &mut &broken[..], &mut std::io::sink(), &Activity::default()));
    }
}

#[test]
fn only_the_request_that_runs_can_be_stopped() {
    let activity = Activity::default();
    assert_eq!(activity.busy(), None);
    activity.stop(None);
    let first = activity.begin();
    let request = activity.busy();
    activity.finish();
    let second = activity.begin();
    activity.stop(request);
    assert!(!first.is_triggered() && !second.is_triggered());
    activity.stop(activity.busy());
    assert!(second.is_triggered());
}
