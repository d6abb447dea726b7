// hashrange::Database: all tables of one server, in this process's memory. Call it with
// DynamoDB's own JSON:
//
//   hashrange::Database database;
//   database.Call("CreateTable", R"({"TableName":"app",…})");
//   const auto answer = database.Call("GetItem", R"({"TableName":"app","Key":{…}})");
//   if (!answer.ok()) …                   // answer.body is {"__type":"…","message":"…"}
//
// and give it to a Server (server.h) to reach the same tables with any AWS SDK.
// Thread-safe, but for its destructor.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace hashrange {

// Which account's and Region's tables a call uses: the values with which an SDK would sign it.
struct Credential {
  // A key of 12 digits is the id of the account. Any other key uses the account 000000000000.
  std::string_view access_key = "";
  std::string_view region = "us-east-1";
};

// The answer that a server would send for the call.
struct Answer {
  // 200; 400, 500 or 503 with an error; 404, 405 or 409 with an error of Control; 413: the input
  // is too large; 0: a fault dropped the call.
  int status = 0;
  // JSON: the output, or an error such as {"__type":"…","message":"…"}. An HTML page with 503;
  // empty with 413 and 0.
  std::string body;
  // For how long the caller is to hold the answer back, as a fault asks for. 0 in a build with
  // threads: there, Call waits before it returns.
  std::int64_t send_after_ms = 0;

  bool ok() const { return status == 200; }
};

class Database {
 public:
  static constexpr int kMaxStreamShards = 256;

  struct Options {
    // One set of tables for every access key and Region, instead of one for each pair.
    bool shared_tables = false;
    // Tables of its own for each access key that a request by HTTP is signed with: a key that is
    // not 12 digits stands for an account whose id is a hash of the key. False: such keys share the
    // account 000000000000. Without effect with `shared_tables`.
    bool tables_of_each_key = false;
    // How long a table is CREATING, UPDATING or DELETING, in milliseconds. With 0, the next call
    // already sees that the table is ACTIVE or deleted; an index that is added to a table of 1,000
    // items or more is ACTIVE once it is filled.
    std::int64_t transition_ms = 0;
    // The same for each phase of an index that is added to a table or deleted from it; less than
    // `transition_ms`: as long as `transition_ms`.
    std::int64_t index_transition_ms = 0;
    // The number of shards of a stream, from 1 to kMaxStreamShards; any other number counts as the
    // nearest of these. Each shard is a range of the hashes of partition keys.
    int stream_shards = 1;
    // How many bytes the records of a stream may take, as DynamoDB counts items. The oldest
    // records above that are trimmed, even before they are 24 hours old.
    std::int64_t stream_buffer_bytes = 256LL << 20;
    // How often expired items are deleted, in milliseconds: an item stays at most this long after
    // it has expired. With 0, items are deleted only when the clock is advanced.
    std::int64_t ttl_interval_ms = 1000;
    // How much memory the data may take; 0: no bound. Beyond it, operations that store something
    // are refused with InternalServerError before they change anything, a batch or a transaction as
    // a whole; reads and deletes are not refused. Counted are the items, indexes, stream records
    // and buffers of all databases of the process. A little more may be taken: each thread counts
    // 256 KiB before it reports them, and what a call stores is not known before.
    std::int64_t max_memory_bytes = 0;
    // When calls begin to be counted. True: at the start; false: at the first GET of the control
    // API's metrics.
    bool metrics = false;
    // Where the tables are kept, so that the next Database finds them (docs/data-directory.md). The
    // directory is made if it is not there. Empty: nothing is kept.
    std::string data_directory = "";
    // How often changes are flushed to the disk, in milliseconds. 0: a change is flushed before its
    // call returns; kNeverFlushed: the system flushes. In all cases, a change has been given to
    // the system before its call returns.
    std::int64_t sync_interval_ms = 0;
    // Where the records of Kinesis streaming destinations are written, one file of JSON lines for
    // each stream. The directory is made if it is not there. Empty: destinations fail
    // (ENABLE_FAILED).
    std::string kinesis_directory = "";
  };
  static constexpr std::int64_t kNeverFlushed = -1;

  // What Open has found in the data directory.
  struct OpenReport {
    // Any thread may read this while the data are loaded.
    std::atomic<std::int64_t> items{0};
    int tables = 0;  // set when Open has returned
  };
  // Returns a database with what its data directory has; null, with a sentence in `*error`, on
  // failure.
  // Errors: another process uses the directory, it has other files, its data are damaged or of a
  //         newer version, the disk fails
  static std::unique_ptr<Database> Open(const Options& options, std::string* error,
                                        OpenReport* report = nullptr);

