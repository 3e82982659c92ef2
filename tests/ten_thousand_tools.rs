//! Ten thousand tools: what registering, listing and exporting them takes grows with their number,
//! and each schema is there once. Counted in allocations, not in time.

use std::sync::Arc;

use allocation_counter::{AllocationInfo, measure};
use serde_json::{Value, json};
use tool_core::dialect::{Dialect, Export, check_request};
use tool_core::{ToolDefinition, ToolRuntime};

/// `count` tools, each with a description of so many bytes inside its schema.
fn tools(count: usize, bytes: usize) -> Vec<ToolDefinition> {
    let tool = |number| {
        let parameters = json!({
            "type": "object",
            "properties": {
                "q": {"type": "string", "minLength": 1, "description": "x".repeat(bytes)},
                "limit": {"type": ["integer", "null"], "minimum": 0, "maximum": 100},
                "place": {"$ref": "#/$defs/Place", "description": "Where."},
            },
            "required": ["q"],
            "additionalProperties": false,
            "$defs": {"Place": {"type": "object", "properties": {"city": {"type": "string"}}}},
        });
        ToolDefinition::dynamic(format!("tool_{number}"), "Finds.", parameters, json!({}))
            .handler(|arguments: Value, _cx| async move { arguments })
    };
    (0..count).map(tool).collect()
}

fn empty() -> ToolRuntime {
    // The validator makes tables at its first use.
    drop(ToolRuntime::builder().tools(tools(1, 0)).build());
    ToolRuntime::builder().build().unwrap()
}

/// What registering takes, and what of it stays.
fn registering(count: usize, bytes: usize) -> (ToolRuntime, AllocationInfo) {
    let (tools, runtime) = (tools(count, bytes), empty());
    let taken = measure(|| runtime.register_all(tools).map(drop).unwrap());
    (runtime, taken)
}

/// That ten times as many tools take ten times as much, give or take what tables grow ahead. A
/// square would be a hundred times.
fn assert_linear(what: &str, few: &AllocationInfo, many: &AllocationInfo) {
    for (unit, few, many) in [
        ("allocations", few.count_total, many.count_total),
        ("bytes", few.bytes_total, many.bytes_total),
    ] {
        assert!(many <= few * 13, "{what}: {few} {unit} became {many}");
    }
}

#[test]
fn registering_and_listing_is_linear() {
    let (few, few_taken) = registering(1_000, 10);
    let (many, many_taken) = registering(10_000, 10);
    assert_linear("registering", &few_taken, &many_taken);
    let listing =
        |runtime: &ToolRuntime, count| measure(|| assert_eq!(runtime.schemas().len(), count));
    assert_linear("listing", &listing(&few, 1_000), &listing(&many, 10_000));
    let (few, few_taken) = exporting(&few, 1_000, Dialect::Mcp);
    let (many, many_taken) = exporting(&many, 10_000, Dialect::Mcp);
    assert_linear("exporting", &few_taken, &many_taken);
    assert_eq!((few.tools.len(), many.tools.len()), (1_000, 10_000));
    assert_eq!(check_request(Dialect::Mcp, &many.tools), [""; 0]);
}

/// Also where a request has room for 128 tools, or for 20 strict ones.
#[test]
fn exporting_is_linear_for_every_dialect() {
    let ((few, _), (many, _)) = (registering(200, 10), registering(2_000, 10));
    for dialect in Dialect::ALL {
        let (_, few) = exporting(&few, 200, dialect);
        let (_, many) = exporting(&many, 2_000, dialect);
        assert_linear(&format!("exporting for {dialect}"), &few, &many);
    }
}

fn exporting(runtime: &ToolRuntime, count: usize, dialect: Dialect) -> (Export, AllocationInfo) {
    let mut export = Export::default();
    let taken = measure(|| export = runtime.export(dialect));
    let left_out = export.report.left_out().count();
    assert_eq!(export.tools.len() + left_out, count, "{dialect}");
    (export, taken)
}

/// One by one, as a client does that connects to one server after another.
#[test]
fn registering_one_by_one_does_not_copy_the_schemas_again() {
    const BYTES: usize = 100_000;
    const COUNT: usize = 200;
    let runtime = empty();
    for tool in tools(COUNT, BYTES) {
        let taken = measure(|| runtime.register(tool).map(drop).unwrap());
        // The table of tools is, a schema is not.
        assert!(taken.bytes_total < BYTES as u64, "{taken:?}");
    }
}

#[test]
fn each_schema_is_held_once() {
    const COUNT: usize = 100;
    const BYTES: usize = 16_384;
    let held = |bytes| {
        let runtime = empty();
        let register = || runtime.register_all(tools(COUNT, bytes)).map(drop).unwrap();
        measure(register).bytes_current
    };
    let more = usize::try_from(held(BYTES) - held(0)).unwrap();
    assert!(
        more < COUNT * (BYTES + BYTES / 8),
        "{more} bytes for {COUNT} descriptions of {BYTES} bytes"
    );
    // Lists and scopes share it.
    let (runtime, _) = registering(1, BYTES);
    let schema = runtime.schemas().remove(0);
    let again = runtime.schemas().remove(0);
    assert!(Arc::ptr_eq(&schema, &again));
    assert!(Arc::ptr_eq(&schema.parameters, &again.parameters));
    let scope = runtime.scope("session").unwrap();
    assert!(Arc::ptr_eq(&schema, &scope.schemas()[0]));
}
