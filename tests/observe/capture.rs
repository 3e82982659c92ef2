//! A layer that keeps every span and event, with all that was ever recorded on them.

use std::collections::HashMap;
use std::fmt::{self, Write as _};
use std::future::Future;
use std::sync::{Arc, Mutex};

use tracing::field::{Field, Visit};
use tracing::span::{Attributes, Id, Record};
use tracing::{Event, Level, Subscriber};
use tracing_subscriber::Registry;
use tracing_subscriber::layer::{Context, Layer, SubscriberExt as _};
use tracing_subscriber::registry::LookupSpan;

/// What was captured.
#[derive(Clone, Default)]
pub(crate) struct Capture(Arc<Mutex<Vec<Node>>>);

/// A span or an event.
struct Node {
    /// Of a span that is open. Ids are given again when a span is closed.
    id: Option<Id>,
    parent: Option<usize>,
    name: &'static str,
    event: bool,
    fields: Vec<(&'static str, String)>,
}

impl Capture {
    /// Runs `future` to its end on this thread, under this layer.
    pub(crate) fn run<F: Future>(&self, level: Level, future: F) -> F::Output {
        let layer = Capturing(self.clone(), level);
        tracing::subscriber::with_default(Registry::default().with(layer), || {
            tokio::runtime::Builder::new_current_thread()
                .enable_time()
                .start_paused(true)
                .build()
                .expect("a runtime of one thread")
                .block_on(future)
        })
    }

    /// All spans and events: one line each, below the span it was made in.
    pub(crate) fn tree(&self) -> String {
        let nodes = self.0.lock().unwrap();
        let mut children: HashMap<Option<usize>, Vec<usize>> = HashMap::new();
        for (index, node) in nodes.iter().enumerate() {
            children.entry(node.parent).or_default().push(index);
        }
        let mut text = String::new();
        let mut waiting: Vec<(usize, usize)> = Vec::new();
        let below = |parent, depth| {
            let below = children.get(&parent).into_iter().flatten().rev();
            below.map(move |&index| (index, depth))
        };
        waiting.extend(below(None, 0));
        while let Some((index, depth)) = waiting.pop() {
            let node = &nodes[index];
            let kind = if node.event { "event " } else { "" };
            write!(text, "{:1$}{kind}{2}", "", depth * 2, node.name).unwrap();
            for (name, value) in &node.fields {
                write!(text, " {name}={value}").unwrap();
            }
            text.push('\n');
            waiting.extend(below(Some(index), depth + 1));
        }
        text
    }

    /// How many spans are still open.
    pub(crate) fn open(&self) -> usize {
        let nodes = self.0.lock().unwrap();
        nodes.iter().filter(|node| node.id.is_some()).count()
    }
}

struct Capturing(Capture, Level);

impl<S: Subscriber + for<'a> LookupSpan<'a>> Layer<S> for Capturing {
    fn enabled(&self, metadata: &tracing::Metadata<'_>, _: Context<'_, S>) -> bool {
        *metadata.level() <= self.1
    }

    fn on_new_span(&self, attributes: &Attributes<'_>, id: &Id, cx: Context<'_, S>) {
        let parent = cx.span(id).and_then(|span| Some(span.parent()?.id()));
        let mut nodes = self.0.0.lock().unwrap();
        let parent = parent.and_then(|parent| position(&nodes, &parent));
        let mut fields = Fields(Vec::new());
        attributes.record(&mut fields);
        nodes.push(Node {
            id: Some(id.clone()),
            parent,
            name: attributes.metadata().name(),
            event: false,
            fields: fields.0,
        });
    }

    fn on_record(&self, id: &Id, values: &Record<'_>, _: Context<'_, S>) {
        let mut nodes = self.0.0.lock().unwrap();
        let index = position(&nodes, id).expect("what is recorded on is open");
        let mut fields = Fields(std::mem::take(&mut nodes[index].fields));
        values.record(&mut fields);
        nodes[index].fields = fields.0;
    }

    fn on_event(&self, event: &Event<'_>, cx: Context<'_, S>) {
        let parent = cx.event_span(event).map(|span| span.id());
        let mut nodes = self.0.0.lock().unwrap();
        let parent = parent.and_then(|parent| position(&nodes, &parent));
        let mut fields = Fields(Vec::new());
        event.record(&mut fields);
        nodes.push(Node {
            id: None,
            parent,
            name: event.metadata().target(),
            event: true,
            fields: fields.0,
        });
    }

    fn on_close(&self, id: Id, _: Context<'_, S>) {
        let mut nodes = self.0.0.lock().unwrap();
        let index = position(&nodes, &id).expect("what is closed was open");
        nodes[index].id = None;
    }
}

fn position(nodes: &[Node], id: &Id) -> Option<usize> {
    nodes.iter().position(|node| node.id.as_ref() == Some(id))
}

struct Fields(Vec<(&'static str, String)>);

impl Visit for Fields {
    fn record_debug(&mut self, field: &Field, value: &dyn fmt::Debug) {
        self.0.push((field.name(), format!("{value:?}")));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.0.push((field.name(), value.to_owned()));
    }
}
