//! Source text that nests as deep as it may: the parser recurses, the process must not notice.

mod common;

use tool_code_mode::FailureKind;

/// What nests, what closes it, and how many openers one level counts as.
const NESTS: &[(&str, &str, usize)] = &[
    ("(", ")", 1),
    ("[", "]", 1),
    ("!", "", 1),
    ("typeof ", "", 1),
    ("x=", "", 1),
    ("x=>", "", 2),
    ("x?1:", "", 2),
    ("if(x)", "", 2),
    ("x**", "", 2),
    ("{", "}", 1),
    ("-x+", "", 2),
    ("new ", "", 1),
    ("`${", "}`", 3),
    ("x=>{", "}", 3),
    ("function f(){", "}", 3),
    ("(x)=>(", ")", 4),
    ("1+", "", 1),
    ("do ", ";while(0)", 3),
    ("x||", "", 2),
    ("await ", "", 1),
    ("(class{x=", "})", 4),
    ("a.b(", ")", 2),
    ("[", "].a", 2),
    ("({a:", "})", 3),
    ("try{", "}catch{}", 3),
    ("if(x){}else ", "", 4),
    ("while(x)", "", 2),
    ("a:", "", 1),
    ("x as ", "", 1),
    ("let a: {b:", "}", 3),
    ("let a: ", "[]", 2),
    ("f<", ">()", 3),
    ("<T>", "", 2),
    ("async()=>", "", 4),
    ("x?.[", "]", 3),
];

async fn survives(levels: usize) {
    for (open, close, cost) in NESTS {
        let count = if *open == "f<" { 490 } else { levels / cost };
        let code = format!("return 1;\n{}1{}", open.repeat(count), close.repeat(count));
        match common::run(&code).await {
            Ok(_) => {}
            Err(failure) => assert_eq!(failure.kind(), FailureKind::Exception, "{open}: {failure}"),
        }
    }
    assert_eq!(common::value("return 1").await, 1);
}

#[tokio::test]
async fn nesting_of_a_thousand_levels() {
    survives(1_000).await;
}

#[tokio::test]
async fn nesting_up_to_the_limit() {
    survives(45_000).await;
}

#[tokio::test]
async fn more_than_the_limit_is_refused() {
    let failure = common::run(&"(".repeat(100_000))
        .await
        .expect_err("refused");
    assert_eq!(
        failure.to_string(),
        "code run failed (exception): the program is too large to be parsed: it has 100000 \
         operators, brackets and keywords; at most 50000 are allowed\n\
         help: keep data out of the program: let a tool read it"
    );
}
