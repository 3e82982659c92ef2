// errors: 4
use tool_core::{guard, tool, toolbox};

struct Weather;

impl Weather {
    /// The forecast.
    #[tool]
    fn forecast(&self, city: String) -> String {
        city
    }

    #[guard]
    fn check(&self) -> Option<String> {
        None
    }
}

#[toolbox]
impl Weather {
    /// Changes.
    #[tool]
    fn change(&mut self) {}

    /// Consumes.
    #[tool]
    fn consume(self) {}
}

fn main() {}