  Database();  // the default options
  // Throws std::runtime_error, with the sentence that Open would give, when Open would fail.
  explicit Database(const Options& options);
  // Destroy it only after every call has returned and every Server of this database is destroyed.
  ~Database();
  Database(const Database&) = delete;
  Database& operator=(const Database&) = delete;

  // Returns the answer to one call of an operation such as "GetItem", with its input as JSON.
  // `pattern` is the name under which measurements count the call, as the header
  // X-Hashrange-Pattern is for a call by HTTP; empty: none.
  // Errors: those of the service, in the answer; 413 when the input exceeds 16 MiB
  Answer Call(std::string_view operation, std::string_view json, const Credential& as = {},
              std::string_view pattern = {});
  // Returns the status of the answer, and replaces the content of `body` by the answer's body.
  // Errors: throws std::bad_alloc when there is no memory for the body; like any
  // InternalServerError,
  //         this may follow a change that was made
  // Cost: no allocation for a body that fits into the string.
  // In a build without threads, an answer is not held back.
  int Call(std::string_view operation, std::string_view json, std::string& body,
           const Credential& as = {}, std::string_view pattern = {});

  // For a build without threads (HASHRANGE_THREADS in docs/cpp.md): does what is due by now in all
  // databases of the process, such as deleting expired items and filling indexes, until nothing is
  // due or `budget_ms` have passed. Each Call and Control does so, too, for 5 ms at most. Returns
  // in how many milliseconds something else is due; −1: nothing waits. With threads, returns −1 at
  // once.
  static std::int64_t RunDueWorks(std::int64_t budget_ms);

  // Stops the clock that all dates, expiries and limits follow, at a time in milliseconds since
  // 1970, from 0 to the end of the year 9999. What is due by then, such as items to expire, is not
  // done at once as with Control's "clock". Cost: one store when the clock is stopped already.
  void SetTime(std::int64_t epoch_ms);

  // The progress and the result of a seed.
  struct SeedReport {
    // Any thread may read these two while the seed runs.
    std::atomic<std::int64_t> items_read{0};    // read and checked
    std::atomic<std::int64_t> items_stored{0};  // new tables appear when all their items are stored
    // Set when Seed has returned true.
    int tables = 0;                     // the number of tables of the seed
    std::vector<std::string> warnings;  // sentences
  };
  // Returns whether tables and their items were loaded from a file or a folder, as the control
  // API's "seed" does (docs/control-api.md). If not, `*error` says why, and nothing is loaded,
  // unless the seed failed while it put items into tables that existed before. Warnings are written
  // to the log, or to `*report` if it is given.
  bool Seed(const std::string& path, std::string* error, const Credential& as = {},
            SeedReport* report = nullptr);

  // A dump of the tables of all accounts and Regions as of one instant, for a program that keeps
  // them in its own way. One thread at a time; destroy it before the database.
  class TextDump {
   public:
    ~TextDump();
    // Replaces the content of `lines` by the next lines: for each table a line
    // {"account":"…","region":"…","Table":{…},…}, which is a definition for Control's "seed", and
    // then its items, a line for each: {"Item":{…}}. Returns false at the end.
    bool Next(std::string& lines);
    // Returns whether the other dump has the same tables, settings and items. Cost: O(tables).
    bool HasSameContent(const TextDump& other) const;

   private:
    friend class Database;
    struct State;
    explicit TextDump(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
  };
  std::unique_ptr<TextDump> DumpAll();

  // Writes what is kept to the disk and ends that: further changes are refused. Writes the records
  // of Kinesis destinations that wait. For a program that ends without destroying the database.
  // Returns false, with a sentence in `*error`, when the disk fails.
  bool Close(std::string* error);

  // Returns the answer to a call of the control API (docs/control-api.md): Control("POST", "fork",
  // R"({"from":"111122223333","to":"444455556666"})"). `path` is the part after "/_hashrange/".
  // Errors: 400, 404, 405, 409, 500 with {"error":"One sentence."}.
  Answer Control(std::string_view method, std::string_view path, std::string_view json = {});

 private:
  friend class Server;
  friend class HostedServer;
  struct State;

  struct Outcome {
    int status = 0;
    std::int64_t send_after_ms = 0;
  };
  struct Request;

  explicit Database(std::unique_ptr<State> state);
  Outcome Run(const Request& request, std::string& body);
  // Returns null, with a sentence in `*error`, on failure.
  static std::unique_ptr<State> OpenState(const Options& options, std::string* error,
                                          OpenReport& report);

  std::unique_ptr<State> state_;
};

}  // namespace hashrange
