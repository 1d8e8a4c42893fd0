// The grammar of ECMAScript 2025 (ECMA-262 13 to 16) and of using, always strict. LALR(1) without a conflict; every
// action is one call of the Builder, which makes the node and checks what rules cannot say.
//
// The skeleton is that of C: compiled as C++ it needs a third of the instructions of lalr1.cc.
//
// How the ambiguous places are decided (README.md tells it at length):
// - Semicolons: `semi: ";" | error`. A syntax error where `error` can be shifted, before "}", the end or after a line
//   break, is a semicolon that the text leaves out; every other one ends the parse. See report_syntax_error below.
// - "{", function, class and async function at the start of a statement are tokens of their own; START tells the lexer,
//   or changes the token if it was read already.
// - "/" where an operand must stand: a mid-rule action has the lexer read a regular expression from there.
// - Arrow heads and assignment patterns are read as expressions and re-read as patterns (build_pattern.cpp).
%require "3.8"
%language "c"
%define api.pure full
%define api.prefix {scr_}
%define api.token.prefix {T_}
%define api.symbol.prefix {S_}
%define api.location.type {scr::Span}
%define api.token.raw
%define parse.error custom
%locations
%expect 0
%param { scr::Builder& b }

%code requires {
#include "grammar/builder.h"
}

%union {
    scr::TokenValue token; // written by the lexer; the next three read it
    scr::Name* name;
    double number;
    scr::TemplateChunk* chunk;
    scr::Expr* expr;
    scr::Stmt* stmt;
    scr::Node* node;
    scr::Key key;
    scr::ModuleName moduleName;
    scr::Elements elements;
    scr::ArrowHead head;
    scr::Parameters parameters;
    scr::IfChain chain;
    scr::Identifier* identifier;
    scr::FunctionNode* function;
    scr::Class* definition;
    scr::ClassMember* member;
    scr::Property* property;
    scr::TemplateLiteral* literal;
    scr::PatternElement* element;
    scr::PatternProperty* patternProperty;
    scr::Declarator* declarator;
    scr::SwitchCase* switchCase;
    scr::CatchClause* handler;
    scr::BlockStatement* block;
    scr::Labeled* labeled;
    scr::Scope* scope;
    scr::ImportSpecifier* importSpecifier;
    scr::ImportAttribute* attribute;
    scr::ExportSpecifier* exportSpecifier;
    scr::DeclarationKind declarationKind;
    scr::List<scr::Expr*> exprs;
    scr::List<scr::Stmt*> stmts;
    scr::List<scr::Property*> properties;
    scr::List<scr::ClassMember*> members;
    scr::List<scr::PatternElement*> elementList;
    scr::List<scr::PatternProperty*> patternProperties;
    scr::List<scr::Declarator*> declarators;
    scr::List<scr::SwitchCase*> cases;
    scr::List<scr::ImportSpecifier*> importSpecifiers;
    scr::List<scr::ImportAttribute*> attributes;
    scr::List<scr::ExportSpecifier*> exportSpecifiers;
}

%code {
#include "grammar/explain.h"

// Room for what maximumNesting permits and a little more; the stack never grows.
#define YYINITDEPTH 4000
#define YYMAXDEPTH YYINITDEPTH
#define YYLLOC_DEFAULT(Current, Rhs, N) \
    do { \
        if (N) { \
            (Current).begin = YYRHSLOC(Rhs, 1).begin; \
            (Current).end = YYRHSLOC(Rhs, N).end; \
        } else { \
            (Current).begin = (Current).end = YYRHSLOC(Rhs, 0).end; \
        } \
    } while (0)

// A statement may start here: the lexer must know, or the token that was read ahead changes.
#define START() \
    do { \
        b.noteStatement(); \
        b.checkDepth(yyssp - yyss, yychar == T_SCR_EMPTY ? *yylsp : yylloc); \
        if (yychar == T_SCR_EMPTY) \
            b.lexer.startStatement(); \
        else \
            yychar = scr::Lexer::restate(yychar, true, true); \
    } while (0)

// Every nest of expressions has an innermost operand, so counting there is enough.
#define DEPTH(span) b.checkDepth(yyssp - yyss, span)

// An arrow function ended before the token that was read ahead: await in it means what it means outside.
#define LEFT_ARROW_FUNCTION() \
    do { \
        if (yychar == T_AWAIT && !b.isAwaitKeyword()) \
            yychar = T_IDENTIFIER; \
        else if (yychar == T_IDENTIFIER && yylval.name == b.names.await && b.isAwaitKeyword() \
                 && b.lexer.isExactly(yylloc, "await")) \
            yychar = T_AWAIT; \
    } while (0)

static void yyerror(const scr::Span* span, scr::Builder& b, const char*);

#define NODE(Type, ...) b.make<scr::Type>(__VA_ARGS__)

static int yylex(SCR_STYPE* value, scr::Span* span, scr::Builder& b) {
    return b.lexer.next(value->token, *span);
}

using namespace scr;
}

%token YYEOF 0 "end of input"
%token <name>
    IDENTIFIER "identifier" PRIVATE_NAME "private name" STRING "string" BIGINT "BigInt"
    AS "as" ASYNC "async" FROM "from" GET "get" OF "of" SET "set" USING "using"
%token <number> NUMBER "number"
%token <chunk> TEMPLATE "template" TEMPLATE_HEAD "template string" TEMPLATE_MIDDLE "} of a template"
    TEMPLATE_TAIL "end of a template"
%token REGEXP "regular expression"
    ESCAPED_KEYWORD "keyword with escapes" RESERVED "reserved word" ENUM "enum"
    AWAIT "await" AWAIT_USING "await using" ASYNC_FUNCTION "async function" ASYNC_ARROW "async arrow function"
    BREAK "break" CASE "case" CATCH "catch" CLASS "class" CONST "const" CONTINUE "continue" DEBUGGER "debugger"
    DEFAULT "default" DELETE "delete" DO "do" ELSE "else" EXPORT "export" EXTENDS "extends" FALSE "false"
    FINALLY "finally" FOR "for" FUNCTION "function" IF "if" IMPORT "import" IN "in" FOR_IN "in of a for loop"
    INSTANCEOF "instanceof" LET "let" NEW "new" NULL_ "null" RETURN "return" STATIC "static" SUPER "super"
    SWITCH "switch" THIS "this" THROW "throw" TRUE "true" TRY "try" TYPEOF "typeof" VAR "var" VOID "void"
    WHILE "while" WITH "with" YIELD "yield"
    // Those that start a statement.
    BLOCK_BRACE "{ of a block" FUNCTION_DECLARATION "function declaration" CLASS_DECLARATION "class declaration"
    ASYNC_FUNCTION_DECLARATION "async function declaration" CHAINED_IF "if after else"
    LINE_END "end of the line"
    LEFT_BRACE "{" RIGHT_BRACE "}" LEFT_PAREN "(" RIGHT_PAREN ")" LEFT_BRACKET "[" RIGHT_BRACKET "]"
    SEMICOLON ";" COLON ":" COMMA "," DOT "." QUESTION "?" QUESTION_DOT "?." ELLIPSIS "..."
    ARROW "=>" ARROW_AFTER_LINE_BREAK "=> after a line break"
    INCREMENT "++" INCREMENT_AFTER_LINE_BREAK "++ after a line break"
    DECREMENT "--" DECREMENT_AFTER_LINE_BREAK "-- after a line break"
    ASSIGN "=" ADD_ASSIGN "+=" SUBTRACT_ASSIGN "-=" MULTIPLY_ASSIGN "*=" DIVIDE_ASSIGN "/=" REMAINDER_ASSIGN "%="
    POWER_ASSIGN "**=" SHIFT_LEFT_ASSIGN "<<=" SHIFT_RIGHT_ASSIGN ">>=" SHIFT_RIGHT_UNSIGNED_ASSIGN ">>>="
    BIT_AND_ASSIGN "&=" BIT_OR_ASSIGN "|=" BIT_XOR_ASSIGN "^=" AND_ASSIGN "&&=" OR_ASSIGN "||=" COALESCE_ASSIGN "??="
    PLUS "+" MINUS "-" STAR "*" SLASH "/" PERCENT "%" POWER "**" SHIFT_LEFT "<<" SHIFT_RIGHT ">>"
    SHIFT_RIGHT_UNSIGNED ">>>" BIT_AND "&" BIT_OR "|" BIT_XOR "^" TILDE "~" NOT "!" AND "&&" OR "||" COALESCE "??"
    EQUAL "==" NOT_EQUAL "!=" STRICT_EQUAL "===" STRICT_NOT_EQUAL "!==" LESS "<" LESS_EQUAL "<=" GREATER ">"
    GREATER_EQUAL ">="

