//! What the compiler says of misused attributes, and that it says nothing of well used ones.
//!
//! Bless with `TRYBUILD=overwrite`, without the `rust-src` component, and read the difference.

use trybuild::TestCases;

macro_rules! families {
    ($($family:ident),*) => {
        $(
            #[test]
            fn $family() {
                TestCases::new().compile_fail(concat!("ui/", stringify!($family), "/*.rs"));
            }
        )*
    };
}

families!(
    arguments, bodies, bounds, hooks, lints, parameters, placement, several, signature
);

#[test]
fn pass() {
    TestCases::new().pass("ui/pass/*.rs");
}
