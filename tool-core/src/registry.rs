//! The registry: layers of registrations, one per scope and one for the runtime, as immutable snapshots.
//!
//! Writers make a new layer and swap it in; readers hold a [`View`], the layers of one scope chain.
//! No call ever waits for a registration, and no view shows half of one.

use std::any::TypeId;
use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};
use std::ops::Range;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use arc_swap::ArcSwap;
use indexmap::{IndexMap, IndexSet};

use crate::approval::ApproverObject;
use crate::contain::Sheltered;
use crate::definition::Definition;
use crate::epoch::{Epoch, Stamped};
use crate::error::{RegisterError, ToolError};
use crate::execution::ToolExecution;
use crate::future::MaybeFuture;
use crate::hook::{
    AroundExecute, Decision, Guard, HandleInfo, HookInfo, OnResult, PostExecute, PostOutcome,
    PreExecute, Verdict,
};
use crate::pipeline::Next;
use crate::presentation::Presentation;
use crate::result::ToolResult;
use crate::scope::Restriction;

/// The number of one registration; those of one `register_all` follow each other.
pub(crate) type EntryId = u64;

pub(crate) fn entry_ids(count: usize) -> Range<EntryId> {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    let count = count as u64;
    let first = NEXT.fetch_add(count, Ordering::Relaxed);
    first..first + count
}

/// A hook and where it stands.
pub(crate) struct Hook<H: ?Sized> {
    pub(crate) id: EntryId,
    pub(crate) name: &'static str,
    pub(crate) bound: Option<HandleInfo>,
    pub(crate) scope: Option<Arc<str>>,
    pub(crate) run: H,
}

impl<H> Hook<Sheltered<H>> {
    pub(crate) fn new(info: &HookInfo, scope: Option<Arc<str>>, run: H) -> Self {
        Self {
            id: entry_ids(1).start,
            name: info.name,
            bound: info.bound,
            scope,
            run: Sheltered::new(run),
        }
    }
}

pub(crate) trait GuardObject: Send + Sync {
    fn start<'a>(
        &'a self,
        execution: &'a ToolExecution,
    ) -> MaybeFuture<'a, Result<Verdict, ToolError>>;
}

impl<G: Guard> GuardObject for Sheltered<G> {
    fn start<'a>(
        &'a self,
        execution: &'a ToolExecution,
    ) -> MaybeFuture<'a, Result<Verdict, ToolError>> {
        (**self).__start(execution)
    }
}

pub(crate) trait PreObject: Send + Sync {
    fn start<'a>(
        &'a self,
        execution: &'a ToolExecution,
    ) -> MaybeFuture<'a, Result<Decision, ToolError>>;
}

impl<P: PreExecute> PreObject for Sheltered<P> {
    fn start<'a>(
        &'a self,
        execution: &'a ToolExecution,
    ) -> MaybeFuture<'a, Result<Decision, ToolError>> {
        (**self).__start(execution)
    }
}

pub(crate) trait AroundObject: Send + Sync {
    fn start<'a>(
        &'a self,
        execution: &'a ToolExecution,
        next: Next<'a>,
    ) -> MaybeFuture<'a, Result<ToolResult, ToolError>>;
}

impl<A: AroundExecute> AroundObject for Sheltered<A> {
    fn start<'a>(
        &'a self,
        execution: &'a ToolExecution,
        next: Next<'a>,
    ) -> MaybeFuture<'a, Result<ToolResult, ToolError>> {
        (**self).__start(execution, next)
    }
}

pub(crate) trait PostObject: Send + Sync {
    fn start<'a>(
        &'a self,
        execution: &'a ToolExecution,
        result: &'a ToolResult,
    ) -> MaybeFuture<'a, Result<PostOutcome, ToolError>>;
}

impl<P: PostExecute> PostObject for Sheltered<P> {
    fn start<'a>(
        &'a self,
        execution: &'a ToolExecution,
        result: &'a ToolResult,
    ) -> MaybeFuture<'a, Result<PostOutcome, ToolError>> {
        (**self).__start(execution, result)
    }
}

/// The hooks of one kind in one layer, in registration order, and ready-made lists of those that
/// apply to a tool: hooks bound to other tools cost a call nothing.
pub(crate) struct Hooks<H: ?Sized>(Option<Arc<HookLists<H>>>);

