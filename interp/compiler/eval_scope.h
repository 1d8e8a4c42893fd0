// What a direct eval sees of the code around it. The compiler of that code writes it into a constant (an Array that no
// script reaches) beside the call; the compiler of the text builds the scopes anew from it. Only names and places are
// in it: the values stand in the environment that the call hands over.
#pragma once
#include "grammar/parse.h"
#include "interp/compiler/unit.h"

namespace scr {

/// Elements of the constant.
enum SiteField : u32 {
    SiteScopes, ///< innermost environment: [outer, name, place, name, place, ...]; a place is slot * 32 + kind,
                ///< or the ImportBinding of an imported name
    SiteClasses, ///< innermost class or null (private.cpp describeClass)
    SiteFlags,
    // Where the function that provides `this` keeps things: level of the environment, then slots + 1 (0: not at all).
    SiteFunction,
    SiteThis,
    SiteNewTarget,
    SiteCallee,
    SiteHomeLevel,
    SiteHome,
    SiteFieldsLevel,
    SiteFields,
    SiteFieldCount,
};
enum SiteFlag : u32 {
    SitePresent = 1,
    SiteAllowsNewTarget = 2,
    SiteAllowsSuper = 4,
    SiteAllowsSuperCall = 8,
    SiteForbidsArguments = 16,
    SiteIsStatic = 32,
    SiteIsDerived = 64,
    SiteThisIsGlobal = 128,
};

/// What the parser has to know of a site.
void readSite(Array* site, ParseOptions& options, std::vector<std::string>& privateNames);
Code* compileDirectEval(Unit& unit, ParseResult& parsed, Array* site);
Code* compileIndirectEval(Unit& unit, Program& program);
/// A function that stands in no other.
Code* compileInNoScope(Unit& unit, FunctionNode& function);

}
