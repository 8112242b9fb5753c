import { type SyntheticEvent, useRef, useState } from 'react'
import { errorText } from '#shared/session/identity-error.ts'

export interface Submit {
  /** For the button's `aria-disabled`: a disabled one would lose the focus of whoever pressed it by key. */
  readonly isBusy: boolean
  readonly problem: string | null
  readonly setProblem: (problem: string | null) => void
  /** For the form: what went wrong is said until it is sent again, or until something in it changes. */
  readonly form: {
    readonly onSubmit: (event: SyntheticEvent) => void
    readonly onChange: () => void
  }
}

export interface SubmitRules {
  /** What keeps the fields from being sent; null where nothing does. */
  readonly check: () => string | null
  /** Sends them. */
  readonly send: () => Promise<void>
  /** Shown where a failure says nothing of itself. */
  readonly fallback: string
}

/** Sends a form once at a time and keeps what went wrong. */
export function useSubmit({ check, send, fallback }: SubmitRules): Submit {
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  // The button takes presses all the while.
  const isSending = useRef(false)
  return {
    isBusy,
    problem,
    setProblem,
    form: {
      onChange: () => setProblem(null),
      async onSubmit(event) {
        event.preventDefault()
        if (isSending.current) return
        const found = check()
        setProblem(found)
        if (found !== null) return
        isSending.current = true
        setBusy(true)
        try {
          await send()
        } catch (error) {
          setProblem(errorText(error, fallback))
        } finally {
          isSending.current = false
          setBusy(false)
        }
      },
    },
  }
}