type HookList<H> = Arc<[Arc<Hook<H>>]>;

struct HookLists<H: ?Sized> {
    all: HookList<H>,
    /// The same list if no hook is bound.
    unbound: HookList<H>,
    bound: ByType<HookList<H>>,
}

/// A map by types: a `TypeId` is a hash already, and a call asks for five lists.
pub(crate) type ByType<T> = HashMap<TypeId, T, BuildHasherDefault<Id>>;

#[derive(Default)]
pub(crate) struct Id(u64);

impl Hasher for Id {
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_ne_bytes(word));
        }
    }

    fn write_u64(&mut self, word: u64) {
        self.0 ^= word;
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

impl<H: ?Sized> Default for Hooks<H> {
    fn default() -> Self {
        Self(None)
    }
}

impl<H: ?Sized> Clone for Hooks<H> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<H: ?Sized> Hooks<H> {
    pub(crate) fn of(all: Vec<Arc<Hook<H>>>) -> Self {
        if all.is_empty() {
            return Self(None);
        }
        let all: HookList<H> = all.into();
        let mut unbound: Vec<Arc<Hook<H>>> = Vec::new();
        let mut bound: ByType<Vec<Arc<Hook<H>>>> = ByType::default();
        for hook in all.iter() {
            if let Some(tool) = hook.bound {
                let applying = bound.entry(tool.id).or_insert_with(|| unbound.clone());
                applying.push(hook.clone());
            } else {
                unbound.push(hook.clone());
                for applying in bound.values_mut() {
                    applying.push(hook.clone());
                }
            }
        }
        Self(Some(Arc::new(HookLists {
            unbound: match bound.is_empty() {
                true => all.clone(),
                false => unbound.into(),
            },
            bound: bound.into_iter().map(|(id, it)| (id, it.into())).collect(),
            all,
        })))
    }

    pub(crate) fn all(&self) -> &[Arc<Hook<H>>] {
        self.0.as_ref().map_or(&[], |lists| &lists.all)
    }

    /// The hooks that apply to the tool of this handle, in registration order.
    pub(crate) fn for_tool(&self, tool: Option<TypeId>) -> &[Arc<Hook<H>>] {
        let Some(lists) = &self.0 else { return &[] };
        tool.and_then(|tool| lists.bound.get(&tool))
            .unwrap_or(&lists.unbound)
    }

    pub(crate) fn push(&mut self, hook: Arc<Hook<H>>) {
        let all = self.all().iter().cloned().chain([hook]);
        *self = Self::of(all.collect());
    }

    fn remove(&mut self, ids: &Range<EntryId>) {
        if self.all().iter().any(|hook| ids.contains(&hook.id)) {
            *self = Self::of(
                self.all()
                    .iter()
                    .filter(|hook| !ids.contains(&hook.id))
                    .cloned()
                    .collect(),
            );
        }
    }
}

/// A tool and the number of its registration; found by its name.
#[derive(Clone)]
pub(crate) struct ToolEntry {
    pub(crate) id: EntryId,
    pub(crate) definition: Arc<Definition>,
}

impl Borrow<str> for ToolEntry {
    fn borrow(&self) -> &str {
        self.definition.name()
    }
}

impl Hash for ToolEntry {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.definition.name().hash(state);
    }
}

impl PartialEq for ToolEntry {
    fn eq(&self, other: &Self) -> bool {
        self.definition.name() == other.definition.name()
    }
}

impl Eq for ToolEntry {}

/// Everything that is registered in one place.
#[derive(Clone, Default)]
pub(crate) struct Layer {
    /// In registration order. Shared: a new hook does not copy ten thousand tools.
    pub(crate) tools: Arc<IndexSet<ToolEntry>>,
    pub(crate) restrictions: Vec<(EntryId, Arc<Restriction>)>,
    pub(crate) guards: Hooks<dyn GuardObject>,
    pub(crate) pre: Hooks<dyn PreObject>,
    pub(crate) around: Hooks<dyn AroundObject>,
    pub(crate) post: Hooks<dyn PostObject>,
    pub(crate) observers: Hooks<dyn OnResultObject>,
    pub(crate) approver: Option<(EntryId, Arc<dyn ApproverObject>)>,
    pub(crate) presentation: Option<(EntryId, Presentation)>,
}

