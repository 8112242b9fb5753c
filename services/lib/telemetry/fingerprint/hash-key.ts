/** Returns 64 bits of FNV-1a over 32-bit numbers, as 16 hexadecimal digits. */
export function hashKey(numbers: readonly number[]): string {
  let value = 0xcbf29ce484222325n
  for (const number of numbers) {
    value = BigInt.asUintN(64, (value ^ BigInt(number >>> 0)) * 0x100000001b3n)
  }
  return value.toString(16).padStart(16, '0')
}
