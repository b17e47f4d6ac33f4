# SPDX-License-Identifier: BSL-1.0
# The kernels' translation units: optimized in every build, each for its instruction set. Contraction is off
# everywhere, so results do not depend on it.
set(kernels ${PROJECT_SOURCE_DIR}/src/kernels)
set_source_files_properties(${kernels}/baseline.cpp PROPERTIES COMPILE_OPTIONS "-O3")
if(CMAKE_SYSTEM_PROCESSOR MATCHES "x86_64|AMD64")
  set_source_files_properties(${kernels}/avx2.cpp PROPERTIES COMPILE_OPTIONS "-O3;-mavx2")
  set_source_files_properties(${kernels}/avx512.cpp PROPERTIES COMPILE_OPTIONS
    "-O3;-mavx512f;-mavx512bw;-mavx512dq;-mavx512vl;-mprefer-vector-width=512")
endif()
