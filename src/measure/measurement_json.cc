#include "measure/measurement_json.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "base/duration.h"
#include "measure/measurement_members.h"
#include "measure/partition_map_check.h"

namespace hashrange {
namespace {

// --- Writing ---

class MemberWriter {
 public:
  explicit MemberWriter(JsonWriter& writer) : writer_(writer) {}

  template <typename T>
  void operator()(const char* name, T& member) {
    writer_.Name(name);
    Write(member);
  }

  void Write(std::string& text) { writer_.String(text); }
  void Write(bool value) { writer_.Bool(value); }
  void Write(double value) { writer_.Double(value); }
  void Write(std::int64_t value) { writer_.Integer(value); }
  void Write(std::uint64_t value) { writer_.Integer(static_cast<std::int64_t>(value)); }
  void Write(std::uint32_t value) { writer_.Integer(value); }
  void Write(Distribution& distribution);
  void Write(std::vector<HeatRange>& heat) {
    std::vector<HeatRun> runs = HeatRunsOf(heat);
    Write(runs);
  }
  template <typename T>
  void Write(std::vector<T>& list) {
    writer_.BeginArray();
    for (T& element : list) Write(element);
    writer_.EndArray();
  }
  void Write(std::vector<double>& list) {
    writer_.BeginArray();
    for (const double element : list) writer_.Double(element);
    writer_.EndArray();
  }
  template <typename Part>
  void Write(Part& part) {
    writer_.BeginObject();
    VisitMembers(*this, part);
    writer_.EndObject();
  }

 private:
  void WriteNumber(const char* name, double value) {
    writer_.Name(name);
    writer_.Double(value);
  }

  JsonWriter& writer_;
};

void MemberWriter::Write(Distribution& distribution) {
  writer_.BeginObject();
  writer_.IntegerMember("count", static_cast<std::int64_t>(distribution.count()));
  WriteNumber("sum", distribution.sum());
  WriteNumber("p50", distribution.Percentile(0.5));
  WriteNumber("p95", distribution.Percentile(0.95));
  WriteNumber("p99", distribution.Percentile(0.99));
  WriteNumber("max", distribution.max());
  writer_.Name("buckets");
  writer_.BeginArray();
  for (const Distribution::Bucket& bucket : distribution.buckets()) {
    writer_.BeginArray();
    writer_.Double(Distribution::GreatestOf(bucket.number));
    writer_.Integer(static_cast<std::int64_t>(bucket.count));
    writer_.EndArray();
  }
  writer_.EndArray();
  writer_.EndObject();
}

// --- Reading ---

using Type = JsonValue::Type;

// No measurement has greater numbers. Greater ones would leave the range of later sums and plots.
constexpr double kGreatestNumber = 1e15;

bool IsMeasurable(double number) { return number >= 0 && number <= kGreatestNumber; }

std::optional<double> NumberIn(const JsonValue& json) {
  if (json.type == Type::kInteger) return static_cast<double>(json.integer);
  if (json.type == Type::kDecimal || json.type == Type::kHugeInteger) return json.decimal;
  return std::nullopt;
}

// Reports and rules compare elements of one list with those of another, so their time grows with
// the product of both, and an element may take a hundred times the memory of its JSON. What the
// meter makes is smaller.
constexpr std::size_t kMostElements = 10'000;  // of a list
constexpr std::size_t kMostElementsInAll = 200'000;
constexpr std::size_t kMostPatterns = 2000;
constexpr std::size_t kMostTables = 1000;  // and as many indexes of all of them
constexpr std::size_t kMostNames = 2000;   // see CountedName

template <typename T>
constexpr std::size_t MostElementsOf() {
  if constexpr (std::is_same_v<T, PatternMeasure>) return kMostPatterns;
  if constexpr (std::is_same_v<T, TableMeasure>) return kMostTables;
  return kMostElements;
}

// What the readers of all parts of one measurement share.
struct ReadingState {
  Status status = {};
  std::size_t elements = 0;          // of all lists that were read so far
  std::set<std::string> names = {};  // of all parts: CountedName
};

// Returns what a part counts something for: a table or an index, or the name of an error or a
// caller. Empty for other parts.
template <typename Part>
std::string CountedName(const Part& part) {
  if constexpr (requires { part.table.size() + part.index.size(); }) {
    return part.table + '\0' + part.index;
  } else if constexpr (std::is_same_v<Part, NamedCount>) {
    return part.name;
  } else {
    return {};
  }
}

// Reads the members of one object. The first member of another type ends the reading.
class MemberReader {
 public:
  MemberReader(const JsonValue& json, std::string place, ReadingState* state)
      : json_(json), place_(std::move(place)), state_(*state), status_(state->status) {}

