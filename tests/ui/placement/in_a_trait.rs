// errors: 1
use tool_core::tool;

trait Weather {
    /// The forecast.
    #[tool]
    fn forecast(city: String) -> String;
}

fn main() {}
