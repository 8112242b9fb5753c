/** What a key does to a select-only combobox. `isTaken`: the browser's own meaning of the key is stopped. */
type SelectDeed =
  | { readonly kind: 'move'; readonly index: number; readonly isTaken: boolean }
  | { readonly kind: 'choose'; readonly index: number; readonly isTaken: boolean }
  | { readonly kind: 'close'; readonly isTaken: boolean }

/** Letters typed one after the other look for a label that begins with them. */
export interface SelectKeys {
  typed: string
  typedAtMs: number
}

export interface SelectState {
  readonly isOpen: boolean
  /** Index of the option the keys are on. */
  readonly active: number
  readonly labels: readonly string[]
}

/** A pause after which letters begin a new word. */
const WORD_PAUSE_MS = 500

/**
 * The keys of the ARIA Authoring Practices' select-only combobox. A move opens the list where it is
 * closed.
 *
 * @returns null for keys that mean nothing here
 */
export function selectKey(
  { key, altKey }: { readonly key: string; readonly altKey: boolean },
  { isOpen, active, labels }: SelectState,
  keys: SelectKeys,
  nowMs: number,
): SelectDeed | null {
  if (labels.length === 0) return null
  const last = labels.length - 1
  const move = (index: number): SelectDeed => ({
    kind: 'move',
    index: Math.min(Math.max(index, 0), last),
    isTaken: true,
  })
  const isTyping = keys.typed !== '' && nowMs - keys.typedAtMs < WORD_PAUSE_MS

  if (isOpen) {
    if (key === 'Enter' || (key === 'ArrowUp' && altKey)) {
      return { kind: 'choose', index: active, isTaken: true }
    }
    if (key === ' ' && !isTyping) return { kind: 'choose', index: active, isTaken: true }
    // As the browser's own lists do: leaving takes what the keys are on.
    if (key === 'Tab') return { kind: 'choose', index: active, isTaken: false }
    if (key === 'Escape') return { kind: 'close', isTaken: true }
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1, PageDown: 10, PageUp: -10 }
    const step = Object.hasOwn(steps, key) ? steps[key] : undefined
    if (step !== undefined) return move(active + step)
  } else if (key === 'Enter' || key === 'ArrowDown' || key === 'ArrowUp' || (key === ' ' && !isTyping)) {
    return move(active)
  }
  if (key === 'Home') return move(0)
  if (key === 'End') return move(last)
  if (key.length !== 1 || altKey) return null

  keys.typed = isTyping ? keys.typed + key : key
  keys.typedAtMs = nowMs
  const found = findLabel(labels, keys.typed, active)
  return found === null ? null : move(found)
}

/** The next label that begins with the letters; the same letter again and again goes round. */
function findLabel(labels: readonly string[], typed: string, active: number): number | null {
  const isOneLetter = new Set(typed.toLowerCase()).size === 1
  const wanted = (isOneLetter ? typed[0]! : typed).toLowerCase()
  const first = isOneLetter ? active + 1 : active
  for (let step = 0; step < labels.length; step++) {
    const index = (first + step) % labels.length
    if (labels[index]!.toLowerCase().startsWith(wanted)) return index
  }
  return null
}
