/** Returns the name of a generated driver. No account can have it: a username has no spaces. */
export function demoName(number: number): string {
  return `Demo driver ${String(number).padStart(4, '0')}`
}

export function isDemoName(name: string): boolean {
  return /^Demo driver \d{4}$/.test(name)
}