  void ReadWhole(PartitionMap& map) { Read(json_, place_, map); }

  template <typename T>
  void operator()(const char* name, T& member) {
    const JsonValue* const value = status_.ok() ? json_.Find(name) : nullptr;
    if (value) Read(*value, place_.empty() ? name : place_ + "." + name, member);
  }

 private:
  void Fail(const std::string& place, const char* wanted) {
    if (status_.ok()) status_ = ValidationError("\"" + place + "\" is not " + wanted + ".");
  }

  // Returns false when the list has more elements than one may have, or all lists have.
  bool CountElements(std::size_t elements, std::size_t most, const std::string& place) {
    if (!status_.ok()) return false;
    state_.elements += elements;
    if (elements > most) {
      status_ = ValidationError("\"" + place + "\" has " + std::to_string(elements) +
                                " elements, and a measurement may have " + std::to_string(most) +
                                " there.");
    } else if (state_.elements > kMostElementsInAll) {
      status_ = ValidationError("The lists of a measurement have at most " +
                                std::to_string(kMostElementsInAll) + " elements in all.");
    }
    return status_.ok();
  }

  void Read(const JsonValue& json, const std::string& place, std::string& text) {
    if (json.type != Type::kString) return Fail(place, "a text");
    text = json.string();
  }
  void Read(const JsonValue& json, const std::string& place, bool& value) {
    if (json.type != Type::kTrue && json.type != Type::kFalse) return Fail(place, "a boolean");
    value = json.type == Type::kTrue;
  }
  void Read(const JsonValue& json, const std::string& place, double& value) {
    const auto number = NumberIn(json);
    if (!number) return Fail(place, "a number");
    if (!IsMeasurable(*number)) return Fail(place, "a number from 0 to 1e15");
    value = *number;
  }
  template <typename Whole>
    requires std::is_integral_v<Whole>
  void Read(const JsonValue& json, const std::string& place, Whole& value) {
    const bool is_whole = json.type == Type::kInteger;
    if (is_whole && json.integer < 0) return Fail(place, "a whole number of 0 or more");
    const bool fits = is_whole && std::in_range<Whole>(json.integer);
    if (!fits) return Fail(place, "a whole number");
    const bool is_time = place.ends_with("_ms");
    if (is_time && json.integer > kLongestDurationMs) {
      return Fail(place, "a time before the year 10000");
    }
    value = static_cast<Whole>(json.integer);
  }
  void Read(const JsonValue& json, const std::string& place, Distribution& distribution);
  void Read(const JsonValue& json, const std::string& place, std::vector<HeatRange>& heat) {
    std::vector<HeatRun> runs;
    Read(json, place, runs);
    auto ranges = HeatRangesOf(runs);
    if (!ranges) return Fail(place, "a list of ascending runs of ranges below 4096");
    heat = std::move(*ranges);
  }
  void Read(const JsonValue& json, const std::string& place, TimeMeasure& time) {
    ReadPart(json, place, time);
    const auto& buckets = time.buckets;
    const bool ascend = std::ranges::adjacent_find(buckets, std::greater_equal<>(),
                                                   &TimeBucket::begin_epoch_ms) == buckets.end();
    if (!ascend) return Fail(place + ".buckets", "a list of ascending buckets");
    if (!buckets.empty() && time.bucket_ms <= 0) {
      Fail(place + ".bucket_ms", "a length of buckets above 0");
    }
  }
  void Read(const JsonValue& json, const std::string& place, PartitionMap& map) {
    ReadPart(json, place, map);
    FillMissingDemand(&map);
    const auto problem = FindMapProblem(map);
    if (problem)
      Fail(place.empty() ? problem->member : place + "." + problem->member, problem->wanted);
  }
  template <typename T>
  void Read(const JsonValue& json, const std::string& place, std::vector<T>& list) {
    if (json.type != Type::kArray) return Fail(place, "a list");
    if (!CountElements(json.elements().size(), MostElementsOf<T>(), place)) return;
    for (const JsonValue& element : json.elements()) {
      if (!status_.ok()) return;
      const std::string element_place = place + "[" + std::to_string(list.size()) + "]";
      Read(element, element_place, list.emplace_back());
    }
  }
  template <typename Part>
    requires std::is_class_v<Part>
  void Read(const JsonValue& json, const std::string& place, Part& part) {
    ReadPart(json, place, part);
  }
  template <typename Part>
  void ReadPart(const JsonValue& json, const std::string& place, Part& part) {
    if (json.type != Type::kObject) return Fail(place, "an object");
    MemberReader reader(json, place, &state_);
    VisitMembers(reader, part);
    if (std::string name = CountedName(part); !name.empty()) state_.names.insert(std::move(name));
    if (status_.ok() && state_.names.size() > kMostNames) {
      status_ = ValidationError("A measurement names at most " + std::to_string(kMostNames) +
                                " tables, indexes, errors and callers in all.");
    }
  }

