//! The README's program is the example `quickstart`, word for word.

#[test]
fn the_readme_shows_the_quickstart() {
    let readme = include_str!("../README.md");
    let example = include_str!("../examples/quickstart.rs");
    let start = readme.find("```rust\n").expect("a Rust block") + "```rust\n".len();
    let length = readme[start..].find("```").expect("the end of the block");
    let shown = &readme[start..start + length];
    let (_header, program) = example.split_once("\n\n").expect("a header");
    assert_eq!(shown, program);
}
