//! Numbers: no digit is lost, and none is infinite.

use super::ParseErrorKind;
use super::failure::{Failure, Scanned};
use super::hint::{self, Place};
use super::scanner::Scanner;
use super::sink::Literal;

impl<'a> Scanner<'a> {
    pub(super) fn number(&mut self) -> Scanned<Literal<'a>> {
        let start = self.at;
        let negative = self.peek() == Some(b'-');
        self.at += usize::from(negative);
        let first = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        let digits = self.at - first;
        if digits == 0 || digits > 1 && self.bytes[first] == b'0' {
            let place = if digits == 0 {
                Place::Digit
            } else {
                Place::LeadingZero
            };
            return Err(self.unexpected(place));
        }
        let mut is_integer = true;
        if self.peek() == Some(b'.') {
            is_integer = false;
            self.at += 1;
            self.digits()?;
        }
        let has_exponent = matches!(self.peek(), Some(b'e' | b'E'));
        if has_exponent {
            is_integer = false;
            self.at += 1;
            if let Some(b'+' | b'-') = self.peek() {
                self.at += 1;
            }
            self.digits()?;
        }
        let text = &self.text[start..self.at];
        if is_integer {
            return Self::integer(start, text, negative, digits);
        }
        // Without an exponent and with fewer digits, a number is below 1e300.
        let may_overflow = has_exponent || digits > 300;
        if may_overflow && !text.parse::<f64>().is_ok_and(f64::is_finite) {
            let message = format!("`{}` is too large a number", hint::shorten(text));
            return Err(Failure::new(ParseErrorKind::Number, start, message, None));
        }
        Ok(Literal::Float(text))
    }

    fn integer(start: usize, text: &'a str, negative: bool, digits: usize) -> Scanned<Literal<'a>> {
        // So many digits fit whatever they are.
        const SURE: usize = 18;
        if negative && text == "-0" {
            // A float to every reader.
            return Ok(Literal::Float(text));
        }
        let fits = digits <= SURE
            || if negative {
                text.parse::<i64>().is_ok()
            } else {
                text.parse::<u64>().is_ok()
            };
        if fits {
            return Ok(Literal::Integer(text));
        }
        let message = format!(
            "the integer `{}` needs more than 64 bits",
            hint::shorten(text)
        );
        let hint = Some("send it as a string if the schema allows one");
        Err(Failure::new(ParseErrorKind::Number, start, message, hint))
    }

    fn digits(&mut self) -> Scanned<()> {
        let start = self.at;
        while let Some(b'0'..=b'9') = self.peek() {
            self.at += 1;
        }
        if self.at == start {
            Err(self.unexpected(Place::Digit))
        } else {
            Ok(())
        }
    }
}
