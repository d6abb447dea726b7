#include "operation/golden_file.h"

#include <gtest/gtest.h>
#include <rapidjson/document.h>
#include <rapidjson/error/en.h>
#include <rapidjson/stringbuffer.h>
#include <rapidjson/writer.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string_view>

#include "base/error.h"
#include "support/api.h"
#include "support/source_root.h"

namespace hashrange {
namespace {

using rapidjson::Document;
using rapidjson::Value;

const std::filesystem::path kFolder = SourceRoot() / "tests/operation/golden";

std::string ToJsonText(const Value& json) {
  rapidjson::StringBuffer buffer;
  rapidjson::Writer writer(buffer);
  json.Accept(writer);
  return {buffer.GetString(), buffer.GetSize()};
}

std::string_view ToStringView(const Value& json) {
  return {json.GetString(), json.GetStringLength()};
}

std::string WithNumber(std::string_view text, unsigned number) {
  std::string out;
  for (char c : text) out.append(c == '#' ? std::to_string(number) : std::string(1, c));
  return out;
}

class GoldenRun {
 public:
  explicit GoldenRun(Document& file) : memory_(file.GetAllocator()) {}

  void RunSetup(const Value& calls) {
    for (const Value& call : calls.GetArray()) {
      const auto member = call.MemberBegin();
      api_.Ok(ToStringView(member->name), ToJsonText(Expanded(member->value)));
    }
  }

  void RunCalls(const Value& calls) {
    for (const Value& call : calls.GetArray())
      call.HasMember("each") ? RunRows(call) : RunCall(call);
  }

 private:
  void RunRows(const Value& call) {
    const bool fails = call.HasMember("fails");
    for (const Value& row : call[fails ? "fails" : "answers"].GetArray()) {
      Value request = WithMembers(call["base"], row[0]);
      if (fails) {
        const std::string prefix = call.HasMember("prefix") ? call["prefix"].GetString() : "";
        Value text = Expanded(row[1]);
        ExpectError(call["each"].GetString(), request, prefix + std::string(ToStringView(text)),
                    call);
      } else {
        ExpectAnswer(call["each"].GetString(), request, row[1]);
      }
    }
  }

  void RunCall(const Value& call) {
    const auto member = call.MemberBegin();
    const std::string operation(ToStringView(member->name));
    if (call.HasMember("fails")) {
      ExpectError(operation, member->value, std::string(ToStringView(Expanded(call["fails"]))),
                  call);
    } else {
      ExpectAnswer(operation, member->value, call["answers"]);
    }
  }

  void ExpectAnswer(const std::string& operation, const Value& request, const Value& expected) {
    const std::string json = ToJsonText(Expanded(request));
    const Api::Reply reply = api_.Call(operation, json);
    Document answer;
    answer.Parse(reply.body.data(), reply.body.size());
    const Value whole = Expanded(expected);
    EXPECT_TRUE(reply.http_status == 200 && Matches(whole, answer))
        << operation << " " << Shortened(json) << "\n  answered " << reply.http_status << " "
        << Shortened(reply.body) << "\n  expected " << Shortened(ToJsonText(whole));
  }

  // `call` may have "type" and "with".
  void ExpectError(const std::string& operation, const Value& request, const std::string& text,
                   const Value& call) {
    const std::string type =
        call.HasMember("type") ? call["type"].GetString() : "ValidationException";
    const ErrorInfo* info = nullptr;
    for (int code = 0; code <= static_cast<int>(ErrorCode::kInternalServerError); ++code) {
      if (ErrorInfoOf(static_cast<ErrorCode>(code)).name == type) {
        info = &ErrorInfoOf(static_cast<ErrorCode>(code));
      }
    }
    ASSERT_TRUE(info) << type;
    Value expected(rapidjson::kObjectType);
    AddString(expected, "__type", std::string(info->type_namespace) + "#" + type);
    if (!text.empty()) AddString(expected, std::string(info->message_member), text);
    if (call.HasMember("with")) expected = WithMembers(expected, call["with"]);
    const std::string json = ToJsonText(Expanded(request));
    const Api::Reply reply = api_.Call(operation, json);
    Document answer;
    answer.Parse(reply.body.data(), reply.body.size());
    EXPECT_TRUE(reply.http_status == info->http_status && Matches(expected, answer))
        << operation << " " << Shortened(json) << "\n  answered " << reply.http_status << " "
        << Shortened(reply.body) << "\n  expected " << Shortened(ToJsonText(expected));
  }

  void AddString(Value& object, const std::string& name, const std::string& text) {
    object.AddMember(Value(name.c_str(), memory_), Value(text.c_str(), memory_), memory_);
  }

