// A module's one thread ends with the module, so its objects are destroyed as static objects are.
extern "C" int __cxa_atexit(void (*destroy)(void*), void* object, void* module);

extern "C" int __cxa_thread_atexit(void (*destroy)(void*), void* object, void* module) {
  return __cxa_atexit(destroy, object, module);
}
