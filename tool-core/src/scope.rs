//! Scopes: an agent, a session; what is registered in one exists there and below.

use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Weak};

use crate::approval::Approver;
use crate::code_mode::Offer;
use crate::contain::Sheltered;
use crate::definition::{IntoDefinition, RUN_CODE, ToolSchema};
use crate::dialect::{Dialect, Export};
use crate::epoch::Cached;
use crate::error::RegisterError;
use crate::hook::HookInfo;
use crate::presentation::Presentation;
use crate::registry::{EntryId, Hook, Layer, LayerCell, View, entry_ids};
use crate::runtime::Shared;

/// A place for registrations below the runtime: an agent, a session. A cheap handle.
///
/// Tools registered in a scope exist there and in its children, and shadow inherited ones of the
/// same name. Its guards and hooks see the calls of the scope and of its children only.
///
/// ```
/// use tool_core::{Restriction, ToolRuntime, tool};
///
/// /// Reads.
/// #[tool]
/// fn read() -> String { String::new() }
///
/// /// Writes.
/// #[tool]
/// fn write() -> String { String::new() }
///
/// let runtime = ToolRuntime::builder().tool(read {}).tool(write {}).build()?;
/// let agent = runtime.scope("agent1")?;
/// agent.restrict(Restriction::deny(["write"]))?;
/// assert_eq!(agent.schemas().len(), 1);
/// assert_eq!(runtime.schemas().len(), 2);
/// # Ok::<(), tool_core::RegisterError>(())
/// ```
#[doc(alias = "agent")]
#[derive(Clone)]
pub struct Scope {
    inner: Arc<ScopeInner>,
}

pub(crate) struct ScopeInner {
    id: Arc<str>,
    parent: Option<Scope>,
    shared: Arc<Shared>,
    cell: LayerCell,
    view: Cached<View>,
    disposed: AtomicBool,
}

impl Drop for ScopeInner {
    fn drop(&mut self) {
        if !self.disposed.load(Ordering::Acquire) {
            self.shared.release_scope(&self.id);
        }
    }
}

impl Scope {
    pub(crate) fn open(
        shared: &Arc<Shared>,
        id: &str,
        parent: Option<&Scope>,
    ) -> Result<Self, RegisterError> {
        if let Some(parent) = parent {
            parent.check_live()?;
        }
        let id = shared.reserve_scope(id)?;
        Ok(Self {
            inner: Arc::new(ScopeInner {
                id,
                parent: parent.cloned(),
                shared: shared.clone(),
                cell: LayerCell::default(),
                view: Cached::new(),
                disposed: AtomicBool::new(false),
            }),
        })
    }

    /// A scope below this one.
    ///
    /// # Errors
    ///
    /// If a live scope of the runtime has this id, or this scope was disposed.
    pub fn child(&self, id: impl AsRef<str>) -> Result<Scope, RegisterError> {
        Self::open(&self.inner.shared, id.as_ref(), Some(self))
    }

    /// The scope's id.
    pub fn id(&self) -> &str {
        &self.inner.id
    }

    /// The scope this one is below; `None` directly below the runtime.
    pub fn parent(&self) -> Option<&Scope> {
        self.inner.parent.as_ref()
    }

    /// Limits what the scope and its children inherit; never what the scope itself registers.
    /// Several restrictions intersect.
    ///
    /// # Errors
    ///
    /// If a name is not inherited, or there is neither an allow list nor a deny list.
    ///
    /// # Examples
    ///
    /// ```
    /// use tool_core::{Restriction, ToolRuntime, tool};
    ///
    /// /// Reads.
    /// #[tool]
    /// fn read() -> String { String::new() }
    ///
    /// /// Writes.
    /// #[tool]
    /// fn write() -> String { String::new() }
    ///
    /// let runtime = ToolRuntime::builder().tool(read {}).tool(write {}).build()?;
    /// let guest = runtime.scope("guest")?;
    /// let restricted = guest.restrict(Restriction::deny(["write"]))?;
    /// assert_eq!(guest.schemas().len(), 1);
    /// restricted.dispose();
    /// assert_eq!(guest.schemas().len(), 2);
    /// # Ok::<(), tool_core::RegisterError>(())
    /// ```
    #[doc(alias = "ToolRestriction")]
    pub fn restrict(&self, restriction: Restriction) -> Result<Registration, RegisterError> {
        self.check_live()?;
        if restriction.allow.is_none() && restriction.deny.is_none() {
            return Err(RegisterError::EmptyRestriction);
        }
        if restriction.names().any(|name| name == RUN_CODE) {
            return Err(RegisterError::ReservedRestrictionTarget {
                tool: RUN_CODE.to_owned(),
            });
        }
        let view = self.view();
        let inherited = view.inherited();
        let names: Vec<String> = restriction
            .names()
            .filter(|name| !inherited.contains_key(name))
            .map(str::to_owned)
            .collect();
        if !names.is_empty() {
            return Err(RegisterError::UnknownRestrictionTarget {
                scope: self.id().to_owned(),
                names,
                inherited: inherited.keys().map(|&name| name.to_owned()).collect(),
            });
        }
        self.add(|layer, id| {
            layer.restrictions.push((id, Arc::new(restriction)));
            Ok(())
        })
    }

