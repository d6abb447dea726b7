// The canonical text of a bound expression. It has names in place of their placeholders and `?` in
// place of each value, so requests that ask the same with other values have the same text.
//
//   condition    attribute_not_exists(a) OR NOT (b.c[0] BETWEEN ? AND ? AND size("d-e") > ?)
//   projection   a, b.c[0]
//   update       SET a = ?, b = b + ?, c = if_not_exists(c, ?) REMOVE d ADD e ? DELETE f ?
//
// Legacy parameters and the clauses of statements have the text of the expression that they mean.
// Pure functions; any thread. A name that an expression could not contain as it is, or that is a
// keyword such as AND, is in double quotes, and its own quotes are doubled. (A reserved word is not
// quoted.) The names that are listed point into the bound expression.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "expression/expression.h"
#include "expression/path.h"

namespace hashrange {

// Appends the path: `a.b[0]`.
void AppendPathText(Path path, std::string* text);

// Appends the condition. The text depends on the walk of its tests only: conditions that differ in
// redundant parentheses, or by De Morgan's laws, have the same text. The values of IN are one `?`,
// whatever their number, behind the operands of other forms: `a IN (b, ?)`. Nothing is appended for
// an empty condition, nor for one that tests only the key by which a statement finds its item. For
// a condition of more than 64 tests, 64 of its tests are listed: `a = ?; b = ?; ...`.
// Cost: linear in the text, and quadratic in the number of tests, up to 64.
void AppendConditionText(const Condition& condition, std::string* text);

// Appends the paths, each once, in the order of their names.
// Cost: O(n log n) for n paths.
void AppendProjectionText(const Projection& projection, std::string* text);

// Returns "=", "<", "<=", ">", ">=", "BETWEEN" or "begins_with"; empty for kNotIndexable, with
// which nothing is read.
std::string_view KeyOperatorText(KeyOperator op);

// Appends the actions: the clauses SET, REMOVE, ADD and DELETE in this order, in each the actions
// in the order of the request.
void AppendUpdateText(const Update& update, std::string* text);

// Each replaces `*names` by top-level attributes, each once, ascending: those that the condition
// mentions (without the key by which a statement finds its item), that the projection returns
// entirely or in part, and that the update changes entirely or in part.
// Cost: O(n log n) for n paths.
void ListConditionAttributes(const Condition& condition, std::vector<std::string_view>* names);
void ListProjectionAttributes(const Projection& projection, std::vector<std::string_view>* names);
void ListUpdatedAttributes(const Update& update, std::vector<std::string_view>* names);

}  // namespace hashrange
