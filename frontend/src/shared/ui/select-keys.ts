/** The effect of a key on a select-only combobox. `isHandled`: the browser's own action is prevented. */
type KeyEffect =
  | { readonly kind: 'move'; readonly index: number; readonly isHandled: boolean }
  | { readonly kind: 'choose'; readonly index: number; readonly isHandled: boolean }
  | { readonly kind: 'close'; readonly isHandled: boolean }

/** Reads keys. Letters that follow each other search a label that begins with them. */
export interface SelectKeys {
  typed: string
  typedAtMs: number
}

export interface SelectState {
  readonly isOpen: boolean
  /** Index of the active option, which keys move. */
  readonly active: number
  readonly labels: readonly string[]
}

/** Milliseconds of a pause after which letters start a new word. */
const WORD_PAUSE_MS = 500

/**
 * Returns the effect of a key by the ARIA Authoring Practices for a select-only combobox. A move opens a
 * closed list.
 *
 * @returns null for keys without an effect
 */
export function selectKey(
  { key, altKey }: { readonly key: string; readonly altKey: boolean },
  { isOpen, active, labels }: SelectState,
  keys: SelectKeys,
  nowMs: number,
): KeyEffect | null {
  if (labels.length === 0) return null
  const last = labels.length - 1
  const move = (index: number): KeyEffect => ({
    kind: 'move',
    index: Math.min(Math.max(index, 0), last),
    isHandled: true,
  })
  const isTyping = keys.typed !== '' && nowMs - keys.typedAtMs < WORD_PAUSE_MS

  if (isOpen) {
    if (key === 'Enter' || (key === 'ArrowUp' && altKey)) {
      return { kind: 'choose', index: active, isHandled: true }
    }
    if (key === ' ' && !isTyping) return { kind: 'choose', index: active, isHandled: true }
    // As in the browser's own lists, leaving chooses the active option.
    if (key === 'Tab') return { kind: 'choose', index: active, isHandled: false }
    if (key === 'Escape') return { kind: 'close', isHandled: true }
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

/** Finds the next label that begins with the letters. Repeating one letter cycles through its labels. */
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