    /// Presents the tools of this scope and its children in another way than the runtime does.
    ///
    /// # Errors
    ///
    /// If the scope has declared one already.
    pub fn present_as(&self, presentation: Presentation) -> Result<Registration, RegisterError> {
        self.add(|layer, id| {
            if layer.presentation.is_some() {
                return Err(RegisterError::DuplicatePresentation {
                    scope: self.id().to_owned(),
                });
            }
            layer.presentation = Some((id, presentation));
            Ok(())
        })
    }

    /// Ends everything that is registered in this scope; children keep their own. Its id is free
    /// again. Doing it twice is harmless.
    pub fn dispose(&self) {
        if !self.inner.disposed.swap(true, Ordering::AcqRel) {
            self.inner.shared.release_scope(&self.inner.id);
        }
        let cleared = self.inner.cell.edit(&self.inner.shared.epoch, |layer| {
            *layer = Layer::default();
            Ok(())
        });
        debug_assert!(cleared.is_ok(), "clearing refuses nothing");
    }

    /// The tools that a model is sent by name here, in a stable order: global, ancestors from the
    /// top, own; as the [`Presentation`] says.
    pub fn schemas(&self) -> Vec<Arc<ToolSchema>> {
        crate::runtime::schemas_of(&self.inner.shared, &self.view())
    }

    /// All tools visible here in the same order, whoever may call them; and last `run_code`, if the
    /// presentation has it.
    pub fn catalog(&self) -> Vec<Arc<ToolSchema>> {
        crate::runtime::catalog_of(&self.inner.shared, &self.view())
    }

    /// What a model is told of the tools here: by name, and in its system prompt.
    ///
    /// # Errors
    ///
    /// If the presentation needs a code runtime, and there is none.
    pub fn offer(&self) -> Result<Offer, RegisterError> {
        Offer::new(&self.inner.shared, &self.view())
    }

    /// The tools visible here as a provider takes them, with a report of what its dialect cannot express.
    pub fn export(&self, dialect: Dialect) -> Export {
        crate::runtime::export_of(&self.inner.shared, &self.view(), dialect)
    }

    pub(crate) fn view(&self) -> Arc<View> {
        self.inner.view.get(&self.inner.shared.epoch, |epoch| {
            let mut layers = vec![self.inner.cell.load()];
            let mut parent = self.inner.parent.as_ref();
            while let Some(scope) = parent {
                layers.push(scope.inner.cell.load());
                parent = scope.inner.parent.as_ref();
            }
            layers.push(self.inner.shared.global.load());
            layers.reverse();
            View::new(epoch, layers.into_boxed_slice())
        })
    }

    fn add(
        &self,
        add: impl FnOnce(&mut Layer, EntryId) -> Result<(), RegisterError>,
    ) -> Result<Registration, RegisterError> {
        let ids = entry_ids(1);
        self.edit(|layer| {
            self.check_live()?;
            add(layer, ids.start)
        })?;
        Ok(self.registration(ids))
    }
}

impl fmt::Debug for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Scope")
            .field("id", &self.inner.id)
            .finish_non_exhaustive()
    }
}

impl PartialEq for Scope {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.inner, &other.inner)
    }
}

impl Eq for Scope {}

/// Where registrations go: the runtime or a scope. The one implementation of registering.
pub(crate) trait Target {
    fn edit(
        &self,
        change: impl FnOnce(&mut Layer) -> Result<(), RegisterError>,
    ) -> Result<(), RegisterError>;
    /// Refuses what a disposed scope no longer takes. Asked under the writers' lock: a disposal cannot
    /// come between check and change.
    fn check_live(&self) -> Result<(), RegisterError>;
    fn registration(&self, ids: Range<EntryId>) -> Registration;
    fn runtime(&self) -> &Arc<Shared>;
    fn scope_id(&self) -> Option<Arc<str>>;
}

impl Target for Scope {
    fn edit(
        &self,
        change: impl FnOnce(&mut Layer) -> Result<(), RegisterError>,
    ) -> Result<(), RegisterError> {
        self.inner.cell.edit(&self.inner.shared.epoch, change)
    }

