# The program on a Mac, built from source by Homebrew. It was never tried: docs/install.md.
#
#   brew install --HEAD ./packaging/homebrew/hashrange.rb
class Hashrange < Formula
  desc "In-memory, DynamoDB-compatible server"
  homepage "https://github.com/OWNER/hashrange"
  license "Apache-2.0"
  head "https://github.com/OWNER/hashrange.git", branch: "main"

  depends_on "boost" => :build
  depends_on "cli11" => :build
  depends_on "cmake" => :build
  depends_on "ninja" => :build
  depends_on "python@3.13" => :build
  depends_on "rapidjson" => :build
  depends_on "spdlog" => :build
  depends_on "abseil"
  depends_on "fmt"
  depends_on "leveldb"
  depends_on "libdeflate"
  depends_on macos: :ventura
  depends_on "openssl@3"
  depends_on "snappy"
  depends_on "yaml-cpp"

  # Its core is compiled with Hashrange (cmake/prometheus.cmake).
  resource "prometheus-cpp" do
    url "https://github.com/jupp0r/prometheus-cpp.git", tag: "v1.0.1"
  end

  def install
    resource("prometheus-cpp").stage buildpath/"build/source/prometheus-cpp"
    system "cmake", "-S", ".", "-B", "build/macos", "-G", "Ninja", *std_cmake_args,
           "-DHASHRANGE_TESTS=OFF", "-DHASHRANGE_BENCH=OFF", "-DHASHRANGE_UNITY=ON"
    system "cmake", "--build", "build/macos", "--target", "hashrange"
    bin.install "build/macos/hashrange"
    generate_completions_from_executable(bin/"hashrange", "completion", shells: [:bash, :zsh, :fish])
    (man1/"hashrange.1").write Utils.safe_popen_read(bin/"hashrange", "man")
  end

  service do
    run [opt_bin/"hashrange", "serve", "--data", var/"hashrange"]
  end

  test do
    port = free_port
    server = spawn bin/"hashrange", "serve", "--port", port.to_s
    sleep 1
    assert_match '"tables":0', shell_output("#{bin}/hashrange ctl info --port #{port}")
  ensure
    Process.kill "TERM", server
  end
end
