# SPDX-License-Identifier: BSL-1.0
# Faster builds where the machine has the means; the result is the same without them.
find_program(TUTTI_CCACHE ccache)
if(TUTTI_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # Precompiled headers are only cached when their defines and times may be ignored.
  set(CMAKE_CXX_COMPILER_LAUNCHER
    ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime ${TUTTI_CCACHE})
  add_compile_options($<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess>)
endif()

# ld.bfd spends seconds on each test program; gold comes with binutils.
foreach(linker mold lld gold)
  find_program(TUTTI_LINKER_${linker} NAMES ld.${linker} ${linker})
  if(TUTTI_LINKER_${linker})
    add_link_options(-fuse-ld=${linker})
    break()
  endif()
endforeach()
