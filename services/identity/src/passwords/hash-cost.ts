/**
 * Default cost of a hash: memory and passes of the second choice of RFC 9106 (section 4). It has one lane,
 * because a hash has one core. That is five times OWASP's minimum (19 MiB, two passes), which takes a
 * current core some 6 ms.
 */
export const defaultHashCost = { memoryKib: 65_536, passes: 3 } as const
