//! How a hook takes a parameter of its tool: by reference, or by value where that is a copy.

use std::path::{Path, PathBuf};

/// A type as which a hook can take a parameter of type `S`.
///
/// | the tool takes | a hook takes |
/// |---|---|
/// | `T` | `&T`; `T` if it is `Copy` |
/// | `String` | `&str` |
/// | `PathBuf` | `&Path` |
/// | `Vec<T>` | `&[T]` |
/// | `Option<T>` | `Option<&T>` |
/// | `Option<String>` | `Option<&str>` |
/// | `Option<Vec<T>>` | `Option<&[T]>` |
#[diagnostic::on_unimplemented(
    message = "a hook cannot take a `{S}` parameter of its tool as `{Self}`",
    label = "the tool's parameter is a `{S}`",
    note = "take it by reference: `&{S}`, or `&str` for a `String`, `&[T]` for a `Vec<T>`"
)]
pub trait FromArg<'a, S: ?Sized> {
    /// The parameter, as the hook takes it.
    fn from_arg(arg: &'a S) -> Self;
}

impl<'a, T> FromArg<'a, T> for &'a T {
    fn from_arg(arg: &'a T) -> Self {
        arg
    }
}

impl<T: Copy> FromArg<'_, T> for T {
    fn from_arg(arg: &T) -> Self {
        *arg
    }
}

impl<'a> FromArg<'a, String> for &'a str {
    fn from_arg(arg: &'a String) -> Self {
        arg
    }
}

impl<'a> FromArg<'a, PathBuf> for &'a Path {
    fn from_arg(arg: &'a PathBuf) -> Self {
        arg
    }
}

impl<'a, T> FromArg<'a, Vec<T>> for &'a [T] {
    fn from_arg(arg: &'a Vec<T>) -> Self {
        arg
    }
}

impl<'a, T> FromArg<'a, Option<T>> for Option<&'a T> {
    fn from_arg(arg: &'a Option<T>) -> Self {
        arg.as_ref()
    }
}

impl<'a> FromArg<'a, Option<String>> for Option<&'a str> {
    fn from_arg(arg: &'a Option<String>) -> Self {
        arg.as_deref()
    }
}

impl<'a, T> FromArg<'a, Option<Vec<T>>> for Option<&'a [T]> {
    fn from_arg(arg: &'a Option<Vec<T>>) -> Self {
        arg.as_deref()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parameters_are_read_as_hooks_take_them() {
        assert_eq!(<&str>::from_arg(&"a".to_owned()), "a");
        assert_eq!(<&String>::from_arg(&"a".to_owned()), "a");
        assert_eq!(u32::from_arg(&3), 3);
        assert_eq!(<&Path>::from_arg(&PathBuf::from("a")), Path::new("a"));
        assert_eq!(<&[u8]>::from_arg(&vec![1, 2]), [1, 2]);
        assert_eq!(<Option<&str>>::from_arg(&Some("a".to_owned())), Some("a"));
        assert_eq!(<Option<&[u8]>>::from_arg(&Some(vec![1])), Some(&[1][..]));
        assert_eq!(<Option<u8>>::from_arg(&None), None);
    }
}
