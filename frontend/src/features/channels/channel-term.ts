/** One variable of the file, or one element of a variable with several values a row. */
interface ChannelPart {
  readonly name: string
  /** Null for a variable with one value a row. */
  readonly index: number | null
}

/** What a chart draws: a channel, or the sum or difference of two. */
export interface ChannelTerm {
  readonly first: ChannelPart
  /** Null for a single channel. */
  readonly second: { readonly part: ChannelPart; readonly sign: 1 | -1 } | null
}

/**
 * Parses a channel as pages store it: `RPM`, `SteeringWheelTorque_ST[2]`, `LFtempM + RFtempM` or `LFtempM - RFtempM`.
 * Returns null for any other text.
 */
export function parseTerm(text: string): ChannelTerm | null {
  const match = /^(\w+)(?:\[(\d{1,4})\])?(?: ([+-]) (\w+)(?:\[(\d{1,4})\])?)?$/.exec(text)
  if (!match) return null
  const [, name, index, sign, other, otherIndex] = match
  return {
    first: partOf(name!, index),
    second: other === undefined ? null : { part: partOf(other, otherIndex), sign: sign === '-' ? -1 : 1 },
  }
}

function partOf(name: string, index: string | undefined): ChannelPart {
  return { name, index: index === undefined ? null : Number(index) }
}

/** Returns the variables that a term reads, each once. */
export function namesOf({ first, second }: ChannelTerm): readonly string[] {
  return second === null || second.part.name === first.name ? [first.name] : [first.name, second.part.name]
}

/** Returns the term as people read it, with a true minus. */
export function labelOf(text: string): string {
  return text.replace(' - ', ' − ')
}

/** Returns the text of the sum or difference of two channels; null if one of them is a sum or difference already. */
export function combine(first: string, sign: '+' | '-', second: string): string | null {
  const isSingle = (text: string) => parseTerm(text)?.second === null
  return isSingle(first) && isSingle(second) ? `${first} ${sign} ${second}` : null
}
