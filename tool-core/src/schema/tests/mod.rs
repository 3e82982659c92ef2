mod types;

#[test]
fn zoo() {
    use types::*;
    macro_rules! show { ($($t:ty),*) => { $(println!("{} PARAM {}\n", stringify!($t), serde_json::to_string(&one::<$t>().schema).unwrap());)* } }
    macro_rules! showw { ($($t:ty),*) => { $(println!("{} WHOLE {}\n", stringify!($t), whole::<$t>().map(|v| serde_json::to_string(&v).unwrap()).unwrap_or_else(|e| e));)* } }
    show!(
        Shape, Nested, Mode, One, External, Adjacent, Untagged, Node, Mutual, Endless, Numbers,
        Keywords, Many, Defaults
    );
    showw!((), UnitStruct, Braces, Node, Open, Flat, ClosedFlat, Shape, External, Option<Wh>, serde_json::Value, Vec<u8>, std::collections::HashMap<String, u8>, Renamed, Defaults);
    println!(
        "OUT {}",
        serde_json::to_string(&output::<Renamed>()).unwrap()
    );
    println!("OUT {}", serde_json::to_string(&output::<Node>()).unwrap());
}
