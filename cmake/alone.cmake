# Sources that define a name that a neighbour defines, too, and so are not compiled together with others
# (hashrange_compile_together). Rename the name, then delete the line.
set(hashrange_alone
    allocator.cc
    engine_model_test.cc
    key_text.cc
    memory_bound_test.cc
    memory_reserve.cc
    number.cc
    number_test.cc
    schema_test.cc
    table_pin_test.cc
    thread_object.cc
    value_writer.cc
)
