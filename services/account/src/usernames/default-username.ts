import { randomInt } from 'node:crypto'

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz0123456789'

/** Returns `user` and seven random letters or digits (D-15), for an account whose own generated name is taken. */
export function defaultUsername(random: (below: number) => number = randomInt): string {
  return `user${Array.from({ length: 7 }, () => ALPHABET[random(ALPHABET.length)]).join('')}`
}