// else belongs to the nearest if, ";" after do ... while (...) to the do.
// "of" after yield begins an operand.
%precedence YIELD_END
%precedence "of"
%precedence THEN
%precedence "else"
%precedence DO_END
%precedence ";"
// Binary operators. "??" and "||" may not be mixed: Builder::logical.
%left "??" "||"
%left "&&"
%left "|"
%left "^"
%left "&"
%left "==" "!=" "===" "!=="
%left "<" ">" "<=" ">=" "in" "instanceof"
%left "<<" ">>" ">>>"
%left "+" "-"
%left "*" "/" "%"
%right "**"

%type <name> ident word identName
%type <moduleName> moduleName
%type <identifier> binding_ident name_ident opt_binding_ident opt_function_name
%type <expr> expr assign bin unary lhs member call optional_chain new_expr function class regexp
    opt_expr arrow_tail binding opt_initializer template_expr import_call
%type <head> arrow_head cover_params
%type <elements> arguments argument_list items_open items
%type <properties> property_list
%type <property> property
%type <key> key
%type <literal> template template_parts
%type <function> function_rest
%type <definition> class_tail
%type <members> class_members
%type <member> class_member method
%type <parameters> parameters
%type <elementList> parameter_list binding_items_open binding_items
%type <element> binding_element
%type <patternProperties> binding_properties
%type <patternProperty> binding_property
%type <stmts> statements
%type <stmt> statement declaration if_statement lexical function_declaration class_declaration for_declaration import
    export
%type <chain> if_chain
%type <block> block block_body finally
%type <labeled> label_open
%type <handler> catch
%type <declarators> declarators
%type <declarator> declarator
%type <declarationKind> let_or_const
%type <cases> cases
%type <importSpecifiers> import_clause named_imports import_list
%type <importSpecifier> import_specifier default_import namespace_import
%type <attributes> attributes attribute_list
%type <attribute> attribute
%type <exportSpecifiers> export_list export_clause
%type <exportSpecifier> export_specifier

%%

program: statements { b.finish($1, @$); };

// ---- Statements (14) ----------------------------------------------------------------------------------------------

statements:
    %empty { $$ = {}; START(); }
  | statements statement { $$ = $1; $$.append(b.arena, $2); START(); }
  | statements declaration { $$ = $1; $$.append(b.arena, $2); START(); }
  | statements import { $$ = $1; $$.append(b.arena, $2); START(); }
  | statements export { $$ = $1; $$.append(b.arena, $2); START(); }
  ;

semi: ";" | no_semicolon;
no_semicolon: error { if (b.errors.any) YYABORT; yyerrok; };

start: %empty { START(); };
loop_start: %empty { b.beginLoop(); START(); };

statement:
    block { $$ = $1; }
  | "var" declarators semi { $$ = b.declarations(DeclarationKind::Var, $2, @$, true); }
  | ";" { $$ = NODE(Empty, @$); }
  | expr ";" { $$ = NODE(ExpressionStatement, @$, $1); }
  | expr no_semicolon { $$ = NODE(ExpressionStatement, @$, $1); }
  | if_statement
  | "do" loop_mark loop_start statement "while" "(" expr ")" ";"
        { $$ = NODE(DoWhile, @$, $4, $7); b.endLoop(); }
  | "do" loop_mark loop_start statement "while" "(" expr ")" %prec DO_END
        { $$ = NODE(DoWhile, @$, $4, $7); b.endLoop(); }
  | "while" loop_mark "(" expr ")" loop_start statement { $$ = NODE(While, @$, $4, $7); b.endLoop(); }
  | for_open expr ";" opt_expr ";" opt_expr ")" loop_start statement
        { $$ = NODE(For, @$, b.closeScope(), $2, $4, $6, $9); b.endLoop(); }
  | for_open ";" opt_expr ";" opt_expr ")" loop_start statement
        { $$ = NODE(For, @$, b.closeScope(), nullptr, $3, $5, $8); b.endLoop(); }
  | for_open for_declaration ";" { b.forDeclaration($2, nullptr, 0); } opt_expr ";" opt_expr ")" loop_start statement
        { $$ = NODE(For, @$, b.closeScope(), $2, $5, $7, $10); b.endLoop(); }
  | for_open expr "in of a for loop" expr ")" loop_start statement
        { auto* left = b.forTarget($2, false, false); $$ = NODE(ForIn, @$, b.closeScope(), left, $4, $7); b.endLoop(); }
  | for_open for_declaration "in of a for loop" expr ")" { b.forDeclaration($2, "for-in", @5.end); } loop_start statement
        { $$ = NODE(ForIn, @$, b.closeScope(), $2, $4, $8); b.endLoop(); }
  | for_open expr "of" for_of assign ")" loop_start statement
        { auto* left = b.forTarget($2, true, false); $$ = NODE(ForOf, @$, false, b.closeScope(), left, $5, $8); b.endLoop(); }
  | for_open for_declaration "of" for_of assign ")" { b.forDeclaration($2, "for-of", @6.end); } loop_start statement
        { $$ = NODE(ForOf, @$, false, b.closeScope(), $2, $5, $9); b.endLoop(); }
  | for_await expr "of" for_of assign ")" loop_start statement
        { auto* left = b.forTarget($2, true, true); $$ = NODE(ForOf, @$, true, b.closeScope(), left, $5, $8); b.endLoop(); }
  | for_await for_declaration "of" for_of assign ")" { b.forDeclaration($2, "for-of", @6.end); } loop_start statement
        { $$ = NODE(ForOf, @$, true, b.closeScope(), $2, $5, $9); b.endLoop(); }
  | "continue" restrict "end of the line" { $$ = b.jump(true, nullptr, @1, @1); }
  | "continue" restrict semi { $$ = b.jump(true, nullptr, @1, @$); }
  | "continue" restrict ident semi { $$ = b.jump(true, $3, @3, @$); }
  | "break" restrict "end of the line" { $$ = b.jump(false, nullptr, @1, @1); }
  | "break" restrict semi { $$ = b.jump(false, nullptr, @1, @$); }
  | "break" restrict ident semi { $$ = b.jump(false, $3, @3, @$); }
  | "return" restrict "end of the line" { $$ = b.returnStatement(nullptr, @1); }
  | "return" restrict semi { $$ = b.returnStatement(nullptr, @$); }
  | "return" restrict expr semi { $$ = b.returnStatement($3, @$); }
  | "throw" restrict "end of the line"
        { $$ = NODE(Empty, @$); b.error(@1, "Illegal newline after throw", {"the value begins on the same line"}); }
  | "throw" restrict expr semi { $$ = NODE(Throw, @$, $3); }
  | ident ":" label_open { START(); } statement { $$ = b.endLabel($3, $5, @$); }
  | "switch" "(" expr ")" "{" switch_open cases "}"
        { b.endSwitch(); $$ = NODE(Switch, @$, $3, b.closeScope(), $7); }
  | "try" block_body catch { $$ = NODE(Try, @$, $2, $3, nullptr); }
  | "try" block_body catch finally { $$ = NODE(Try, @$, $2, $3, $4); }
  | "try" block_body finally { $$ = NODE(Try, @$, $2, nullptr, $3); }
  | "debugger" semi { $$ = NODE(Debugger, @$); }
  | "with" { b.error(@1, "Strict mode code may not include a with statement"); } "(" expr ")" start statement
        { $$ = $7; }
  ;