  const JsonValue& json_;
  const std::string place_;
  ReadingState& state_;
  Status& status_;  // of the state
};

void MemberReader::Read(const JsonValue& json, const std::string& place,
                        Distribution& distribution) {
  if (json.type != Type::kObject) return Fail(place, "an object");
  double sum = 0, max = 0;
  if (const JsonValue* const member = json.Find("sum")) Read(*member, place + ".sum", sum);
  if (const JsonValue* const member = json.Find("max")) Read(*member, place + ".max", max);
  const JsonValue* const list = json.Find("buckets");
  if (!list || list->type != Type::kArray) return Fail(place + ".buckets", "a list");
  std::vector<Distribution::Bucket> buckets;
  for (const JsonValue& pair : list->elements()) {
    const bool is_pair = pair.type == Type::kArray && pair.elements().size() == 2;
    const auto value = is_pair ? NumberIn(pair.elements()[0]) : std::nullopt;
    if (!value || !IsMeasurable(*value) || pair.elements()[1].type != Type::kInteger ||
        pair.elements()[1].integer < 0) {
      return Fail(place + ".buckets", "a list of pairs of a value and a count");
    }
    const std::uint32_t number = Distribution::BucketOf(*value);
    if (!buckets.empty() && buckets.back().number >= number) {
      return Fail(place + ".buckets", "a list with ascending values");
    }
    buckets.push_back({number, static_cast<std::uint64_t>(pair.elements()[1].integer)});
  }
  distribution = Distribution::Of(std::move(buckets), sum, max);
}

// --- The schema ---

class SchemaWriter {
 public:
  explicit SchemaWriter(JsonWriter& writer) : writer_(writer) {}

  template <typename T>
  void operator()(const char* name, T& member) {
    writer_.Name(name);
    Describe(member);
  }

  template <typename Part>
  void DescribeObject(Part& part) {
    writer_.StringMember("type", "object");
    writer_.Name("properties");
    writer_.BeginObject();
    VisitMembers(*this, part);
    writer_.EndObject();
  }

 private:
  void DescribeAs(const char* type) {
    writer_.BeginObject();
    writer_.StringMember("type", type);
    writer_.EndObject();
  }
  void Describe(std::string&) { DescribeAs("string"); }
  void Describe(bool&) { DescribeAs("boolean"); }
  void Describe(double&) { DescribeAs("number"); }
  template <typename Whole>
    requires std::is_integral_v<Whole>
  void Describe(Whole&) {
    DescribeAs("integer");
  }
  void Describe(Distribution&) {
    writer_.BeginObject();
    writer_.StringMember("$ref", "#/definitions/distribution");
    writer_.EndObject();
  }
  void Describe(std::vector<HeatRange>&) {
    std::vector<HeatRun> runs;
    Describe(runs);
  }
  template <typename T>
  void Describe(std::vector<T>&) {
    writer_.BeginObject();
    writer_.StringMember("type", "array");
    writer_.Name("items");
    T element{};
    Describe(element);
    writer_.EndObject();
  }
  template <typename Part>
    requires std::is_class_v<Part>
  void Describe(Part& part) {
    writer_.BeginObject();
    DescribeObject(part);
    writer_.EndObject();
  }

