//! Where types are in a program, and what else its text says.

use oxc_ast::ast::{
    AccessorProperty, Argument, ArrowFunctionExpression, BindingIdentifier, CallExpression, Class,
    ClassElement, ComputedMemberExpression, Decorator, DoWhileStatement, Expression,
    ExpressionStatement, ForInStatement, ForOfStatement, ForStatement, FormalParameter, Function,
    IdentifierReference, ImportExpression, MethodDefinition, MethodDefinitionType,
    ModuleDeclaration, NewExpression, PropertyDefinition, PropertyDefinitionType, ReturnStatement,
    StaticMemberExpression, TSAsExpression, TSEnumDeclaration, TSExternalModuleDeclaration,
    TSGlobalDeclaration, TSImportEqualsDeclaration, TSInterfaceDeclaration, TSNamespaceDeclaration,
    TSNonNullExpression, TSSatisfiesExpression, TSThisParameter, TSTypeAliasDeclaration,
    TSTypeAnnotation, TSTypeAssertion, TSTypeParameterDeclaration, TSTypeParameterInstantiation,
    ThrowStatement, UnaryExpression, UnaryOperator, VariableDeclaration, VariableDeclarator,
    WhileStatement,
};
use oxc_ast_visit::{Visit, walk};
use oxc_parser::Kind;
use oxc_span::{GetSpan, Span};
use oxc_syntax::scope::ScopeFlags;

use crate::eraser::Eraser;
use crate::facts::Ends;
use crate::syntax;

pub(crate) const ENUM: (&str, &str) = (
    "`enum` has no meaning once types are erased",
    "write `const Color = { Red: 0, Green: 1 } as const`",
);
pub(crate) const NAMESPACE: (&str, &str) = (
    "`namespace` has no meaning once types are erased",
    "write a plain object or function",
);
pub(crate) const PROPERTY: (&str, &str) = (
    "a parameter property has no meaning once types are erased",
    "declare the field in the class and assign it in the constructor",
);
pub(crate) const DECORATOR: (&str, &str) =
    ("decorators do not run here", "call the function yourself");
pub(crate) const ASSERTION: (&str, &str) = (
    "this `<T>` assertion cannot be erased in place",
    "write `(x as T)`",
);
pub(crate) const BROKEN: (&str, &str) = (
    "type parameters that begin a function may not break the line",
    "write them on one line",
);

fn ends(test: Option<&Expression<'_>>) -> Ends {
    match test {
        None => Ends::Never,
        Some(Expression::BooleanLiteral(test)) if test.value => Ends::Never,
        Some(Expression::NumericLiteral(test)) if test.value != 0.0 => Ends::Never,
        Some(_) => Ends::Perhaps,
    }
}

