# SPDX-License-Identifier: BSL-1.0
# Run as a script with NM and OBJECTS: fails if an object built for one instruction set carries functions that the
# linker could give to code for another.
if(OBJECTS STREQUAL "")
  message(FATAL_ERROR "no objects given")
endif()
foreach(object ${OBJECTS})
  execute_process(COMMAND ${NM} --demangle ${object} OUTPUT_VARIABLE symbols COMMAND_ERROR_IS_FATAL ANY)
  string(REGEX MATCHALL "[^\n]* [WT] [^\n]*" shared "${symbols}")
  if(shared)
    message(FATAL_ERROR "${object} shares functions; inline them always or give them internal linkage:\n${shared}")
  endif()
endforeach()