    fn check_live(&self) -> Result<(), RegisterError> {
        if self.inner.disposed.load(Ordering::Acquire) {
            return Err(RegisterError::DisposedScope {
                scope: self.id().to_owned(),
            });
        }
        Ok(())
    }

    fn registration(&self, ids: Range<EntryId>) -> Registration {
        Registration {
            owner: Owner::Scope(Arc::downgrade(&self.inner)),
            ids,
        }
    }

    fn runtime(&self) -> &Arc<Shared> {
        &self.inner.shared
    }

    fn scope_id(&self) -> Option<Arc<str>> {
        Some(self.inner.id.clone())
    }
}

impl Target for Arc<Shared> {
    fn edit(
        &self,
        change: impl FnOnce(&mut Layer) -> Result<(), RegisterError>,
    ) -> Result<(), RegisterError> {
        self.global.edit(&self.epoch, change)
    }

    fn check_live(&self) -> Result<(), RegisterError> {
        Ok(())
    }

    fn registration(&self, ids: Range<EntryId>) -> Registration {
        Registration {
            owner: Owner::Runtime(Arc::downgrade(self)),
            ids,
        }
    }

    fn runtime(&self) -> &Arc<Shared> {
        self
    }

    fn scope_id(&self) -> Option<Arc<str>> {
        None
    }
}

pub(crate) fn register_all(
    target: &impl Target,
    tools: impl IntoIterator<Item = impl IntoDefinition>,
) -> Result<Registration, RegisterError> {
    let Shared {
        states, workshop, ..
    } = &**target.runtime();
    let prepared: Vec<_> = tools
        .into_iter()
        .map(|tool| workshop.prepare(tool.into_definition(), states))
        .collect();
    let mut definitions = Vec::with_capacity(prepared.len());
    let mut errors = Vec::new();
    for definition in prepared {
        match definition {
            Ok(definition) => definitions.push(definition),
            Err(error) => errors.push(error),
        }
    }
    RegisterError::collect(errors)?;
    let ids = entry_ids(definitions.len());
    target.edit(|layer| {
        target.check_live()?;
        layer.add_tools(definitions, ids.clone())
    })?;
    Ok(target.registration(ids))
}

/// Adds one hook. Also to a scope that was disposed: calls can still be made in it, and no policy
/// about them may be lost without a word.
pub(crate) fn add_hook<K, H>(
    target: &impl Target,
    info: &HookInfo,
    run: K,
    push: impl FnOnce(&mut Layer, Arc<Hook<Sheltered<K>>>) -> H,
) -> Registration {
    let hook = Arc::new(Hook::new(info, target.scope_id(), run));
    let ids = hook.id..hook.id + 1;
    let added = target.edit(|layer| {
        push(layer, hook);
        Ok(())
    });
    debug_assert!(added.is_ok(), "a hook is never refused");
    target.registration(ids)
}

pub(crate) fn add_approver(
    target: &impl Target,
    approver: impl Approver,
) -> Result<Registration, RegisterError> {
    let ids = entry_ids(1);
    target.edit(|layer| {
        target.check_live()?;
        if layer.approver.is_some() {
            let layer = target.scope_id().map_or_else(
                || "the runtime".to_owned(),
                |scope| format!("scope `{scope}`"),
            );
            return Err(RegisterError::DuplicateApprover { layer });
        }
        layer.approver = Some((ids.start, Arc::new(Sheltered::new(approver))));
        Ok(())
    })?;
    Ok(target.registration(ids))
}

