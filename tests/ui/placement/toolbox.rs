// errors: 2
use tool_core::toolbox;

struct Weather;

#[toolbox]
impl Clone for Weather {
    fn clone(&self) -> Self {
        Weather
    }
}

struct Generic<T>(T);

#[toolbox]
impl<T> Generic<T> {}

fn main() {}
