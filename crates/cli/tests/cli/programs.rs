//! Programs out of a seed: the same one in Python and Java, under other names, in another order, with other comments.

use crate::words::Random;
use std::fmt::Write as _;

/// A program is a list of functions.
#[derive(Clone)]
pub(crate) struct Program(pub(crate) Vec<Function>);

/// A function over numbers: its parameters are variables 0 and 1.
#[derive(Clone)]
pub(crate) struct Function {
    name: usize,
    body: Vec<Statement>,
}

#[derive(Clone)]
enum Statement {
    Assign(usize, Expression),
    Change(usize, &'static str, Expression),
    If(Expression, Vec<Statement>),
    While(Expression, Vec<Statement>),
    Return(Expression),
}

#[derive(Clone)]
enum Expression {
    Variable(usize),
    Number(usize),
    Both(usize, &'static str, usize),
    Compare(usize, &'static str, Box<Expression>),
    Call(usize, usize, usize),
}

/// How a program is written down.
#[derive(Clone, Copy)]
pub(crate) struct Hand {
    /// Chooses names of variables and functions.
    pub(crate) names: usize,
    /// Above each function.
    pub(crate) comments: bool,
}

impl Program {
    /// A program that nobody else has: so many functions of about 60 tokens.
    pub(crate) fn new(random: &mut Random, functions: usize) -> Self {
        let function = |random: &mut Random| {
            let name = random.below(90);
            let mut body: Vec<Statement> = (0..6 + random.below(3)).map(|_| statement(random, 2)).collect();
            body.push(Statement::Return(expression(random)));
            Function { name, body }
        };
        Self((0..functions).map(|_| function(random)).collect())
    }

    /// The functions of both.
    pub(crate) fn with(&self, other: &Self) -> Self {
        Self([&self.0[..], &other.0[..]].concat())
    }

    /// The same functions in another order.
    pub(crate) fn reordered(&self, random: &mut Random) -> Self {
        let mut copy = self.clone();
        random.shuffle(&mut copy.0);
        copy
    }

    pub(crate) fn python(&self, hand: Hand) -> String {
        let mut out = String::new();
        for function in &self.0 {
            let (name, a, b) = (called(hand, function.name), variable(hand, 0), variable(hand, 1));
            comment(&mut out, "#", hand, &name);
            writeln!(out, "def {name}({a}, {b}):").expect("into memory");
            statements(&mut out, &function.body, hand, 1, false);
            out.push('\n');
        }
        out
    }

    pub(crate) fn java(&self, hand: Hand, class: &str) -> String {
        let mut out = format!("public class {class} {{\n");
        for function in &self.0 {
            let (name, a, b) = (called(hand, function.name), variable(hand, 0), variable(hand, 1));
            comment(&mut out, "    //", hand, &name);
            writeln!(out, "    static int {name}(int {a}, int {b}) {{").expect("into memory");
            statements(&mut out, &function.body, hand, 2, true);
            out.push_str("    }\n\n");
        }
        out.push_str("}\n");
        out
    }
}

fn statement(random: &mut Random, depth: usize) -> Statement {
    let inner = |random: &mut Random| (0..=random.below(3)).map(|_| statement(random, depth - 1)).collect();
    match random.below(if depth > 0 { 6 } else { 3 }) {
        0 | 1 => Statement::Assign(random.below(8), expression(random)),
        2 => Statement::Change(random.below(8), ["+=", "-=", "*="][random.below(3)], expression(random)),
        3 | 4 => Statement::If(comparison(random), inner(random)),
        _ => Statement::While(comparison(random), inner(random)),
    }
}

fn expression(random: &mut Random) -> Expression {
    match random.below(5) {
        0 => Expression::Variable(random.below(8)),
        1 => Expression::Number(random.below(1000)),
        2 | 3 => Expression::Both(random.below(8), ["+", "-", "*", "%"][random.below(4)], random.below(8)),
        _ => Expression::Call(random.below(90), random.below(8), random.below(8)),
    }
}

fn comparison(random: &mut Random) -> Expression {
    let sign = ["<", ">", "==", "!=", "<="][random.below(5)];
    Expression::Compare(random.below(8), sign, Box::new(expression(random)))
}

const NAMES: [&str; 12] =
    ["left", "total", "count", "value", "step", "limit", "first", "rest", "size", "index", "left_over", "mark"];
const VERBS: [&str; 9] = ["find", "make", "count", "check", "merge", "split", "take", "sum", "walk"];

/// Another hand has another name for everything.
fn variable(hand: Hand, at: usize) -> String {
    let name = NAMES[(at + 5 * hand.names) % NAMES.len()];
    if hand.names.is_multiple_of(2) { name.to_owned() } else { format!("{name}{}", hand.names) }
}

fn called(hand: Hand, at: usize) -> String {
    format!("{}_{}", VERBS[(at + 7 * hand.names) % VERBS.len()], NAMES[(at / 9 + hand.names) % NAMES.len()])
}

fn comment(out: &mut String, sign: &str, hand: Hand, name: &str) {
    if hand.comments {
        writeln!(out, "{sign} {name} number {}: see the exercise", hand.names).expect("into memory");
    }
}

fn written(expression: &Expression, hand: Hand) -> String {
    let name = |at: &usize| variable(hand, *at);
    match expression {
        Expression::Variable(at) => name(at),
        Expression::Number(n) => (n + hand.names).to_string(),
        Expression::Both(a, sign, b) => format!("{} {sign} {}", name(a), name(b)),
        Expression::Compare(a, sign, b) => format!("{} {sign} {}", name(a), written(b, hand)),
        Expression::Call(function, a, b) => format!("{}({}, {})", called(hand, *function), name(a), name(b)),
    }
}

/// A statement, with braces as Java has them or without as Python.
fn statements(out: &mut String, body: &[Statement], hand: Hand, depth: usize, braces: bool) {
    let indent = "    ".repeat(depth);
    for statement in body {
        let (head, condition, inner) = match statement {
            Statement::If(condition, inner) => ("if", condition, inner),
            Statement::While(condition, inner) => ("while", condition, inner),
            simple => {
                let end = if braces { ";" } else { "" };
                writeln!(out, "{indent}{}{end}", self::simple(simple, hand)).expect("into memory");
                continue;
            }
        };
        let condition = written(condition, hand);
        let open = if braces { format!("{head} ({condition}) {{") } else { format!("{head} {condition}:") };
        writeln!(out, "{indent}{open}").expect("into memory");
        statements(out, inner, hand, depth + 1, braces);
        if braces {
            writeln!(out, "{indent}}}").expect("into memory");
        }
    }
}

/// A statement of one line, as both languages write it.
fn simple(statement: &Statement, hand: Hand) -> String {
    match statement {
        Statement::Assign(at, value) => format!("{} = {}", variable(hand, *at), written(value, hand)),
        Statement::Change(at, sign, value) => format!("{} {sign} {}", variable(hand, *at), written(value, hand)),
        Statement::Return(value) => format!("return {}", written(value, hand)),
        Statement::If(..) | Statement::While(..) => String::new(),
    }
}

#[test]
fn another_hand_writes_the_same_program() {
    let program = Program::new(&mut Random(701), 3);
    let [one, other] = [0, 3].map(|names| program.python(Hand { names, comments: false }));
    assert_ne!(one, other);
    // names and numbers differ, signs and layout do not
    let signs = |text: &str| text.replace(|c: char| c.is_ascii_alphanumeric() || c == '_', "");
    assert_eq!(signs(&one), signs(&other));
    assert!(program.java(Hand { names: 1, comments: true }, "Main").contains("// "));
}
