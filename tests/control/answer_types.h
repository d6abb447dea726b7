// The types of the control API's answers, as the rows of control/routes.def have them, against real
// answers: a member without a row, a missing one and one of another type are problems.
#pragma once

#include <set>
#include <string>
#include <string_view>

namespace hashrange {

// Which rows the answers so far had: "ItemPlace.index", and "ItemPlace.index?" for an object that
// lacked this member.
using SeenRows = std::set<std::string>;

// Returns what the answer of a call with status 200 has that its type does not allow; empty: it is
// of its type, or the rows have no type of this call's answers. `path`: with or without a query.
// `seen`: null: it is not asked for.
std::string ProblemOfAnswer(std::string_view method, std::string_view path, std::string_view body,
                            SeenRows* seen = nullptr);

// Returns what SeenRows has when answers had each member, and objects lacked each optional one.
SeenRows AllRows();

}  // namespace hashrange