/// The registering methods of [`ToolRuntime`](crate::ToolRuntime) and [`Scope`]: the same words, the same behaviour.
macro_rules! registering {
    ($type:ty) => {
        impl $type {
            /// Registers a tool here.
            ///
            /// # Errors
            ///
            /// If the name is taken or reserved here, or the definition cannot be enforced.
            #[doc(alias = "defineTool")]
            pub fn register(
                &self,
                tool: impl crate::IntoDefinition,
            ) -> Result<crate::Registration, crate::RegisterError> {
                crate::scope::register_all(self.target(), [tool])
            }

            /// Registers tools here, all or none, in one step: readers see none or all of them.
            ///
            /// # Errors
            ///
            /// Every mistake of every tool, see [`RegisterError::all`](crate::RegisterError::all).
            pub fn register_all(
                &self,
                tools: impl IntoIterator<Item = impl crate::IntoDefinition>,
            ) -> Result<crate::Registration, crate::RegisterError> {
                crate::scope::register_all(self.target(), tools)
            }

            /// Registers a guard here.
            pub fn guard(&self, guard: impl crate::Guard) -> crate::Registration {
                crate::scope::add_hook(self.target(), &guard.__info(), guard, |layer, hook| {
                    layer.guards.push(hook)
                })
            }

            /// Registers a pre-execute hook here.
            pub fn pre_execute(&self, hook: impl crate::PreExecute) -> crate::Registration {
                crate::scope::add_hook(self.target(), &hook.__info(), hook, |layer, hook| {
                    layer.pre.push(hook)
                })
            }

            /// Registers an around-execute hook here.
            pub fn around_execute(&self, hook: impl crate::AroundExecute) -> crate::Registration {
                crate::scope::add_hook(self.target(), &hook.__info(), hook, |layer, hook| {
                    layer.around.push(hook)
                })
            }

            /// Registers a post-execute hook here.
            pub fn post_execute(&self, hook: impl crate::PostExecute) -> crate::Registration {
                crate::scope::add_hook(self.target(), &hook.__info(), hook, |layer, hook| {
                    layer.post.push(hook)
                })
            }

            /// Registers an observer of final results here.
            pub fn on_result(&self, observer: impl crate::OnResult) -> crate::Registration {
                crate::scope::add_hook(
                    self.target(),
                    &observer.__info(),
                    observer,
                    |layer, hook| layer.observers.push(hook),
                )
            }

            /// Registers the approver here; the one nearest to a call is asked.
            ///
            /// # Errors
            ///
            /// If there is one here already.
            pub fn approver(
                &self,
                approver: impl crate::Approver,
            ) -> Result<crate::Registration, crate::RegisterError> {
                crate::scope::add_approver(self.target(), approver)
            }
        }
    };
}
pub(crate) use registering;

impl Scope {
    fn target(&self) -> &Self {
        self
    }
}

registering!(Scope);

/// Which inherited tools a scope sees: an allow list, a deny list, or both (deny wins).
///
/// ```
/// use tool_core::Restriction;
///
/// let reading = Restriction::allow(["read", "list"]);
/// let no_rm = Restriction::deny(["rm"]);
/// let both = Restriction::allow(["read", "write"]).and_deny(["write"]);
/// # let _ = (reading, no_rm, both);
/// ```
#[doc(alias = "ToolRestriction")]
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Restriction {
    allow: Option<Vec<String>>,
    deny: Option<Vec<String>>,
}

impl Restriction {
    /// Only these. An empty list hides everything that is inherited.
    pub fn allow(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            allow: Some(names.into_iter().map(Into::into).collect()),
            deny: None,
        }
    }

    /// All but these. An empty list hides nothing.
    pub fn deny(names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        Self {
            allow: None,
            deny: Some(names.into_iter().map(Into::into).collect()),
        }
    }

    /// And none of these, even where the allow list has them.
    #[must_use]
    pub fn and_deny(mut self, names: impl IntoIterator<Item = impl Into<String>>) -> Self {
        self.deny
            .get_or_insert_default()
            .extend(names.into_iter().map(Into::into));
        self
    }

    pub(crate) fn admits(&self, name: &str) -> bool {
        let listed = |names: &Vec<String>| names.iter().any(|listed| listed == name);
        self.allow.as_ref().is_none_or(listed) && !self.deny.as_ref().is_some_and(listed)
    }

    fn names(&self) -> impl Iterator<Item = &str> {
        self.allow
            .iter()
            .chain(&self.deny)
            .flatten()
            .map(String::as_str)
    }
}

/// What was registered, to end it. Dropping the handle leaves the registration in place.
///
/// ```
/// use tool_core::{ToolExecution, ToolRuntime};
///
/// let runtime = ToolRuntime::builder().build().unwrap();
/// let closed = runtime.guard(|_: &ToolExecution| Some("closed for the night"));
/// // in the morning
/// closed.dispose();
/// ```
#[derive(Clone)]
pub struct Registration {
    owner: Owner,
    ids: Range<EntryId>,
}

#[derive(Clone)]
enum Owner {
    Runtime(Weak<Shared>),
    Scope(Weak<ScopeInner>),
}

impl Registration {
    /// Ends the registration. Doing it twice is harmless. Calls that have started keep their
    /// definition; calls that have not no longer find it.
    pub fn dispose(&self) {
        let remove = |layer: &mut Layer| {
            layer.remove(&self.ids);
            Ok(())
        };
        let removed = match &self.owner {
            Owner::Runtime(shared) => shared
                .upgrade()
                .map(|shared| shared.global.edit(&shared.epoch, remove)),
            Owner::Scope(scope) => scope
                .upgrade()
                .map(|scope| scope.cell.edit(&scope.shared.epoch, remove)),
        };
        debug_assert!(
            removed.is_none_or(|removed| removed.is_ok()),
            "removing refuses nothing"
        );
    }
}

impl fmt::Debug for Registration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Registration")
            .field("ids", &self.ids)
            .finish_non_exhaustive()
    }
}
