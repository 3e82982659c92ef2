//! The valid word somebody probably meant.

/// The candidate nearest to `word`, if one is near enough to be meant.
pub(crate) fn nearest<'a>(
    word: &str,
    candidates: impl IntoIterator<Item = &'a str>,
) -> Option<&'a str> {
    // Longer than any name; and the distance is quadratic.
    const MAX_LENGTH: usize = 64;
    if word.is_empty() || word.len() > MAX_LENGTH {
        return None;
    }
    let plain = letters(word);
    candidates
        .into_iter()
        .filter(|candidate| candidate.len() <= MAX_LENGTH)
        .filter_map(|candidate| {
            let other = letters(candidate);
            // `firstName` is `first_name` at once; `untis` is `units` at one swap.
            let distance = if plain == other {
                0
            } else {
                distance(&plain, &other)
            };
            let longest = plain.len().max(other.len());
            (distance <= longest.div_ceil(3).min(3) && distance < longest)
                .then_some((distance, candidate))
        })
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, candidate)| candidate)
}

/// Without case and separators.
fn letters(word: &str) -> Vec<char> {
    let is_separator = |c: &char| matches!(c, '_' | '-' | ' ' | '.');
    word.chars()
        .filter(|c| !is_separator(c))
        .flat_map(char::to_lowercase)
        .collect()
}

/// Insertions, deletions, replacements and swaps of neighbours that lead from `a` to `b`.
fn distance(a: &[char], b: &[char]) -> usize {
    let mut before: Vec<usize> = Vec::new();
    let mut last: Vec<usize> = (0..=b.len()).collect();
    for (i, x) in a.iter().enumerate() {
        let mut row = vec![i + 1];
        for (j, y) in b.iter().enumerate() {
            let mut best = (last[j] + usize::from(x != y))
                .min(last[j + 1] + 1)
                .min(row[j] + 1);
            if i > 0 && j > 0 && *x == b[j - 1] && a[i - 1] == *y {
                best = best.min(before[j - 1] + 1);
            }
            row.push(best);
        }
        before = std::mem::replace(&mut last, row);
    }
    last[b.len()]
}
