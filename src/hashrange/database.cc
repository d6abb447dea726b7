#include "hashrange/database.h"

#include "hashrange/database_state.h"

namespace hashrange {

Database::Database() : Database(Options()) {}
Database::Database(const Options& options) : state_(std::make_unique<State>(options)) {}
Database::~Database() = default;

}  // namespace hashrange
