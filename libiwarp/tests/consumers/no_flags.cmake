# SPDX-License-Identifier: BSD-2-Clause
# iwarp_no_flags(<target>) ends with an error where a target of the library gives flags to those who link it.
function(iwarp_no_flags target)
  foreach(property IN ITEMS INTERFACE_COMPILE_OPTIONS INTERFACE_LINK_OPTIONS INTERFACE_POSITION_INDEPENDENT_CODE)
    get_target_property(value ${target} ${property})
    if(value)
      message(FATAL_ERROR "${target} forces flags on others: ${property} is ${value}")
    endif()
  endforeach()
  get_target_property(definitions ${target} INTERFACE_COMPILE_DEFINITIONS)
  if(definitions MATCHES "FORTIFY")
    message(FATAL_ERROR "${target} forces definitions on others: ${definitions}")
  endif()
endfunction()
