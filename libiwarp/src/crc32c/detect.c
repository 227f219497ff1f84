/* SPDX-License-Identifier: BSD-2-Clause */
/* Abilities of the processor for CRC32c, as far as the system allows them. */
#include "variants.h"

#if IWARPI_CRC32C_X86

#include <cpuid.h>
#include <immintrin.h>

/* Bits that Intel's manual defines for CPUID, volume 2A, and for XCR0, volume 1, chapter 13. */
#define CRC32C_DETECT_LEAF7 7u
#define CRC32C_DETECT_LEAF1_ECX 0x00100002u /* PCLMULQDQ, SSE4.2 */
#define CRC32C_DETECT_LEAF1_ECX_OSXSAVE 0x08000000u
#define CRC32C_DETECT_LEAF7_EBX_AVX2 0x00000020u
#define CRC32C_DETECT_LEAF7_EBX_AVX512 0xC0010100u /* AVX512VL, AVX512BW, AVX512F, BMI2 */
#define CRC32C_DETECT_LEAF7_ECX 0x00000400u        /* VPCLMULQDQ */
#define CRC32C_DETECT_XCR0_AVX 0x06u               /* XMM, YMM */
#define CRC32C_DETECT_XCR0_AVX512 0xE6u            /* XMM, YMM, opmask, ZMM0 to 15, ZMM16 to 31 */

/* "Auth", of AuthenticAMD. */
#define CRC32C_DETECT_AMD 0x68747541u
/* The family of the processor is the sum of two fields. Zen 3 and Zen 4 have 0x19; only Zen 4 has
 * AVX-512. */
#define CRC32C_DETECT_FAMILY_SHIFT 8u
#define CRC32C_DETECT_FAMILY 0xFu
#define CRC32C_DETECT_FAMILY_MORE_SHIFT 20u
#define CRC32C_DETECT_FAMILY_MORE 0xFFu
#define CRC32C_DETECT_FAMILY_ZEN4 0x19u

static bool crc32c_detect_all(uint32_t value, uint32_t bits) {
  return (value & bits) == bits;
}

/* crc32c_detect_crc32 returns the bit for how many crc32 instructions go beside products of 64
 * octets, or none. */
static uint32_t crc32c_detect_crc32(const iwarpi_crc32c_cpu *cpu) {
  if (cpu->vendor != CRC32C_DETECT_AMD) {
    return 0;
  }
  const uint32_t family =
      (cpu->leaf1_eax >> CRC32C_DETECT_FAMILY_SHIFT & CRC32C_DETECT_FAMILY) +
      (cpu->leaf1_eax >> CRC32C_DETECT_FAMILY_MORE_SHIFT & CRC32C_DETECT_FAMILY_MORE);
  return family > CRC32C_DETECT_FAMILY_ZEN4 ? IWARPI_CRC32C_CAN_ZEN5 : IWARPI_CRC32C_CAN_ZEN4;
}

/* A processor without leaf 7 answers with another one, which counts for nothing. */
uint32_t iwarpi_crc32c_can_of(const iwarpi_crc32c_cpu *cpu) {
  uint32_t can = IWARPI_CRC32C_CAN_KNOWN;
  if (!crc32c_detect_all(cpu->leaf1_ecx, CRC32C_DETECT_LEAF1_ECX)) {
    return can;
  }
  can |= IWARPI_CRC32C_CAN_SSE42;
  if (cpu->last < CRC32C_DETECT_LEAF7 ||
      !crc32c_detect_all(cpu->leaf7_ebx, CRC32C_DETECT_LEAF7_EBX_AVX2) ||
      !crc32c_detect_all(cpu->leaf7_ecx, CRC32C_DETECT_LEAF7_ECX) ||
      !crc32c_detect_all(cpu->xcr0, CRC32C_DETECT_XCR0_AVX)) {
    return can;
  }
  can |= IWARPI_CRC32C_CAN_AVX2;
  if (!crc32c_detect_all(cpu->leaf7_ebx, CRC32C_DETECT_LEAF7_EBX_AVX512) ||
      !crc32c_detect_all(cpu->xcr0, CRC32C_DETECT_XCR0_AVX512)) {
    return can;
  }
  return can | IWARPI_CRC32C_CAN_AVX512 | crc32c_detect_crc32(cpu);
}

/* Without OSXSAVE the instruction XGETBV is not there, and no register beyond XMM is saved. */
__attribute__((target("xsave"))) uint32_t iwarpi_crc32c_xcr0(uint32_t leaf1_ecx) {
  return (leaf1_ecx & CRC32C_DETECT_LEAF1_ECX_OSXSAVE) != 0 ? (uint32_t)_xgetbv(0) : 0;
}

uint32_t iwarpi_crc32c_detect(void) {
  uint32_t a;
  uint32_t b;
  uint32_t c;
  uint32_t d;
  __cpuid(0, a, b, c, d);
  iwarpi_crc32c_cpu cpu = {.vendor = b, .last = a};
  __cpuid(1, a, b, c, d);
  cpu.leaf1_eax = a;
  cpu.leaf1_ecx = c;
  cpu.xcr0 = iwarpi_crc32c_xcr0(c);
  __cpuid_count(CRC32C_DETECT_LEAF7, 0, a, b, c, d);
  cpu.leaf7_ebx = b;
  cpu.leaf7_ecx = c;
  return iwarpi_crc32c_can_of(&cpu);
}

#endif

#if IWARPI_CRC32C_ARM64

/* Fields of ID_AA64ISAR0_EL1: CRC32 from bit 16 on, AES from bit 4 on, where 2 and more has PMULL.
 */
#define CRC32C_DETECT_CRC32_SHIFT 16u
#define CRC32C_DETECT_AES_SHIFT 4u
#define CRC32C_DETECT_FIELD 0xFu
#define CRC32C_DETECT_AES_PMULL 2u

#if defined(__ARM_FEATURE_CRC32) && (defined(__ARM_FEATURE_AES) || defined(__ARM_FEATURE_CRYPTO))

/* The compiler may use them, as on all processors of some systems. */
uint32_t iwarpi_crc32c_detect(void) {
  return IWARPI_CRC32C_CAN_KNOWN | IWARPI_CRC32C_CAN_ARM64;
}

#elif defined(__linux__) || defined(__FreeBSD__)

/* The register is the system's own; these systems answer in its place (Linux from 4.11 on). */
uint32_t iwarpi_crc32c_detect(void) {
  uint64_t id;
  __asm__("mrs %0, ID_AA64ISAR0_EL1" : "=r"(id));
  const bool crc32 = (id >> CRC32C_DETECT_CRC32_SHIFT & CRC32C_DETECT_FIELD) != 0;
  const bool pmull =
      (id >> CRC32C_DETECT_AES_SHIFT & CRC32C_DETECT_FIELD) >= CRC32C_DETECT_AES_PMULL;
  return IWARPI_CRC32C_CAN_KNOWN | IWARPI_CRC32C_CAN_ARM64 * (uint32_t)(crc32 && pmull);
}

#else

uint32_t iwarpi_crc32c_detect(void) {
  return IWARPI_CRC32C_CAN_KNOWN;
}

#endif

#endif
