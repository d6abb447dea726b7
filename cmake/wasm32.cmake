# The toolchain of the preset wasm: Debian's clang for WebAssembly, and the libraries that
# `scripts/install wasm` has compiled below build/sysroot. What it builds has one thread.
set(CMAKE_SYSTEM_NAME Generic)
set(CMAKE_SYSTEM_PROCESSOR wasm32)
set(CMAKE_CXX_COMPILER clang++-19)
set(CMAKE_CXX_COMPILER_TARGET wasm32-wasi)
get_filename_component(sysroot ${CMAKE_CURRENT_LIST_DIR}/../build/sysroot/wasm32 ABSOLUTE)
set(CMAKE_LIBRARY_PATH ${sysroot}/lib/wasm32-wasi)
set(CMAKE_INCLUDE_PATH ${sysroot}/include)
set(CMAKE_SYSROOT ${sysroot})
# Every engine of the last four years has these instructions. There is one thread, so static objects need no guard against others.
set(CMAKE_CXX_FLAGS_INIT "-fwasm-exceptions -msimd128 -mbulk-memory -mnontrapping-fptoint -fno-threadsafe-statics -nostdinc++ -isystem ${sysroot}/include/c++")
set(CMAKE_EXE_LINKER_FLAGS_INIT "-nostdlib++ -Wl,-z,stack-size=1048576")
set(CMAKE_CXX_STANDARD_LIBRARIES "-lc++ -lunwind -lwasi-emulated-signal")
set(CMAKE_FIND_ROOT_PATH ${sysroot})
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
