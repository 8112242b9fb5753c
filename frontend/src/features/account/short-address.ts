/** Shortens the address of a wallet to its first and last characters, by which people compare addresses. */
export function shortAddress(address: string): string {
  return `${address.slice(0, 6)}…${address.slice(-4)}`
}
