//! A text for a regular expression. What comes out is a proposal: the pattern itself decides.

use std::iter::Peekable;
use std::str::Chars;

/// A text longer than this is not made.
const LONGEST: usize = 10_000;

/// How deep groups may be in each other.
const DEEPEST: usize = 50;

/// A text made along the pattern: each repetition `more` often than it must, in each choice the
/// arm with this number, the last one if there are fewer. `None` if the pattern is not understood.
pub(super) fn text(pattern: &str, more: usize, arm: usize) -> Option<String> {
    let mut writer = Writer {
        pattern: pattern.chars().peekable(),
        more,
        arm,
    };
    let text = writer.choice(0)?;
    writer.pattern.next().is_none().then_some(text)
}

struct Writer<'p> {
    pattern: Peekable<Chars<'p>>,
    more: usize,
    arm: usize,
}

impl Writer<'_> {
    /// `a|b`, up to a parenthesis that closes or to the end.
    fn choice(&mut self, depth: usize) -> Option<String> {
        if depth > DEEPEST {
            return None;
        }
        let mut chosen = self.sequence(depth)?;
        let mut number = 0;
        while self.pattern.next_if_eq(&'|').is_some() {
            number += 1;
            let arm = self.sequence(depth)?;
            if number <= self.arm {
                chosen = arm;
            }
        }
        Some(chosen)
    }

    fn sequence(&mut self, depth: usize) -> Option<String> {
        let mut text = String::new();
        while let Some(&next) = self.pattern.peek() {
            if matches!(next, '|' | ')') {
                break;
            }
            let atom = self.atom(depth)?;
            let times = self.times()?;
            if atom.len().saturating_mul(times) + text.len() > LONGEST {
                return None;
            }
            text.push_str(&atom.repeat(times));
        }
        Some(text)
    }

    fn atom(&mut self, depth: usize) -> Option<String> {
        match self.pattern.next()? {
            '^' | '$' => Some(String::new()),
            '.' => Some("a".to_owned()),
            '[' => self.class().map(String::from),
            '\\' => self.escape(),
            '(' => {
                let looks = self.group_head()?;
                let inside = self.choice(depth + 1)?;
                self.pattern.next_if_eq(&')')?;
                // What looks around takes no text.
                Some(if looks { String::new() } else { inside })
            }
            other => Some(other.to_string()),
        }
    }

    /// What follows `(`: `?:`, `?<name>`, `?P<name>`; true for `?=`, `?!`, `?<=`, `?<!`.
    fn group_head(&mut self) -> Option<bool> {
        if self.pattern.next_if_eq(&'?').is_none() {
            return Some(false);
        }
        self.pattern.next_if_eq(&'P');
        match self.pattern.next()? {
            ':' => Some(false),
            '=' | '!' => Some(true),
            '<' => {
                if self.pattern.next_if(|c| matches!(c, '=' | '!')).is_some() {
                    return Some(true);
                }
                self.pattern.find(|&c| c == '>')?;
                Some(false)
            }
            _ => None,
        }
    }

    /// How often what came before is repeated.
    fn times(&mut self) -> Option<usize> {
        let (least, most): (usize, usize) = match self.pattern.peek() {
            Some('*') => (0, usize::MAX),
            Some('+') => (1, usize::MAX),
            Some('?') => (0, 1),
            Some('{') => return self.counted(),
            _ => return Some(1),
        };
        self.pattern.next();
        self.lazy();
        Some(least.saturating_add(self.more).min(most))
    }

    /// `{2}`, `{2,}`, `{2,5}`.
    fn counted(&mut self) -> Option<usize> {
        self.pattern.next();
        let mut inside = String::new();
        loop {
            match self.pattern.next()? {
                '}' => break,
                digit => inside.push(digit),
            }
        }
        self.lazy();
        let (least, most) = match inside.split_once(',') {
            None => (inside.parse().ok()?, inside.parse().ok()?),
            Some((least, "")) => (least.parse().ok()?, usize::MAX),
            Some((least, most)) => (least.parse().ok()?, most.parse().ok()?),
        };
        Some(usize::saturating_add(least, self.more).min(most))
    }

    fn lazy(&mut self) {
        self.pattern.next_if(|c| matches!(c, '?' | '+'));
    }

    fn escape(&mut self) -> Option<String> {
        let c = self.pattern.next()?;
        if matches!(c, 'b' | 'B' | 'A' | 'z' | 'Z') {
            return Some(String::new());
        }
        self.escaped(c).map(String::from)
    }

    /// A character that `\c` stands for.
    fn escaped(&mut self, c: char) -> Option<char> {
        Some(match c {
            'd' => '1',
            'w' | 'D' | 'S' => 'a',
            's' => ' ',
            'W' => '-',
            'n' => '\n',
            't' => '\t',
            'r' => '\r',
            'x' => self.hexadecimal(2)?,
            'u' => self.hexadecimal(4)?,
            'p' | 'P' => {
                let name = self.property()?;
                match (c, name.chars().next()?) {
                    ('p', 'N') => '1',
                    ('p', 'P' | 'S') => '-',
                    ('p', 'Z') => ' ',
                    ('p', _) if name == "Lu" || name == "Uppercase" => 'A',
                    ('p', _) => 'a',
                    (_, 'L') => '1',
                    _ => 'a',
                }
            }
            other if other.is_ascii_alphanumeric() => return None,
            other => other,
        })
    }

    fn property(&mut self) -> Option<String> {
        if self.pattern.next_if_eq(&'{').is_none() {
            return self.pattern.next().map(String::from);
        }
        let mut name = String::new();
        loop {
            match self.pattern.next()? {
                '}' => return Some(name),
                c => name.push(c),
            }
        }
    }

    fn hexadecimal(&mut self, digits: usize) -> Option<char> {
        let mut code = String::new();
        if self.pattern.next_if_eq(&'{').is_some() {
            code.extend(std::iter::from_fn(|| self.pattern.next_if(|c| *c != '}')));
            self.pattern.next_if_eq(&'}')?;
        } else {
            for _ in 0..digits {
                code.push(self.pattern.next()?);
            }
        }
        char::from_u32(u32::from_str_radix(&code, 16).ok()?)
    }

    /// One character of `[a-z]`, or one that is not in `[^a-z]`.
    fn class(&mut self) -> Option<char> {
        let negated = self.pattern.next_if_eq(&'^').is_some();
        let mut ranges: Vec<(char, char)> = Vec::new();
        loop {
            let c = match self.pattern.next()? {
                ']' if !ranges.is_empty() => break,
                '[' => return None,
                '\\' => {
                    let c = self.pattern.next()?;
                    if let Some(known) = shorthand(c) {
                        ranges.extend(known);
                        continue;
                    }
                    self.escaped(c)?
                }
                c => c,
            };
            let mut ahead = self.pattern.clone();
            let is_range = ahead.next() == Some('-') && ahead.peek().is_some_and(|c| *c != ']');
            let end = if is_range {
                self.pattern.next();
                match self.pattern.next()? {
                    '\\' => {
                        let c = self.pattern.next()?;
                        self.escaped(c)?
                    }
                    end => end,
                }
            } else {
                c
            };
            ranges.push((c, end));
        }
        if !negated {
            return ranges.first().map(|range| range.0);
        }
        let inside = |c: &char| ranges.iter().any(|(from, to)| (from..=to).contains(&c));
        "aA1-_ .~\u{e9}".chars().find(|c| !inside(c))
    }
}

/// The characters of `\d`, `\w` and `\s`.
fn shorthand(c: char) -> Option<&'static [(char, char)]> {
    match c {
        'd' => Some(&[('0', '9')]),
        'w' => Some(&[('a', 'z'), ('A', 'Z'), ('0', '9'), ('_', '_')]),
        's' => Some(&[(' ', ' '), ('\t', '\r')]),
        _ => None,
    }
}
