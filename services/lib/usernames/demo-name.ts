/** What a driver is called who does not exist. No account can be: a name has no spaces. */
export function demoName(number: number): string {
  return `Demo driver ${String(number).padStart(4, '0')}`
}

export function isDemoName(name: string): boolean {
  return /^Demo driver \d{4}$/.test(name)
}