  // Returns `base` with the members of `changes`; a null removes the member.
  Value WithMembers(const Value& base, const Value& changes) {
    Value all(rapidjson::kObjectType);
    for (const Value* source : {&base, &changes}) {
      const Value expanded = Expanded(*source);
      for (const auto& member : expanded.GetObject()) {
        all.RemoveMember(member.name);
        if (member.value.IsNull()) continue;
        all.AddMember(Value(member.name, memory_), Value(member.value, memory_), memory_);
      }
    }
    return all;
  }

  Value Expanded(const Value& json, unsigned number = 0) {
    if (json.IsString() && number > 0) {
      return Value(WithNumber(ToStringView(json), number).c_str(), memory_);
    }
    if (json.IsArray()) {
      Value out(rapidjson::kArrayType);
      for (const Value& element : json.GetArray()) {
        out.PushBack(Expanded(element, number), memory_);
      }
      return out;
    }
    if (!json.IsObject()) return Value(json, memory_);
    if (json.MemberCount() == 1 && json.MemberBegin()->name.GetString()[0] == '$') {
      return ExpandedSpecial(json.MemberBegin()->name.GetString(), json.MemberBegin()->value,
                             number);
    }
    Value out(rapidjson::kObjectType);
    for (const auto& member : json.GetObject()) {
      out.AddMember(Expanded(member.name, number), Expanded(member.value, number), memory_);
    }
    return out;
  }

  Value ExpandedSpecial(std::string_view kind, const Value& json, unsigned number) {
    if (kind == "$repeat") {
      std::string text;
      for (int i = 0; i < json[1].GetInt(); ++i) text.append(ToStringView(json[0]));
      return Value(text.data(), static_cast<rapidjson::SizeType>(text.size()), memory_);
    }
    if (kind == "$with") return WithMembers(json[0], json[1]);
    if (kind == "$join") {
      std::string text;
      for (const Value& part : json.GetArray()) text.append(ToStringView(Expanded(part, number)));
      return Value(text.data(), static_cast<rapidjson::SizeType>(text.size()), memory_);
    }
    if (kind == "$entry") {
      Value out(rapidjson::kObjectType);
      out.AddMember(Expanded(json[0], number), Expanded(json[1], number), memory_);
      return out;
    }
    if (kind == "$times") {
      Value out(rapidjson::kArrayType);
      for (unsigned i = 1; i <= json[0].GetUint(); ++i) {
        out.PushBack(Expanded(json[1], i), memory_);
      }
      return out;
    }
    EXPECT_EQ(kind, "$nested");
    Value out(rapidjson::kObjectType);
    out.AddMember("S", "x", memory_);
    for (int i = 0; i < json.GetInt(); ++i) {
      Value list(rapidjson::kArrayType);
      list.PushBack(out, memory_);
      out.SetObject().AddMember("L", list, memory_);
    }
    (void)number;
    return out;
  }

  static bool Matches(const Value& expected, const Value& actual) {
    if (expected.IsString() && ToStringView(expected) == "$any") return true;
    if (expected.IsArray() && actual.IsArray()) {
      return std::equal(expected.Begin(), expected.End(), actual.Begin(), actual.End(), Matches);
    }
    if (!expected.IsObject() || !actual.IsObject()) return expected == actual;
    if (expected.MemberCount() != actual.MemberCount()) return false;
    return std::all_of(expected.MemberBegin(), expected.MemberEnd(), [&](const auto& member) {
      const auto found = actual.FindMember(member.name);
      return found != actual.MemberEnd() && Matches(member.value, found->value);
    });
  }

  static std::string Shortened(const std::string& text) {
    constexpr std::size_t kMost = 3000;
    return text.size() <= kMost ? text : text.substr(0, kMost) + "…";
  }

  Document::AllocatorType& memory_;
  Api api_;
};

}  // namespace

void RunGoldenFile(const std::string& name) {
  std::ifstream stream(kFolder / (name + ".json"));
  std::stringstream text;
  text << stream.rdbuf();
  Document file;
  file.Parse(text.str().c_str());
  ASSERT_FALSE(file.HasParseError()) << rapidjson::GetParseError_En(file.GetParseError()) << " at "
                                     << text.str().substr(file.GetErrorOffset(), 80);
  GoldenRun run(file);
  run.RunSetup(file["setup"]);
  run.RunCalls(file["calls"]);
}

std::vector<std::string> GoldenFileNames() {
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(kFolder)) {
    if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
  }
  std::ranges::sort(names);
  return names;
}

}  // namespace hashrange