restrict: %empty { b.lexer.restrict(); };
loop_mark: %empty { b.markLoop(); };
label_open: %empty { $$ = b.beginLabel($<name>-1, yylsp[-1]); };

block: BLOCK_BRACE block_open statements "}" { $$ = NODE(BlockStatement, @$, b.closeScope(), $3); };
block_body: "{" block_open statements "}" { $$ = NODE(BlockStatement, @$, b.closeScope(), $3); };
block_open: %empty { b.openScope(ScopeKind::Block, @$.begin); };
switch_open: %empty { b.openScope(ScopeKind::Switch, @$.begin); b.beginSwitch(); };

if_statement:
    if_chain %prec THEN { $$ = $1.first; }
  | if_chain "else" else_start statement { $1.last->otherwise = $4; $$ = $1.first; $$->span = @$; }
  ;
if_chain:
    "if" "(" expr ")" start statement
        { auto* only = NODE(If, @$, $3, $6, nullptr); $$ = {only, only}; }
  | if_chain "else" else_start CHAINED_IF "(" expr ")" start statement
        { auto* next = NODE(If, join(@4, @9), $6, $9, nullptr); $1.last->otherwise = next; $1.last = next;
          $$ = $1; $$.first->span = @$; }
  ;
else_start: %empty { START(); b.lexer.startElse(); };

for_open: "for" loop_mark "(" { b.lexer.openForHead(); b.openScope(ScopeKind::ForHead, @3.end); };
for_await: "for" loop_mark AWAIT "("
        { b.useAwait(@3, "for await"); b.lexer.openForHead(); b.openScope(ScopeKind::ForHead, @4.end); };
for_of: %empty { b.lexer.closeForHead(); };
for_declaration:
    "var" declarators { $$ = b.declarations(DeclarationKind::Var, $2, @$, false); }
  | let_or_const declarators { $$ = b.declarations($1, $2, @$, false); }
  | "using" declarators { $$ = b.declarations(DeclarationKind::Using, $2, @$, false); }
  | "await using" declarators { $$ = b.declarations(DeclarationKind::AwaitUsing, $2, @$, false); }
  ;
let_or_const: "let" { $$ = DeclarationKind::Let; } | "const" { $$ = DeclarationKind::Const; };

cases:
    %empty { $$ = {}; }
  | cases "case" expr ":" statements { $$ = $1; b.addCase($$, NODE(SwitchCase, join(@2, @5), $3, $5)); }
  | cases "default" ":" statements { $$ = $1; b.addCase($$, NODE(SwitchCase, join(@2, @4), nullptr, $4)); }
  ;

catch:
    "catch" "(" catch_open binding ")" { b.beginCatch($4, @5.end); } block_body
        { $$ = NODE(CatchClause, @$, b.closeScope(), $4, $7); }
  | "catch" block_body { $$ = NODE(CatchClause, @$, nullptr, nullptr, $2); }
  ;
catch_open: %empty { b.openScope(ScopeKind::Catch, @$.begin); };
finally: "finally" block_body { $$ = $2; };

// ---- Declarations (14.3, 15) ----------------------------------------------------------------------------------------

declaration: lexical | function_declaration | class_declaration;

lexical:
    let_or_const declarators semi { $$ = b.declarations($1, $2, @$, true); }
  | "using" declarators semi { b.checkUsingPlace(@1); $$ = b.declarations(DeclarationKind::Using, $2, @$, true); }
  | "await using" declarators semi
        { b.checkUsingPlace(@1); $$ = b.declarations(DeclarationKind::AwaitUsing, $2, @$, true); }
  ;

declarators:
    declarator { $$ = {}; $$.append(b.arena, $1); }
  | declarators "," declarator { $$ = $1; $$.append(b.arena, $3); }
  ;
declarator: binding opt_initializer { $$ = NODE(Declarator, @$, $1, $2); };
opt_initializer: %empty { $$ = nullptr; } | "=" assign { $$ = $2; };

function_declaration:
    FUNCTION_DECLARATION binding_ident "(" enter_normal function_rest { $$ = b.functionDeclaration($2, $5, @$); }
  | FUNCTION_DECLARATION "*" binding_ident "(" enter_generator function_rest
        { $$ = b.functionDeclaration($3, $6, @$); }
  | ASYNC_FUNCTION_DECLARATION "function" binding_ident "(" enter_async function_rest
        { $$ = b.functionDeclaration($3, $6, @$); }
  | ASYNC_FUNCTION_DECLARATION "function" "*" binding_ident "(" enter_async_generator function_rest
        { $$ = b.functionDeclaration($4, $7, @$); }
  ;
class_declaration: CLASS_DECLARATION class_open_named class_tail { $$ = b.classDeclaration($3, @$); };

// ---- Bindings (14.3.3) ----------------------------------------------------------------------------------------------

binding_ident:
    name_ident
  | "await" { b.reservedWord(@1); $$ = b.bindingIdentifier(b.names.await, @1); }
  ;
name_ident:
    ident { $$ = b.bindingIdentifier($1, @1); }
  | "yield" { b.reservedWord(@1); $$ = b.bindingIdentifier(b.names.await, @1); }
  | reserved { b.reservedWord(@1); $$ = b.bindingIdentifier(b.names.await, @1); }
  ;
opt_binding_ident: %empty { $$ = nullptr; } | binding_ident;