  JsonWriter& writer_;
};

constexpr std::string_view kDistributionSchema =
    R"({"description":"How often each size was seen. A bucket is a pair: its greatest value and )"
    R"(its count. Values up to 128 are exact.","type":"object","properties":{"count":{"type":)"
    R"("integer"},"sum":{"type":"number"},"p50":{"type":"number"},"p95":{"type":"number"},)"
    R"("p99":{"type":"number"},"max":{"type":"number"},"buckets":{"type":"array","items":)"
    R"({"type":"array","items":{"type":"number"},"minItems":2,"maxItems":2}}}})";

// Measurements of other versions have other forms of some members.
Status CheckVersion(const JsonValue& version) {
  const std::int64_t own = Measurement().version;
  if (version.type != Type::kInteger) return ValidationError("\"version\" is not a whole number.");
  if (version.integer == own) return {};
  return ValidationError("This is a measurement of version " + std::to_string(version.integer) +
                         ", of " + (version.integer < own ? "an earlier" : "a later") +
                         " Hashrange; this one reads version " + std::to_string(own) + ".");
}

}  // namespace

// The visitors change nothing here; one VisitMembers serves reading, too, and so takes references
// to what may change.
void WriteMeasurement(const Measurement& measurement, JsonWriter& writer) {
  MemberWriter(writer).Write(const_cast<Measurement&>(measurement));
}

void WritePartitionMap(const PartitionMap& map, JsonWriter& writer) {
  MemberWriter(writer).Write(const_cast<PartitionMap&>(map));
}

Result<Measurement> ReadMeasurement(const JsonValue& json) {
  const JsonValue* const version = json.type == Type::kObject ? json.Find("version") : nullptr;
  if (!version) return ValidationError("This is no measurement: it has no \"version\".");
  HR_RETURN_IF_ERROR(CheckVersion(*version));
  Measurement measurement;
  ReadingState state;
  MemberReader reader(json, {}, &state);
  VisitMembers(reader, measurement);
  if (!state.status.ok()) return std::move(state.status).error();
  std::size_t indexes = 0;
  for (const TableMeasure& table : measurement.tables) indexes += table.indexes.size();
  if (indexes > kMostTables) {
    return ValidationError("The tables of a measurement have at most " +
                           std::to_string(kMostTables) + " indexes in all.");
  }
  return measurement;
}

Result<PartitionMap> ReadPartitionMap(const JsonValue& json) {
  if (json.type != Type::kObject) return ValidationError("This is no map of partitions.");
  PartitionMap map;
  ReadingState state;
  MemberReader(json, {}, &state).ReadWhole(map);
  if (!state.status.ok()) return std::move(state.status).error();
  return map;
}

Result<Measurement> ReadMeasurementText(std::span<char> text) {
  Arena arena;
  HR_ASSIGN(const JsonValue* json, ParseJsonData(text, JsonDialect::kStrict, arena));
  return ReadMeasurement(*json);
}

void WriteMeasurementSchema(JsonWriter& writer) {
  writer.BeginObject();
  writer.StringMember("$schema", "http://json-schema.org/draft-04/schema#");
  writer.StringMember("title", "A measurement of Hashrange");
  Measurement measurement;
  SchemaWriter(writer).DescribeObject(measurement);
  writer.Name("required");
  writer.BeginArray();
  writer.String("version");
  writer.EndArray();
  writer.Name("definitions");
  writer.BeginObject();
  writer.Name("distribution");
  writer.Raw(kDistributionSchema);
  writer.EndObject();
  writer.EndObject();
}

}  // namespace hashrange
