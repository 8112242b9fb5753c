/**
 * Returns every error code that a contract lists under `x-codes`, sorted. Tests compare a service's table
 * with it.
 */
export function contractCodes(contract: object): readonly string[] {
  const found = new Set<string>()
  collect(contract, found)
  return [...found].sort()
}

function collect(node: unknown, found: Set<string>): void {
  if (Array.isArray(node)) {
    for (const item of node) collect(item, found)
  } else if (typeof node === 'object' && node !== null) {
    for (const [key, value] of Object.entries(node)) {
      if (key === 'x-codes' && Array.isArray(value)) for (const code of value) found.add(String(code))
      else collect(value, found)
    }
  }
}