binding:
    binding_ident { $$ = $1; DEPTH(@1); }
  | "[" binding_items_open "]" { $$ = b.arrayPattern($2, nullptr, @$); DEPTH(@1); }
  | "[" binding_items "]" { $$ = b.arrayPattern($2, nullptr, @$); DEPTH(@1); }
  | "[" binding_items_open "..." binding "]" { $$ = b.arrayPattern($2, $4, @$); }
  | "{" "}" { $$ = NODE(ObjectPattern, @$); DEPTH(@1); }
  | "{" binding_properties "}" { $$ = NODE(ObjectPattern, @$, $2, nullptr); }
  | "{" binding_properties "," "}" { $$ = NODE(ObjectPattern, @$, $2, nullptr); }
  | "{" binding_properties "," "..." binding_ident "}" { $$ = NODE(ObjectPattern, @$, $2, $5); }
  | "{" "..." binding_ident "}" { $$ = NODE(ObjectPattern, @$, List<PatternProperty*> {}, $3); }
  ;
binding_items_open:
    %empty { $$ = {}; }
  | binding_items_open "," { $$ = $1; $$.append(b.arena, nullptr); }
  | binding_items ","
  ;
binding_items: binding_items_open binding_element { $$ = $1; $$.append(b.arena, $2); };
binding_element: binding opt_initializer { $$ = NODE(PatternElement, @$, $1, $2); };
binding_properties:
    binding_property { $$ = {}; $$.append(b.arena, $1); }
  | binding_properties "," binding_property { $$ = $1; $$.append(b.arena, $3); }
  ;
binding_property:
    ident opt_initializer { $$ = b.patternShorthand($1, @1, $2, @$); }
  | key ":" binding opt_initializer { $$ = NODE(PatternProperty, @$, $1.isComputed, $1.expression, $3, $4); }
  ;

// ---- Functions (15) -------------------------------------------------------------------------------------------------

enter_normal: %empty { b.enterFunction(FunctionKind::Normal, false, false, @$.begin); };
enter_generator: %empty { b.enterFunction(FunctionKind::Normal, false, true, @$.begin); };
enter_async: %empty { b.enterFunction(FunctionKind::Normal, true, false, @$.begin); };
enter_async_generator: %empty { b.enterFunction(FunctionKind::Normal, true, true, @$.begin); };
enter_method: %empty { b.enterFunction(FunctionKind::Method, false, false, @$.begin); };
enter_generator_method: %empty { b.enterFunction(FunctionKind::Method, false, true, @$.begin); };
enter_async_method: %empty { b.enterFunction(FunctionKind::Method, true, false, @$.begin); };
enter_async_generator_method: %empty { b.enterFunction(FunctionKind::Method, true, true, @$.begin); };

function:
    "function" opt_function_name "(" enter_normal function_rest { $$ = b.functionExpression($2, $5, @$); }
  | "function" "*" opt_function_name "(" enter_generator function_rest { $$ = b.functionExpression($3, $6, @$); }
  | ASYNC_FUNCTION "function" opt_function_name "(" enter_async function_rest
        { $$ = b.functionExpression($3, $6, @$); }
  | ASYNC_FUNCTION "function" "*" opt_function_name "(" enter_async_generator function_rest
        { $$ = b.functionExpression($4, $7, @$); }
  ;

// Of an expression: whether await can be one depends on the function itself, not on its surroundings.
opt_function_name:
    %empty { $$ = nullptr; }
  | name_ident
  | "await" { $$ = b.bindingIdentifier(b.names.await, @1); }
  ;

function_rest:
    parameters ")" "{" { b.enterBody($1, @2, @3.end); } statements "}"
        { $$ = b.leaveFunction($5, join(@3, @6)); };

parameters:
    %empty { $$ = {}; }
  | parameter_list { $$ = {$1, nullptr, {}}; }
  | parameter_list "," { $$ = {$1, nullptr, {}}; }
  | parameter_list "," "..." binding { $$ = {$1, $4, join(@3, @4)}; }
  | "..." binding { $$ = {{}, $2, @$}; }
  ;
parameter_list:
    binding_element { $$ = {}; $$.append(b.arena, $1); }
  | parameter_list "," binding_element { $$ = $1; $$.append(b.arena, $3); }
  ;

method:
    key "(" enter_method function_rest { $$ = b.method(MemberKind::Method, $1, $4, @$); }
  | "*" key "(" enter_generator_method function_rest { $$ = b.method(MemberKind::Method, $2, $5, @$); }
  | async_word key "(" enter_async_method function_rest { $$ = b.method(MemberKind::Method, $2, $5, @$); }
  | async_word "*" key "(" enter_async_generator_method function_rest { $$ = b.method(MemberKind::Method, $3, $6, @$); }
  | "get" key "(" enter_method function_rest
        { b.checkAccessor($5, true); $$ = b.method(MemberKind::Getter, $2, $5, @$); }
  | "set" key "(" enter_method function_rest
        { b.checkAccessor($5, false); $$ = b.method(MemberKind::Setter, $2, $5, @$); }
  ;
async_word: "async" | ASYNC_FUNCTION;

key:
    identName { $$ = {b.string($1, @1), false}; }
  | STRING { $$ = {b.string($1, @1), false}; }
  | NUMBER { $$ = {NODE(NumericLiteral, @1, $1), false}; }
  | BIGINT { $$ = {NODE(BigIntLiteral, @1, $1), false}; }
  | PRIVATE_NAME { $$ = {NODE(PrivateName, @1, $1), false}; }
  | "[" assign "]" { $$ = {$2, true}; }
  ;

// ---- Classes (15.7) -------------------------------------------------------------------------------------------------

class: "class" class_open class_tail { $$ = NODE(ClassExpression, @$, $3); $3->span = @$; };

class_open: opt_binding_ident { b.enterClass($1, @$.begin); };
class_open_named: binding_ident { b.enterClass($1, @$.begin); };

class_tail:
    "{" { b.enterClassBody(nullptr, @1.end); } class_members "}" { $$ = b.leaveClass($3, @$); }
  | "extends" lhs "{" { b.enterClassBody($2, @3.end); } class_members "}" { $$ = b.leaveClass($5, @$); }
  ;

class_members:
    %empty { $$ = {}; }
  | class_members class_member { $$ = $1; b.addMember($$, $2); }
  | class_members ";"
  ;
class_member:
    method
  | "static" method { $$ = b.staticMember($2, @$); }
  | key semi { $$ = b.field($1, nullptr, false, @$); }
  | key "=" field_open assign { $<function>$ = b.leaveField($4); } semi { $$ = b.field($1, $<function>5, false, @$); }
  | "static" key semi { $$ = b.field($2, nullptr, true, @$); }
  | "static" key "=" field_open assign { $<function>$ = b.leaveField($5); } semi
        { $$ = b.field($2, $<function>6, true, @$); }
  | "static" "{" { b.enterStaticBlock(@2.end); } statements "}" { $$ = b.staticBlock($4, join(@2, @5), @$); }
  ;
field_open: %empty { b.enterField(@$.begin); };

// ---- Expressions (13) -----------------------------------------------------------------------------------------------

