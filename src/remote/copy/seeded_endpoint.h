// SeededEndpoint: the tables of a folder, or of a file, as an endpoint. They are loaded into a
// database of this process as `serve --seed` loads them, so that a copy reads every form of seeds
// (control/files/seed_plan.h). They are in memory as long as the object lives. Thread-safe.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "hashrange/database.h"
#include "remote/copy/api_endpoint.h"

namespace hashrange {

// Calls a database of this process as a client calls a service.
ServiceReply CallDatabase(Database& database, std::string_view operation, std::string_view json);

class SeededEndpoint : public ApiEndpoint {
 public:
  // Loads the folder, or the file.
  // Errors: ValidationException  the sentence of the seed: a file is missing or wrong
  static Result<std::unique_ptr<SeededEndpoint>> Load(const std::filesystem::path& path);

  ServiceReply Call(std::string_view operation, std::string json) override;
  const std::string& name() const override { return name_; }
  bool keeps_tables() const override { return false; }

 private:
  explicit SeededEndpoint(std::string name);

  const std::string name_;
  Database database_;
};

}  // namespace hashrange
