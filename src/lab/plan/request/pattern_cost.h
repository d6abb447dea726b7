// PatternCost: what one call of a pattern is expected to take in a layout, by table and index, on
// average over the calls of the declared traffic. Plain data.
//
// Costs are monotone: with one more key, copy or other written item no write takes fewer units, and
// with more items, or larger ones, in what a key condition or a Scan meets, no read by that key
// does. (A pattern as a whole may take fewer units with one more key, since the cheapest is taken.)
#pragma once

#include <string>
#include <vector>

#include "lab/plan/request/layout_keys.h"

namespace hashrange {

// What a call takes of one table or index.
struct KeyCost {
  LabKey key = {};
  bool is_write = false;
  double units = 0;
  // Of these units, the share of the partition key value that gets most of them.
  double hottest_share = 0;
  // The template of that value, as the layout has it: "CUST#{customer_id}".
  std::string hottest_template = {};
};

// What a call takes of the hottest partition key value that one template makes.
struct KeyHeat {
  LabKey key = {};
  bool is_write = false;
  std::string text = {};  // the template
  double units = 0;
};

// What a call takes of the vector indexes of one table, in bytes.
struct VectorCost {
  int table = kLabNone;
  double searched_bytes = 0;
  double written_bytes = 0;
};

struct PatternCost {
  std::vector<KeyCost> keys = {};
  std::vector<KeyHeat> heats = {};
  std::vector<VectorCost> vectors = {};
  double requests = 0;       // pages, look-ups and fetches included
  double items = 0;          // that are read
  double unasked_items = 0;  // of these, what the pattern does not ask for

  double ReadUnits() const { return UnitsOf(false); }
  double WriteUnits() const { return UnitsOf(true); }
  double SearchedBytes() const { return BytesOf(&VectorCost::searched_bytes); }
  double VectorWriteBytes() const { return BytesOf(&VectorCost::written_bytes); }
  // Returns whether anything is expected of a call.
  bool IsKnown() const { return !keys.empty() || !vectors.empty(); }

  // Adds what a call takes besides; units of one key are added up, and their shares averaged. Heats
  // of one template are added up, as if its hottest value were the same each time.
  void Add(const KeyCost& more) {
    if (more.units <= 0) return;
    AddHeat({more.key, more.is_write, more.hottest_template, more.units * more.hottest_share});
    AddUnits(more);
  }
  void Add(const VectorCost& more) {
    for (VectorCost& one : vectors) {
      if (one.table != more.table) continue;
      one.searched_bytes += more.searched_bytes;
      one.written_bytes += more.written_bytes;
      return;
    }
    if (more.searched_bytes > 0 || more.written_bytes > 0) vectors.push_back(more);
  }
  void Add(const PatternCost& more) {
    for (const VectorCost& one : more.vectors) Add(one);
    for (const KeyCost& one : more.keys) AddUnits(one);
    for (const KeyHeat& one : more.heats) AddHeat(one);
    requests += more.requests;
    items += more.items;
    unasked_items += more.unasked_items;
  }

  void Multiply(double factor) {
    for (KeyCost& one : keys) one.units *= factor;
    for (KeyHeat& one : heats) one.units *= factor;
    for (VectorCost& one : vectors) {
      one.searched_bytes *= factor;
      one.written_bytes *= factor;
    }
    requests *= factor;
    items *= factor;
    unasked_items *= factor;
  }

 private:
  void AddHeat(const KeyHeat& more) {
    for (KeyHeat& one : heats) {
      if (one.key != more.key || one.is_write != more.is_write || one.text != more.text) continue;
      one.units += more.units;
      return;
    }
    heats.push_back(more);
  }

  void AddUnits(const KeyCost& more) {
    for (KeyCost& one : keys) {
      if (one.key != more.key || one.is_write != more.is_write) continue;
      const double units = one.units + more.units;
      one.hottest_share = (one.hottest_share * one.units + more.hottest_share * more.units) / units;
      one.units = units;
      return;
    }
    keys.push_back(more);
  }

  double BytesOf(double VectorCost::*bytes) const {
    double sum = 0;
    for (const VectorCost& one : vectors) sum += one.*bytes;
    return sum;
  }

  double UnitsOf(bool is_write) const {
    double sum = 0;
    for (const KeyCost& one : keys) sum += one.is_write == is_write ? one.units : 0;
    return sum;
  }
};

}  // namespace hashrange