expr: assign | expr "," assign { $$ = b.sequence($1, $3, @$); };
opt_expr: %empty { $$ = nullptr; } | expr;

assign:
    bin
  | bin "?" assign ":" assign { $$ = NODE(Conditional, @$, $1, $3, $5); }
  | bin "=" assign { $$ = b.assign($1, $3, @$); }
  | bin "+=" assign { $$ = b.compoundAssign(BinaryOperator::Add, $1, $3, @2, @$); }
  | bin "-=" assign { $$ = b.compoundAssign(BinaryOperator::Subtract, $1, $3, @2, @$); }
  | bin "*=" assign { $$ = b.compoundAssign(BinaryOperator::Multiply, $1, $3, @2, @$); }
  | bin "/=" assign { $$ = b.compoundAssign(BinaryOperator::Divide, $1, $3, @2, @$); }
  | bin "%=" assign { $$ = b.compoundAssign(BinaryOperator::Remainder, $1, $3, @2, @$); }
  | bin "**=" assign { $$ = b.compoundAssign(BinaryOperator::Power, $1, $3, @2, @$); }
  | bin "<<=" assign { $$ = b.compoundAssign(BinaryOperator::ShiftLeft, $1, $3, @2, @$); }
  | bin ">>=" assign { $$ = b.compoundAssign(BinaryOperator::ShiftRight, $1, $3, @2, @$); }
  | bin ">>>=" assign { $$ = b.compoundAssign(BinaryOperator::ShiftRightUnsigned, $1, $3, @2, @$); }
  | bin "&=" assign { $$ = b.compoundAssign(BinaryOperator::BitAnd, $1, $3, @2, @$); }
  | bin "|=" assign { $$ = b.compoundAssign(BinaryOperator::BitOr, $1, $3, @2, @$); }
  | bin "^=" assign { $$ = b.compoundAssign(BinaryOperator::BitXor, $1, $3, @2, @$); }
  | bin "&&=" assign { $$ = b.logicalAssign(LogicalOperator::And, $1, $3, @$); }
  | bin "||=" assign { $$ = b.logicalAssign(LogicalOperator::Or, $1, $3, @$); }
  | bin "??=" assign { $$ = b.logicalAssign(LogicalOperator::Coalesce, $1, $3, @$); }
  | arrow_head "=>" { b.enterArrow($1, @1); } arrow_tail { $$ = $4; b.spanArrow($$, @$); }
  | ASYNC_ARROW ident "=>" { b.enterAsyncArrow($2, @2, @1); } arrow_tail { $$ = $5; b.spanArrow($$, @$); }
  | "yield" restrict "end of the line" { $$ = b.yield(nullptr, false, @1); }
  | "yield" restrict %prec YIELD_END { $$ = b.yield(nullptr, false, @1); }
  | "yield" restrict assign { $$ = b.yield($3, false, @$); }
  | "yield" restrict "*" assign { $$ = b.yield($4, true, @$); }
  ;

arrow_head:
    member { $$ = {$1, nullptr, {}, false}; }
  | call { $$ = {$1, nullptr, {}, false}; }
  | cover_params
  ;
cover_params:
    "(" ")" { $$ = {nullptr, nullptr, {}, true}; }
  | "(" expr "," ")" { $$ = {$2, nullptr, {}, true}; }
  | "(" expr "," "..." binding ")" { $$ = {$2, $5, join(@4, @5), true}; }
  | "(" "..." binding ")" { $$ = {nullptr, $3, join(@2, @3), true}; }
  ;
arrow_tail:
    BLOCK_BRACE statements "}" { $$ = b.leaveArrow($2, nullptr, @$); }
  | assign { $$ = b.leaveArrow({}, $1, @$); LEFT_ARROW_FUNCTION(); }
  ;

bin:
    unary
  | bin "??" bin { $$ = b.logical(LogicalOperator::Coalesce, $1, $3, @2, @$); }
  | bin "||" bin { $$ = b.logical(LogicalOperator::Or, $1, $3, @2, @$); }
  | bin "&&" bin { $$ = b.logical(LogicalOperator::And, $1, $3, @2, @$); }
  | bin "|" bin { $$ = b.binary(BinaryOperator::BitOr, $1, $3, @2, @$); }
  | bin "^" bin { $$ = b.binary(BinaryOperator::BitXor, $1, $3, @2, @$); }
  | bin "&" bin { $$ = b.binary(BinaryOperator::BitAnd, $1, $3, @2, @$); }
  | bin "==" bin { $$ = b.binary(BinaryOperator::Equal, $1, $3, @2, @$); }
  | bin "!=" bin { $$ = b.binary(BinaryOperator::NotEqual, $1, $3, @2, @$); }
  | bin "===" bin { $$ = b.binary(BinaryOperator::StrictEqual, $1, $3, @2, @$); }
  | bin "!==" bin { $$ = b.binary(BinaryOperator::StrictNotEqual, $1, $3, @2, @$); }
  | bin "<" bin { $$ = b.binary(BinaryOperator::Less, $1, $3, @2, @$); }
  | bin ">" bin { $$ = b.binary(BinaryOperator::Greater, $1, $3, @2, @$); }
  | bin "<=" bin { $$ = b.binary(BinaryOperator::LessEqual, $1, $3, @2, @$); }
  | bin ">=" bin { $$ = b.binary(BinaryOperator::GreaterEqual, $1, $3, @2, @$); }
  | bin "in" bin { $$ = b.binary(BinaryOperator::In, $1, $3, @2, @$); }
  | bin "instanceof" bin { $$ = b.binary(BinaryOperator::Instanceof, $1, $3, @2, @$); }
  | PRIVATE_NAME "in" bin { $$ = b.privateIn($1, @1, $3, @$); }
  | bin "<<" bin { $$ = b.binary(BinaryOperator::ShiftLeft, $1, $3, @2, @$); }
  | bin ">>" bin { $$ = b.binary(BinaryOperator::ShiftRight, $1, $3, @2, @$); }
  | bin ">>>" bin { $$ = b.binary(BinaryOperator::ShiftRightUnsigned, $1, $3, @2, @$); }
  | bin "+" bin { $$ = b.binary(BinaryOperator::Add, $1, $3, @2, @$); }
  | bin "-" bin { $$ = b.binary(BinaryOperator::Subtract, $1, $3, @2, @$); }
  | bin "*" bin { $$ = b.binary(BinaryOperator::Multiply, $1, $3, @2, @$); }
  | bin "/" bin { $$ = b.binary(BinaryOperator::Divide, $1, $3, @2, @$); }
  | bin "%" bin { $$ = b.binary(BinaryOperator::Remainder, $1, $3, @2, @$); }
  | bin "**" bin { $$ = b.binary(BinaryOperator::Power, $1, $3, @2, @$); }
  ;

