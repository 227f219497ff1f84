/* SPDX-License-Identifier: BSD-2-Clause */
/* Visibility of the library's symbols. */
#ifndef IWARP_EXPORT_H
#define IWARP_EXPORT_H

/*
 * IWARP_STATIC_DEFINE is set by the CMake target and the pkg-config file of a static build; nothing
 * needs to be defined by hand except on Windows with a hand-made static build.
 */
#if defined(_WIN32) && !defined(IWARP_STATIC_DEFINE)
#ifdef IWARP_BUILDING
#define IWARP_API __declspec(dllexport) /* stands before each public function */
#else
#define IWARP_API __declspec(dllimport) /* stands before each public function */
#endif
#elif defined(__GNUC__)
#define IWARP_API __attribute__((visibility("default"))) /* stands before each public function */
#else
#define IWARP_API /* stands before each public function */
#endif

#endif
