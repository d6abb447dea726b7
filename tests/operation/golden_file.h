// Golden files: requests and their whole answers as data (golden/*.json). A file describes one
// database and the calls on it, in order:
//
//   {"setup": [{"CreateTable": {…}}, {"PutItem": {…}}, …],          calls that must succeed
//    "calls": [
//      {"PutItem": {…}, "answers": {…}},                            the whole answer
//      {"PutItem": {…}, "fails": "text"},                           a ValidationException
//      {"PutItem": {…}, "fails": "text", "type": "…", "with": {…}}  another error, its other
//      members
//      {"each": "PutItem", "base": {…}, "fails": [[{…}, "text"], …], "prefix": "…"}
//      {"each": "Query", "base": {…}, "answers": [[{…}, {…}], …]}
//    ]}
//
// A row of "each" replaces members of "base" (null removes a member); "prefix" is put before
// the text of each row. Anywhere in a request or an answer:
//   {"$repeat": ["x", 3]}         "xxx"
//   {"$join": ["a", {…}]}         the texts, one after the other
//   {"$entry": [{…}, 7]}          an object with one member: its name and its value
//   {"$nested": 2}                {"L":[{"L":[{"S":"x"}]}]}
//   {"$times": [2, {"S":"k#"}]}   [{"S":"k1"},{"S":"k2"}]
//   {"$with": [{…}, {…}]}         the first object with the members of the second
//   "$any"                        in an answer: any value
#pragma once

#include <string>
#include <vector>

namespace hashrange {

// Runs the calls of golden/<name>.json; each call that fails is a failure of the GoogleTest test.
void RunGoldenFile(const std::string& name);

// Returns the names of the files in golden/, without ".json", ascending.
std::vector<std::string> GoldenFileNames();

}  // namespace hashrange
