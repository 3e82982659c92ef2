//! Two lists of lines, side by side.

/// Both lists, line by line: `  ` in front of what both have, `- ` of what was expected and is
/// missing, `+ ` of what came instead.
pub(super) fn lines(
    expected: &[String],
    got: &[String],
    same: impl Fn(&str, &str) -> bool,
) -> String {
    let common = common(expected, got, &same);
    let (mut left, mut right) = (0, 0);
    let mut text = Vec::with_capacity(expected.len() + got.len());
    for (next_left, next_right) in common.into_iter().chain([(expected.len(), got.len())]) {
        text.extend(
            expected[left..next_left]
                .iter()
                .map(|line| format!("- {line}")),
        );
        text.extend(
            got[right..next_right]
                .iter()
                .map(|line| format!("+ {line}")),
        );
        if let Some(line) = got.get(next_right) {
            text.push(format!("  {line}"));
        }
        (left, right) = (next_left + 1, next_right + 1);
    }
    text.join("\n")
}

/// The pairs of a longest common subsequence.
fn common(
    expected: &[String],
    got: &[String],
    same: impl Fn(&str, &str) -> bool,
) -> Vec<(usize, usize)> {
    /// A table with more places than this is not made: the lists are shown one after the other.
    const LARGEST: usize = 4_000_000;
    if expected.len().saturating_mul(got.len()) > LARGEST {
        return Vec::new();
    }
    let width = got.len() + 1;
    // How many pairs there are from here on.
    let mut table = vec![0_u32; (expected.len() + 1) * width];
    for left in (0..expected.len()).rev() {
        for right in (0..got.len()).rev() {
            table[left * width + right] = if same(&expected[left], &got[right]) {
                table[(left + 1) * width + right + 1] + 1
            } else {
                table[(left + 1) * width + right].max(table[left * width + right + 1])
            };
        }
    }
    let (mut left, mut right, mut pairs) = (0, 0, Vec::new());
    while left < expected.len() && right < got.len() {
        if same(&expected[left], &got[right]) {
            pairs.push((left, right));
            (left, right) = (left + 1, right + 1);
        } else if table[(left + 1) * width + right] >= table[left * width + right + 1] {
            left += 1;
        } else {
            right += 1;
        }
    }
    pairs
}
