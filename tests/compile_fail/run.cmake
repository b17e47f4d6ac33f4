# SPDX-License-Identifier: BSL-1.0
# Holds the compiler's refusal of one file to what the file says of it.
#   cmake -D COMPILER=c++ -D INCLUDE=DIR -D FILE=FILE.cpp -P run.cmake
# The file has a line `// expect: REGEX` and compiles as it should with TUTTI_CONTROL defined, so that it is
# known to be refused for the one reason under test.
file(STRINGS ${FILE} expectation REGEX "^// expect: ")
list(LENGTH expectation lines)
if(NOT lines EQUAL 1)
  message(FATAL_ERROR "${FILE} must have exactly one line `// expect: REGEX`, it has ${lines}")
endif()
string(REPLACE "// expect: " "" expectation "${expectation}")

set(compile ${COMPILER} -std=c++20 -fsyntax-only -I${INCLUDE} ${FILE})
execute_process(COMMAND ${compile} -DTUTTI_CONTROL RESULT_VARIABLE code ERROR_VARIABLE text)
if(NOT code EQUAL 0)
  message(FATAL_ERROR "${FILE} with TUTTI_CONTROL defined must compile, but does not:\n${text}")
endif()
execute_process(COMMAND ${compile} RESULT_VARIABLE code ERROR_VARIABLE text)
if(code EQUAL 0)
  message(FATAL_ERROR "${FILE} compiles; it must be refused with `${expectation}`")
endif()
if(NOT text MATCHES "${expectation}")
  message(FATAL_ERROR "${FILE} is refused, but not with `${expectation}`:\n${text}")
endif()