pub(crate) trait OnResultObject: Send + Sync {
    fn observe(&self, execution: &ToolExecution, result: &ToolResult) -> Result<(), ToolError>;
}

impl<O: OnResult> OnResultObject for Sheltered<O> {
    fn observe(&self, execution: &ToolExecution, result: &ToolResult) -> Result<(), ToolError> {
        (**self).observe(execution, result)
    }
}

impl Layer {
    /// Adds tools. All of them, or none if one name is taken.
    pub(crate) fn add_tools(
        &mut self,
        definitions: Vec<Arc<Definition>>,
        ids: Range<EntryId>,
    ) -> Result<(), RegisterError> {
        let tools = Arc::make_mut(&mut self.tools);
        tools.reserve_exact(definitions.len());
        let mut errors = Vec::new();
        for (id, definition) in ids.zip(definitions) {
            let name = definition.name();
            if let Some(taken) = tools.get(name) {
                errors.push(RegisterError::DuplicateTool {
                    tool: name.to_owned(),
                    first: taken.definition.settings.location,
                    second: definition.settings.location,
                });
            } else {
                tools.insert(ToolEntry { id, definition });
            }
        }
        RegisterError::collect(errors)
    }

    /// Ends the registrations of these numbers, of whatever kind.
    pub(crate) fn remove(&mut self, ids: &Range<EntryId>) {
        if self.tools.iter().any(|entry| ids.contains(&entry.id)) {
            // `retain` keeps the order of the others.
            Arc::make_mut(&mut self.tools).retain(|entry| !ids.contains(&entry.id));
        }
        self.restrictions.retain(|(id, _)| !ids.contains(id));
        self.guards.remove(ids);
        self.pre.remove(ids);
        self.around.remove(ids);
        self.post.remove(ids);
        self.observers.remove(ids);
        self.approver.take_if(|(id, _)| ids.contains(id));
        self.presentation.take_if(|(id, _)| ids.contains(id));
    }

    fn admits(&self, name: &str) -> bool {
        self.restrictions
            .iter()
            .all(|(_, restriction)| restriction.admits(name))
    }
}

/// A layer that changes: writers one after another, readers never waiting.
#[derive(Default)]
pub(crate) struct LayerCell {
    current: ArcSwap<Layer>,
    writing: Mutex<()>,
}

impl LayerCell {
    pub(crate) fn of(layer: Layer) -> Self {
        Self {
            current: ArcSwap::from_pointee(layer),
            writing: Mutex::new(()),
        }
    }

    pub(crate) fn load(&self) -> Arc<Layer> {
        self.current.load_full()
    }

    /// Changes the layer, wholly or (on an error) not at all. `epoch` moves on after the change is
    /// in place, so whoever sees the new epoch sees the change.
    pub(crate) fn edit(
        &self,
        epoch: &Epoch,
        change: impl FnOnce(&mut Layer) -> Result<(), RegisterError>,
    ) -> Result<(), RegisterError> {
        let writing = self.writing.lock().unwrap_or_else(PoisonError::into_inner);
        let mut layer = Layer::clone(&self.current.load());
        change(&mut layer)?;
        let replaced = self.current.swap(Arc::new(layer));
        epoch.advance();
        drop(writing);
        // What was registered is user code: its `Drop` may panic, and must not under the lock.
        crate::contain::drop_contained(replaced);
        Ok(())
    }
}

/// The layers that one scope sees, from the runtime's to its own, at one moment.
pub(crate) struct View {
    pub(crate) epoch: u64,
    layers: Box<[Arc<Layer>]>,
    /// Whether the last layer is a scope's own; otherwise there is only the runtime's.
    scoped: bool,
    /// What the nearest scope that says so declares.
    pub(crate) presentation: Option<Presentation>,
}

impl Stamped for View {
    fn epoch(&self) -> u64 {
        self.epoch
    }
}