impl<'a> Visit<'a> for Eraser<'_> {
    fn visit_ts_type_annotation(&mut self, it: &TSTypeAnnotation<'a>) {
        self.blank(it.span);
    }

    fn visit_ts_type_parameter_declaration(&mut self, it: &TSTypeParameterDeclaration<'a>) {
        self.blank(it.span);
    }

    fn visit_ts_type_parameter_instantiation(&mut self, it: &TSTypeParameterInstantiation<'a>) {
        self.blank(it.span);
    }

    fn visit_ts_as_expression(&mut self, it: &TSAsExpression<'a>) {
        self.visit_expression(&it.expression);
        self.cast(it.expression.span().end, it.span);
    }

    fn visit_ts_satisfies_expression(&mut self, it: &TSSatisfiesExpression<'a>) {
        self.visit_expression(&it.expression);
        self.cast(it.expression.span().end, it.span);
    }

    fn visit_ts_non_null_expression(&mut self, it: &TSNonNullExpression<'a>) {
        self.visit_expression(&it.expression);
        self.blank_first(it.expression.span().end, it.span.end, &[Kind::Bang]);
    }

    fn visit_ts_type_assertion(&mut self, it: &TSTypeAssertion<'a>) {
        let gone = Span::new(it.span.start, it.expression.span().start);
        let opens = matches!(
            it.expression,
            Expression::ObjectExpression(_)
                | Expression::FunctionExpression(_)
                | Expression::ClassExpression(_)
        );
        if self.breaks_line(gone) || (opens && self.starts.contains(&it.span.start)) {
            self.refuse(it.span.start, ASSERTION.0, ASSERTION.1);
        }
        self.blank(gone);
        self.visit_expression(&it.expression);
    }

    fn visit_expression_statement(&mut self, it: &ExpressionStatement<'a>) {
        self.starts.push(it.expression.span().start);
        walk::walk_expression_statement(self, it);
        self.starts.pop();
    }

    fn visit_ts_type_alias_declaration(&mut self, it: &TSTypeAliasDeclaration<'a>) {
        self.blank_whole(it.span);
    }

    fn visit_ts_interface_declaration(&mut self, it: &TSInterfaceDeclaration<'a>) {
        self.blank_whole(it.span);
    }

    fn visit_variable_declaration(&mut self, it: &VariableDeclaration<'a>) {
        if it.declare {
            self.blank_whole(it.span);
        } else {
            walk::walk_variable_declaration(self, it);
        }
    }

    fn visit_variable_declarator(&mut self, it: &VariableDeclarator<'a>) {
        if it.definite {
            let end = it
                .type_annotation
                .as_ref()
                .map_or(it.span.end, |ty| ty.span.start);
            self.blank_first(it.id.span().end, end, &[Kind::Bang]);
        }
        walk::walk_variable_declarator(self, it);
    }

    fn visit_function(&mut self, it: &Function<'a>, flags: ScopeFlags) {
        if it.declare || it.body.is_none() {
            self.blank_whole(it.span);
        } else {
            self.functions += 1;
            self.facts.has_function(it.span);
            walk::walk_function(self, it, flags);
            self.functions -= 1;
        }
    }

    fn visit_ts_this_parameter(&mut self, it: &TSThisParameter<'a>) {
        let comma = self
            .next_token(it.span.end)
            .filter(|token| token.kind() == Kind::Comma);
        self.blank(Span::new(
            it.span.start,
            comma.map_or(it.span.end, |token| token.end()),
        ));
    }

    fn visit_formal_parameter(&mut self, it: &FormalParameter<'a>) {
        if it.accessibility.is_some() || it.readonly || it.r#override {
            self.refuse(it.span.start, PROPERTY.0, PROPERTY.1);
        }
        if it.optional {
            let end = match (&it.type_annotation, &it.initializer) {
                (Some(ty), _) => ty.span.start,
                (None, Some(value)) => value.span().start,
                (None, None) => it.span.end,
            };
            self.blank_first(it.pattern.span().end, end, &[Kind::Question]);
        }
        walk::walk_formal_parameter(self, it);
    }

    fn visit_arrow_function_expression(&mut self, it: &ArrowFunctionExpression<'a>) {
        if let Some(parameters) = &it.type_parameters
            && self.breaks_line(parameters.span)
        {
            self.refuse(parameters.span.start, BROKEN.0, BROKEN.1);
        }
        // JavaScript allows no line break between `)` and `=>`, so `)` moves down to the arrow.
        if let Some(ty) = &it.return_type
            && self.breaks_line(Span::new(it.params.span.end, ty.span.end))
        {
            self.puts.push((it.params.span.end - 1, ' '));
            self.puts.push((ty.span.end - 1, ')'));
        }
        let body = it.body.span().start;
        self.starts.push(body);
        self.functions += 1;
        self.facts.has_function(it.span);
        walk::walk_arrow_function_expression(self, it);
        self.functions -= 1;
        self.starts.pop();
    }

    fn visit_class(&mut self, it: &Class<'a>) {
        if it.declare {
            self.blank_whole(it.span);
            return;
        }
        if it.r#abstract {
            self.blank_first(it.span.start, it.body.span.start, &[Kind::Abstract]);
        }
        if let Some(last) = it.implements.last() {
            let first = it
                .implements
                .first()
                .map_or(last.span.start, |first| first.span.start);
            let word = self
                .between(it.span.start, first)
                .filter(|token| token.kind() == Kind::Implements)
                .last();
            if let Some(word) = word {
                self.blank(Span::new(word.start(), last.span.end));
            }
        }
        walk::walk_class(self, it);
    }

    fn visit_class_element(&mut self, it: &ClassElement<'a>) {
        if let ClassElement::TSIndexSignature(signature) = it {
            self.blank_whole(signature.span);
        } else {
            walk::walk_class_element(self, it);
        }
    }

    fn visit_method_definition(&mut self, it: &MethodDefinition<'a>) {
        let bodiless = it.value.body.is_none();
        if bodiless || it.r#type == MethodDefinitionType::TSAbstractMethodDefinition {
            self.blank_whole(it.span);
            return;
        }
        self.modifiers(it.span.start, &it.key);
        if it.optional {
            self.blank_first(
                it.key.span().end,
                it.value.params.span.start,
                &[Kind::Question],
            );
        }
        walk::walk_method_definition(self, it);
    }

    fn visit_property_definition(&mut self, it: &PropertyDefinition<'a>) {
        if it.declare || it.r#type == PropertyDefinitionType::TSAbstractPropertyDefinition {
            self.blank_whole(it.span);
            return;
        }
        self.modifiers(it.span.start, &it.key);
        if it.optional || it.definite {
            let end = match (&it.type_annotation, &it.value) {
                (Some(ty), _) => ty.span.start,
                (None, Some(value)) => value.span().start,
                (None, None) => it.span.end,
            };
            self.blank_first(it.key.span().end, end, &[Kind::Question, Kind::Bang]);
        }
        walk::walk_property_definition(self, it);
    }

    fn visit_accessor_property(&mut self, it: &AccessorProperty<'a>) {
        self.refuse(
            it.span.start,
            "`accessor` fields do not run here",
            "write a getter and a setter",
        );
    }

    fn visit_decorator(&mut self, it: &Decorator<'a>) {
        self.refuse(it.span.start, DECORATOR.0, DECORATOR.1);
    }

    fn visit_ts_enum_declaration(&mut self, it: &TSEnumDeclaration<'a>) {
        if it.declare {
            self.blank_whole(it.span);
        } else {
            self.refuse(it.span.start, ENUM.0, ENUM.1);
        }
    }

    fn visit_ts_namespace_declaration(&mut self, it: &TSNamespaceDeclaration<'a>) {
        if it.declare {
            self.blank_whole(it.span);
        } else {
            self.refuse(it.span.start, NAMESPACE.0, NAMESPACE.1);
        }
    }

    fn visit_ts_external_module_declaration(&mut self, it: &TSExternalModuleDeclaration<'a>) {
        self.blank_whole(it.span);
    }

    fn visit_ts_global_declaration(&mut self, it: &TSGlobalDeclaration<'a>) {
        self.blank_whole(it.span);
    }

    fn visit_ts_import_equals_declaration(&mut self, it: &TSImportEqualsDeclaration<'a>) {
        self.refuse(
            it.span.start,
            "`import x = ...` does not run here",
            syntax::NO_MODULES,
        );
    }

    fn visit_module_declaration(&mut self, it: &ModuleDeclaration<'a>) {
        if let ModuleDeclaration::ImportDeclaration(it) = it {
            self.refuse(
                it.span.start,
                "`import` does not work in a program",
                syntax::NO_MODULES,
            );
        } else {
            let hint = "end the program with `return value`";
            self.refuse(it.span().start, "a program exports nothing", hint);
        }
    }

    fn visit_import_expression(&mut self, it: &ImportExpression<'a>) {
        self.refuse(
            it.span.start,
            "`import()` does not work in a program",
            syntax::NO_MODULES,
        );
    }

    // What messages want to know of a program, gathered on the way.

    fn visit_binding_identifier(&mut self, it: &BindingIdentifier<'a>) {
        self.facts.declares(&it.name);
    }

    fn visit_identifier_reference(&mut self, it: &IdentifierReference<'a>) {
        self.facts.names(&it.name);
    }

    fn visit_unary_expression(&mut self, it: &UnaryExpression<'a>) {
        if it.operator == UnaryOperator::Typeof
            && let Expression::Identifier(name) = &it.argument
        {
            self.facts.asks_type_of(name.span, &name.name);
        }
        walk::walk_unary_expression(self, it);
    }

    fn visit_return_statement(&mut self, it: &ReturnStatement<'a>) {
        if self.functions == 0 {
            self.facts.returns(it.span.start);
        }
        walk::walk_return_statement(self, it);
    }

    fn visit_throw_statement(&mut self, it: &ThrowStatement<'a>) {
        self.facts.throws(
            it.span.start,
            matches!(it.argument, Expression::NullLiteral(_)),
        );
        walk::walk_throw_statement(self, it);
    }

    fn visit_new_expression(&mut self, it: &NewExpression<'a>) {
        if matches!(&it.callee, Expression::Identifier(name) if name.name == "Promise") {
            self.facts.makes_promise(it.span.start);
        }
        walk::walk_new_expression(self, it);
    }

    fn visit_while_statement(&mut self, it: &WhileStatement<'a>) {
        self.facts.has_loop(it.span, ends(Some(&it.test)));
        walk::walk_while_statement(self, it);
    }

    fn visit_do_while_statement(&mut self, it: &DoWhileStatement<'a>) {
        self.facts.has_loop(it.span, ends(Some(&it.test)));
        walk::walk_do_while_statement(self, it);
    }

    fn visit_for_statement(&mut self, it: &ForStatement<'a>) {
        self.facts.has_loop(it.span, ends(it.test.as_ref()));
        walk::walk_for_statement(self, it);
    }

    fn visit_for_in_statement(&mut self, it: &ForInStatement<'a>) {
        self.facts.has_loop(it.span, Ends::ByItself);
        walk::walk_for_in_statement(self, it);
    }

    fn visit_for_of_statement(&mut self, it: &ForOfStatement<'a>) {
        self.facts.has_loop(it.span, Ends::ByItself);
        walk::walk_for_of_statement(self, it);
    }

    fn visit_call_expression(&mut self, it: &CallExpression<'a>) {
        match &it.callee {
            Expression::Identifier(name) => self.facts.calls(name.span, None),
            Expression::StaticMemberExpression(member) => {
                self.facts.calls(member.span, Some(member.object.span()));
            }
            _ => {}
        }
        if matches!(it.arguments.first(), Some(Argument::NullLiteral(_))) {
            self.facts.rejects_with_null();
        }
        walk::walk_call_expression(self, it);
    }

    fn visit_static_member_expression(&mut self, it: &StaticMemberExpression<'a>) {
        if matches!(&it.object, Expression::Identifier(name) if name.name == "tools") {
            self.facts.reaches_for(it.span.start, &it.property.name);
        }
        walk::walk_static_member_expression(self, it);
    }

    fn visit_computed_member_expression(&mut self, it: &ComputedMemberExpression<'a>) {
        if matches!(&it.object, Expression::Identifier(name) if name.name == "tools")
            && let Expression::StringLiteral(name) = &it.expression
        {
            self.facts.reaches_for(it.span.start, &name.value);
        }
        walk::walk_computed_member_expression(self, it);
    }
}