unary:
    member
  | call
  | new_expr
  | optional_chain { $$ = NODE(OptionalChain, @$, $1); }
  | lhs "++" { $$ = b.update(true, false, $1, @$); }
  | lhs "--" { $$ = b.update(false, false, $1, @$); }
  | increment unary { $$ = b.update(true, true, $2, @$); }
  | decrement unary { $$ = b.update(false, true, $2, @$); }
  | "-" unary { $$ = b.unary(UnaryOperator::Minus, $2, @$); }
  | "+" unary { $$ = b.unary(UnaryOperator::Plus, $2, @$); }
  | "!" unary { $$ = b.unary(UnaryOperator::Not, $2, @$); }
  | "~" unary { $$ = b.unary(UnaryOperator::BitNot, $2, @$); }
  | "typeof" unary { $$ = b.unary(UnaryOperator::Typeof, $2, @$); }
  | "void" unary { $$ = b.unary(UnaryOperator::Void, $2, @$); }
  | "delete" unary { $$ = b.unary(UnaryOperator::Delete, $2, @$); }
  | "await" unary { $$ = b.await($2, @$); }
  ;

increment: "++" | INCREMENT_AFTER_LINE_BREAK;
decrement: "--" | DECREMENT_AFTER_LINE_BREAK;

// Only where it is not just a unary expression: each step of a chain of rules costs time.
lhs:
    member
  | call
  | new_expr
  | optional_chain { $$ = NODE(OptionalChain, @$, $1); }
  ;

new_expr:
    "new" member { $$ = NODE(New, @$, $2, List<Expr*> {}); }
  | "new" new_expr { $$ = NODE(New, @$, $2, List<Expr*> {}); }
  ;

member:
    "this" { $$ = b.thisExpression(@$); DEPTH(@1); }
  | IDENTIFIER { $$ = b.identifier($1, @1); DEPTH(@1); }
  | word { $$ = b.identifier($1, @1); DEPTH(@1); }
  | "null" { $$ = NODE(NullLiteral, @$); DEPTH(@1); }
  | "true" { $$ = NODE(BooleanLiteral, @$, true); DEPTH(@1); }
  | "false" { $$ = NODE(BooleanLiteral, @$, false); DEPTH(@1); }
  | NUMBER { $$ = NODE(NumericLiteral, @$, $1); DEPTH(@1); }
  | BIGINT { $$ = NODE(BigIntLiteral, @$, $1); DEPTH(@1); }
  | STRING { $$ = b.string($1, @1); DEPTH(@1); }
  | "[" items_open "]" { $$ = b.array($2, @$); DEPTH(@1); }
  | "[" items "]" { $$ = b.array($2, @$); }
  | "{" "}" { $$ = b.object({}, @$); DEPTH(@1); }
  | "{" property_list "}" { $$ = b.object($2, @$); }
  | "{" property_list "," "}" { $$ = b.object($2, @$); $$->marks |= EndsInComma; }
  | function
  | class { $$ = $1; DEPTH(@1); }
  | regexp
  | template_expr
  | "(" expr ")" { $$ = b.parenthesize($2); }
  | member "." identName { $$ = b.member($1, $3, @3, @$, false); }
  | member "." PRIVATE_NAME { $$ = b.privateMember($1, $3, @3, @$, false); }
  | member "[" expr "]" { $$ = NODE(Index, @$, $1, $3, false); }
  | member template { $$ = b.tagged($1, $2, @$); }
  | "super" "." identName { $$ = b.superMember($3, @3, @$); }
  | "super" "." PRIVATE_NAME { $$ = NODE(This, @$); b.error(@3, "Unexpected private field", {"super has no private names"}); }
  | "super" "[" expr "]" { $$ = b.superIndex($3, @$); }
  | "new" member arguments { $$ = NODE(New, @$, $2, $3.list); }
  | "new" "." identName { $$ = b.newTarget($3, @3, @$); }
  | "import" "." identName { $$ = b.importMeta($3, @3, @$); }
  ;

call:
    member arguments { $$ = b.call($1, $2, @2, @$, false); }
  | "super" arguments { $$ = b.superCall($2.list, @$); }
  | import_call
  | call arguments { $$ = b.call($1, $2, @2, @$, false); }
  | call "." identName { $$ = b.member($1, $3, @3, @$, false); }
  | call "." PRIVATE_NAME { $$ = b.privateMember($1, $3, @3, @$, false); }
  | call "[" expr "]" { $$ = NODE(Index, @$, $1, $3, false); }
  | call template { $$ = b.tagged($1, $2, @$); }
  ;
import_call:
    "import" "(" assign opt_comma ")" { $$ = NODE(ImportCall, @$, $3, nullptr); }
  | "import" "(" assign "," assign opt_comma ")" { $$ = NODE(ImportCall, @$, $3, $5); }
  ;
opt_comma: %empty | ",";

optional_chain:
    member "?." arguments { $$ = b.call($1, $3, @3, @$, true); }
  | member "?." identName { $$ = b.member($1, $3, @3, @$, true); }
  | member "?." PRIVATE_NAME { $$ = b.privateMember($1, $3, @3, @$, true); }
  | member "?." "[" expr "]" { $$ = NODE(Index, @$, $1, $4, true); }
  | member "?." template { $$ = $1; b.error(@3, "Invalid tagged template on optional chain"); }
  | call "?." arguments { $$ = b.call($1, $3, @3, @$, true); }
  | call "?." identName { $$ = b.member($1, $3, @3, @$, true); }
  | call "?." PRIVATE_NAME { $$ = b.privateMember($1, $3, @3, @$, true); }
  | call "?." "[" expr "]" { $$ = NODE(Index, @$, $1, $4, true); }
  | call "?." template { $$ = $1; b.error(@3, "Invalid tagged template on optional chain"); }
  | optional_chain "?." arguments { $$ = b.call($1, $3, @3, @$, true); }
  | optional_chain "?." identName { $$ = b.member($1, $3, @3, @$, true); }
  | optional_chain "?." PRIVATE_NAME { $$ = b.privateMember($1, $3, @3, @$, true); }
  | optional_chain "?." "[" expr "]" { $$ = NODE(Index, @$, $1, $4, true); }
  | optional_chain arguments { $$ = b.call($1, $2, @2, @$, false); }
  | optional_chain "." identName { $$ = b.member($1, $3, @3, @$, false); }
  | optional_chain "." PRIVATE_NAME { $$ = b.privateMember($1, $3, @3, @$, false); }
  | optional_chain "[" expr "]" { $$ = NODE(Index, @$, $1, $3, false); }
  | optional_chain template { $$ = $1; b.error(@2, "Invalid tagged template on optional chain"); }
  ;

arguments:
    "(" ")" { $$ = {}; }
  | "(" argument_list ")" { $$ = $2; }
  | "(" argument_list "," ")" { $$ = $2; $$.endsInComma = true; }
  ;
argument_list:
    assign { $$ = {}; $$.list.append(b.arena, $1); }
  | "..." assign { $$ = {}; $$.list.append(b.arena, NODE(Spread, @$, $2)); }
  | argument_list "," assign { $$ = $1; $$.list.append(b.arena, $3); }
  | argument_list "," "..." assign { $$ = $1; $$.list.append(b.arena, NODE(Spread, join(@3, @4), $4)); }
  ;

regexp:
    "/" { b.lexer.expectRegExp(@1.begin); } REGEXP { $$ = b.regExp(@3); DEPTH(@3); }
  | "/=" { b.lexer.expectRegExp(@1.begin); } REGEXP { $$ = b.regExp(@3); DEPTH(@3); }
  ;

