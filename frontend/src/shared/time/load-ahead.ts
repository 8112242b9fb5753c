import type { After } from './timers.ts'

/** A person who uses the page does one of these before they can press anything. */
const SIGNS = ['pointermove', 'pointerdown', 'touchstart', 'keydown', 'focusin', 'dragenter'] as const

/** Milliseconds after which a page that nobody uses loads the rest as well. */
const UNUSED_MS = 5_000

interface LoadAheadOptions {
  /** The window. */
  readonly target: EventTarget
  readonly after: After
  /** Whether the person wants to save data: then only their use of the page loads the rest. */
  readonly savesData: boolean
}

/**
 * Calls `load` once, at the first use of the page or after `UNUSED_MS`. So a first visit loads little, and a later
 * press needs no network.
 */
export function loadAhead({ target, after, savesData }: LoadAheadOptions, load: () => void): void {
  const options = { capture: true, passive: true }
  const start = () => {
    stopTimer()
    for (const sign of SIGNS) target.removeEventListener(sign, start, options)
    load()
  }
  const stopTimer = savesData ? () => {} : after(UNUSED_MS, start)
  for (const sign of SIGNS) target.addEventListener(sign, start, options)
}