impl View {
    pub(crate) fn new(epoch: u64, layers: Box<[Arc<Layer>]>) -> Self {
        let scoped = layers.len() > 1;
        let declared = |layer: &Arc<Layer>| layer.presentation.map(|(_, it)| it);
        let presentation = layers.iter().rev().find_map(declared);
        Self {
            epoch,
            layers,
            scoped,
            presentation,
        }
    }

    /// The layers from the runtime's to the scope's own.
    pub(crate) fn layers(&self) -> &[Arc<Layer>] {
        &self.layers
    }

    fn split(&self) -> (&[Arc<Layer>], Option<&Layer>) {
        match self.layers.split_last() {
            Some((own, inherited)) if self.scoped => (inherited, Some(own)),
            _ => (&self.layers, None),
        }
    }

    /// The tool of this name that the scope sees: its own, else the nearest inherited one that no
    /// restriction hides.
    pub(crate) fn find(&self, name: &str) -> Option<&Arc<Definition>> {
        let (inherited, own) = self.split();
        if let Some(entry) = own.and_then(|own| own.tools.get(name)) {
            return Some(&entry.definition);
        }
        let entry = inherited
            .iter()
            .rev()
            .find_map(|layer| layer.tools.get(name))?;
        self.admits(name).then_some(&entry.definition)
    }

    fn admits(&self, name: &str) -> bool {
        self.layers.iter().all(|layer| layer.admits(name))
    }

    /// All tools the scope inherits, hidden or not, shadows in the place of what they shadow.
    pub(crate) fn inherited(&self) -> IndexMap<&str, &Arc<Definition>> {
        let (inherited, _) = self.split();
        let mut tools = IndexMap::new();
        for layer in inherited {
            for entry in layer.tools.iter() {
                tools.insert(entry.definition.name(), &entry.definition);
            }
        }
        tools
    }

    /// What the scope sees: inherited tools in their order, then its own; a shadow keeps the place
    /// of what it shadows, or goes last if that one is hidden.
    pub(crate) fn catalog(&self) -> Vec<&Arc<Definition>> {
        let (inherited, own) = self.split();
        if let ([only], None) = (inherited, own) {
            return only.tools.iter().map(|entry| &entry.definition).collect();
        }
        let mut tools = self.inherited();
        tools.retain(|name, _| self.admits(name));
        for entry in own.into_iter().flat_map(|own| own.tools.iter()) {
            tools.insert(entry.definition.name(), &entry.definition);
        }
        tools.into_values().collect()
    }

    pub(crate) fn approver(&self) -> Option<&Arc<dyn ApproverObject>> {
        self.layers
            .iter()
            .rev()
            .find_map(|layer| layer.approver.as_ref())
            .map(|(_, it)| it)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Nothing;

    fn hook(number: EntryId, tool: Option<TypeId>) -> Arc<Hook<Nothing>> {
        Arc::new(Hook {
            id: number,
            name: "hook",
            bound: tool.map(|id| HandleInfo { id, name: "tool" }),
            scope: None,
            run: Nothing,
        })
    }

    #[test]
    fn hooks_apply_in_the_order_of_their_registration() {
        let (a, b, c) = (TypeId::of::<u8>(), TypeId::of::<u16>(), TypeId::of::<u32>());
        let mut hooks = Hooks::default();
        let bound = [None, Some(a), None, Some(b), Some(a), None];
        for (number, tool) in (1..).zip(bound) {
            hooks.push(hook(number, tool));
        }
        let ids = |hooks: &[Arc<Hook<Nothing>>]| hooks.iter().map(|it| it.id).collect::<Vec<_>>();
        assert_eq!(ids(hooks.for_tool(Some(a))), [1, 2, 3, 5, 6]);
        assert_eq!(ids(hooks.for_tool(Some(b))), [1, 3, 4, 6]);
        assert_eq!(ids(hooks.for_tool(Some(c))), [1, 3, 6]);
        assert_eq!(ids(hooks.for_tool(None)), [1, 3, 6]);
        hooks.remove(&(3..4));
        assert_eq!(ids(hooks.for_tool(Some(a))), [1, 2, 5, 6]);
        assert_eq!(ids(hooks.all()), [1, 2, 4, 5, 6]);
        hooks.remove(&(2..6));
        assert_eq!(ids(hooks.for_tool(Some(a))), [1, 6]);
    }
}