template_expr: template { $$ = b.untagged($1); DEPTH(@1); };
template:
    TEMPLATE { $$ = b.templateBegin($1, @$); }
  | template_parts TEMPLATE_TAIL { $$ = $1; $$->chunks.append(b.arena, $2); $$->span = @$; }
  ;
template_parts:
    TEMPLATE_HEAD expr { $$ = b.templateBegin($1, @$); b.templatePart($$, $2); }
  | template_parts TEMPLATE_MIDDLE expr { $$ = $1; $$->chunks.append(b.arena, $2); b.templatePart($$, $3); }
  ;

// An open list may be followed by an element, a full one may not.
items_open:
    %empty { $$ = {}; }
  | items_open "," { $$ = $1; $$.list.append(b.arena, nullptr); }
  | items "," { $$ = $1; $$.endsInComma = true; }
  ;
items:
    items_open assign { $$ = {$1.list, false}; $$.list.append(b.arena, $2); }
  | items_open "..." assign { $$ = {$1.list, false}; $$.list.append(b.arena, NODE(Spread, join(@2, @3), $3)); }
  ;

property_list:
    property { $$ = {}; $$.append(b.arena, $1); }
  | property_list "," property { $$ = $1; $$.append(b.arena, $3); }
  ;
property:
    key ":" assign { $$ = b.property($1, $3, @$); }
  | ident { $$ = b.shorthand($1, @1, nullptr, @$); }
  | keyword { b.reservedWord(@1); $$ = b.shorthand(b.names.await, @1, nullptr, @$); }
  | keyword "=" assign { b.reservedWord(@1); $$ = b.shorthand(b.names.await, @1, nullptr, @$); }
  | ident "=" assign { $$ = b.shorthand($1, @1, $3, @$); }
  | "..." assign { $$ = NODE(Property, @$, PropertyKind::Spread, false, nullptr, $2); }
  | method { $$ = b.methodProperty($1); }
  ;

// ---- Names ------------------------------------------------------------------------------------------------------------

ident: IDENTIFIER | word;
// Words that mean something in one place only.
word: "as" | "async" | "from" | "get" | "of" | "set";

identName:
    ident
  | "using"
  | keyword { $$ = b.nameOf(@1); }
  ;
keyword: "await" | "yield" | "extends" | reserved;

// All but "extends", which may follow class without a name.
reserved:
    "break" | "case" | "catch" | "class" | "const" | "continue" | "debugger" | "default" | "delete" | "do" | "else"
  | "enum" | "export" | "false" | "finally" | "for" | "function" | "if" | "import" | "in"
  | "in of a for loop" | "instanceof" | "let" | "new" | "null" | "return" | "static" | "super" | "switch" | "this"
  | "throw" | "true" | "try" | "typeof" | "var" | "void" | "while" | "with" | "reserved word" | "keyword with escapes"
  ;

// ---- Modules (16.2) -----------------------------------------------------------------------------------------------------

import:
    "import" STRING attributes semi
        { b.moduleItem(@1, "import"); $$ = b.import({}, $2, @2, $3, @$); }
  | "import" import_clause "from" STRING attributes semi
        { b.moduleItem(@1, "import"); $$ = b.import($2, $4, @4, $5, @$); }
  ;
import_clause:
    default_import { $$ = {}; $$.append(b.arena, $1); }
  | namespace_import { $$ = {}; $$.append(b.arena, $1); }
  | named_imports
  | default_import "," namespace_import { $$ = {}; $$.append(b.arena, $1); $$.append(b.arena, $3); }
  | default_import "," named_imports
        { $$ = {}; $$.append(b.arena, $1); for (auto* specifier : $3) $$.append(b.arena, specifier); }
  ;
default_import:
    ident { $$ = b.importSpecifier(b.names.default_, $1, @1, @$); }
  | "using" { $$ = b.importSpecifier(b.names.default_, $1, @1, @$); }
  ;
namespace_import:
    "*" "as" ident { $$ = b.importSpecifier(nullptr, $3, @3, @$); }
  | "*" "as" "using" { $$ = b.importSpecifier(nullptr, $3, @3, @$); }
  ;
named_imports:
    "{" "}" { $$ = {}; }
  | "{" import_list "}" { $$ = $2; }
  | "{" import_list "," "}" { $$ = $2; }
  ;
import_list:
    import_specifier { $$ = {}; $$.append(b.arena, $1); }
  | import_list "," import_specifier { $$ = $1; $$.append(b.arena, $3); }
  ;
import_specifier:
    ident { $$ = b.importSpecifier($1, $1, @1, @$); }
  | moduleName "as" ident { $$ = b.importSpecifier($1.name, $3, @3, @$); }
  ;
moduleName:
    ident { $$ = {$1, true}; }
  | "using" { $$ = {$1, true}; }
  | keyword { $$ = {b.nameOf(@1), false}; }
  | STRING { b.checkModuleName($1, @1); $$ = {$1, false}; }
  ;

attributes:
    %empty { $$ = {}; }
  | "with" "{" "}" { $$ = {}; }
  | "with" "{" attribute_list "}" { $$ = $3; }
  | "with" "{" attribute_list "," "}" { $$ = $3; }
  ;
attribute_list:
    attribute { $$ = {}; $$.append(b.arena, $1); }
  | attribute_list "," attribute { $$ = $1; b.checkAttribute($$, $3); $$.append(b.arena, $3); }
  ;
attribute:
    identName ":" STRING { $$ = NODE(ImportAttribute, @$, $1, $3); }
  | STRING ":" STRING { $$ = NODE(ImportAttribute, @$, $1, $3); }
  ;

export:
    export_word "*" "from" STRING attributes semi { $$ = b.exportAll(nullptr, @2, $4, @4, $5, @$); }
  | export_word "*" "as" moduleName "from" STRING attributes semi { $$ = b.exportAll($4.name, @4, $6, @6, $7, @$); }
  | export_word export_clause "from" STRING attributes semi { $$ = b.exportNamed($2, $4, @4, $5, @$); }
  | export_word export_clause semi { $$ = b.exportNamed($2, nullptr, {}, {}, @$); }
  | export_word "var" declarators semi
        { $$ = b.exportDeclaration(b.declarations(DeclarationKind::Var, $3, join(@2, @4), true), @$); }
  | export_word declaration { $$ = b.exportDeclaration($2, @$); }
  | export_word "default" declaration_start assign semi { $$ = b.exportDefault($4, @2, @$); }
  | export_word "default" declaration_start function_declaration { $$ = b.exportDefault($4, @2, @$); }
  | export_word "default" declaration_start class_declaration { $$ = b.exportDefault($4, @2, @$); }
  | export_word "default" declaration_start FUNCTION_DECLARATION "(" enter_normal function_rest
        { $$ = b.exportDefault(b.functionDeclaration(nullptr, $7, join(@4, @7)), @2, @$); }
  | export_word "default" declaration_start FUNCTION_DECLARATION "*" "(" enter_generator function_rest
        { $$ = b.exportDefault(b.functionDeclaration(nullptr, $8, join(@4, @8)), @2, @$); }
  | export_word "default" declaration_start ASYNC_FUNCTION_DECLARATION "function" "(" enter_async function_rest
        { $$ = b.exportDefault(b.functionDeclaration(nullptr, $8, join(@4, @8)), @2, @$); }
  | export_word "default" declaration_start ASYNC_FUNCTION_DECLARATION "function" "*" "(" enter_async_generator
        function_rest
        { $$ = b.exportDefault(b.functionDeclaration(nullptr, $9, join(@4, @9)), @2, @$); }
  | export_word "default" declaration_start CLASS_DECLARATION { b.enterClass(nullptr, @4.end); } class_tail
        { $$ = b.exportDefault(b.classDeclaration($6, join(@4, @6)), @2, @$); }
  ;
export_word: "export" { b.moduleItem(@1, "export"); b.lexer.startDeclaration(); };
declaration_start: %empty { b.lexer.startDeclaration(); };
export_clause:
    "{" "}" { $$ = {}; }
  | "{" export_list "}" { $$ = $2; }
  | "{" export_list "," "}" { $$ = $2; }
  ;
export_list:
    export_specifier { $$ = {}; $$.append(b.arena, $1); }
  | export_list "," export_specifier { $$ = $1; $$.append(b.arena, $3); }
  ;
export_specifier:
    moduleName { $$ = b.exportSpecifier($1, $1, @$); }
  | moduleName "as" moduleName { $$ = b.exportSpecifier($1, $3, @$); }
  ;

%%

namespace {

std::string_view textOf(int kind) { return yysymbol_name(static_cast<yysymbol_kind_t>(kind)); }

/// A "(", by what stands on either side of it on the parser's stack.
Inside insideParenthesis(int above, int below) {
    switch (above) {
    case S_enter_normal: case S_enter_generator: case S_enter_async: case S_enter_async_generator: case S_enter_method:
    case S_enter_generator_method: case S_enter_async_method: case S_enter_async_generator_method:
        return Inside::Parameters;
    default: break;
    }
    switch (below) {
    case S_member: case S_call: case S_optional_chain: case S_SUPER: case S_QUESTION_DOT: case S_IMPORT:
        return Inside::Arguments;
    case S_IF: case S_CHAINED_IF: case S_loop_mark: case S_WHILE: case S_SWITCH: case S_CATCH: case S_WITH:
        return Inside::Head;
    default: return Inside::Parentheses;
    }
}

/// What the innermost unfinished thing is, from the symbols on the parser's stack.
Inside insideOf(const yypcontext_t* c) {
    int above = S_YYEMPTY;
    int closed = 0; // brackets to be skipped
    for (yy_state_t* state = c->yyssp; *state != 0; state--) { // state 0 is at the bottom only
        int symbol = yystos[+*state];
        if (symbol == S_RIGHT_PAREN || symbol == S_RIGHT_BRACKET || symbol == S_RIGHT_BRACE)
            closed++;
        bool opens = symbol == S_LEFT_PAREN || symbol == S_LEFT_BRACKET || symbol == S_LEFT_BRACE
            || symbol == S_BLOCK_BRACE || symbol == S_for_open || symbol == S_for_await;
        if (closed > 0) {
            closed -= opens;
            continue;
        }
        switch (symbol) {
        case S_argument_list: return Inside::Arguments;
        case S_parameter_list: case S_parameters: return Inside::Parameters;
        case S_items: case S_items_open: return Inside::Array;
        case S_binding_items: case S_binding_items_open: return Inside::ArrayPattern;
        case S_property_list: return Inside::Object;
        case S_binding_properties: return Inside::ObjectPattern;
        case S_class_members: return Inside::Class;
        case S_cases: return Inside::Cases;
        case S_import_list: case S_export_list: case S_attribute_list: return Inside::Imports;
        case S_statements: case S_BLOCK_BRACE: return Inside::Statements;
        case S_for_open: case S_for_await: return Inside::Head;
        case S_TEMPLATE_HEAD: case S_TEMPLATE_MIDDLE: case S_template_parts: return Inside::Template;
        case S_LEFT_PAREN: return insideParenthesis(above, yystos[+state[-1]]);
        case S_LEFT_BRACKET: {
            int below = yystos[+state[-1]];
            return below == S_member || below == S_call || below == S_optional_chain ? Inside::Index : Inside::Array;
        }
        case S_LEFT_BRACE: {
            int below = yystos[+state[-1]];
            bool isPattern = below == S_let_or_const || below == S_VAR || below == S_enter_normal;
            bool isImport = below == S_IMPORT || below == S_export_word || below == S_WITH;
            return isImport ? Inside::Imports : isPattern ? Inside::ObjectPattern : Inside::Object;
        }
        default: break;
        }
        above = symbol;
    }
    return Inside::Statements;
}

/// What to say about an unexpected token.
void reportUnexpected(const yypcontext_t* c, Builder& b) {
    yysymbol_kind_t kind = yypcontext_token(c);
    if (const char* message = b.misusedAwait())
        return b.awaitError({b.misusedAwaitAt(), b.misusedAwaitAt() + 5}, message);
    if (kind == S_IDENTIFIER && yystos[+*c->yyssp] == S_loop_mark && b.lexer.isExactly(*yypcontext_location(c), "await"))
        return b.awaitError(*yypcontext_location(c), "await is only valid in async functions and the top level bodies of modules");
    yysymbol_kind_t tokens[YYNTOKENS];
    int count = yypcontext_expected_tokens(c, tokens, YYNTOKENS);
    bool expected[YYNTOKENS] = {};
    for (int i = 0; i < count; i++)
        expected[tokens[i]] = true;
    // At the top the rule of the whole text was reduced already: a statement could have stood here.
    if (count == 1 && tokens[0] == S_YYEOF)
        expected[S_VAR] = expected[S_NUMBER] = true;
    int top = yystos[+*c->yyssp];
    int token = kind == S_BLOCK_BRACE ? S_LEFT_BRACE : kind;
    Diagnostic found =
        explain(b.source(), {token, *yypcontext_location(c), insideOf(c), top == S_declarators || top == S_for_declaration, expected, textOf});
    b.errors.report(found.span, std::move(found.message), kind == S_YYEOF, std::move(found.notes));
}

} // namespace

/// The one place where semicolons are inserted (ECMA-262 12.10): silence here lets `semi: error` be shifted in the very
/// state that met the token, so nothing is popped. Everything else is an error for good.
static int yyreport_syntax_error(const yypcontext_t* c, Builder& b) {
    if (b.errors.any)
        return 0;
    yysymbol_kind_t kind = yypcontext_token(c);
    int entry = yypact[+*c->yyssp];
    int error = yypact_value_is_default(entry) ? -1 : entry + S_YYerror;
    bool canInsert = error >= 0 && error <= YYLAST && yycheck[error] == S_YYerror;
    bool canEnd = b.lexer.hasLineBreakBefore() || kind == S_RIGHT_BRACE || kind == S_YYEOF;
    if (!canInsert || !canEnd)
        reportUnexpected(c, b);
    return 0;
}

/// Called when the stack is exhausted; everything else was reported where it arose.
static void yyerror(const Span* span, Builder& b, const char*) { b.error(*span, "The program is nested too deeply"); }
