import { type SyntheticEvent, useRef, useState } from 'react'
import { errorText } from '#shared/session/identity-error.ts'

interface Submit {
  /** For the button's `aria-disabled`: a disabled one would lose the focus of whoever pressed it by key. */
  readonly isBusy: boolean
  readonly problem: string | null
  readonly setProblem: (problem: string | null) => void
  /** For the form: what went wrong is said until it is sent again, or until something in it changes. */
  readonly form: {
    readonly onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void
    readonly onChange: () => void
  }
}

interface SubmitRules<Fields> {
  /** Returns what the form holds; a password manager may have filled it without any event. */
  readonly read: (form: FormText) => Fields
  /** What keeps the fields from being sent; null where nothing does. */
  readonly check: (fields: Fields) => string | null
  /** Sends them. */
  readonly send: (fields: Fields) => Promise<void>
  /** Called when sending begins and when it has ended. */
  readonly onBusy?: ((isBusy: boolean) => void) | undefined
  /** Shown where a failure says nothing of itself. */
  readonly fallback: string
}

/** Returns the text of the field with that name; empty if the form has none. */
type FormText = (name: string) => string

export function textOf(form: HTMLFormElement): FormText {
  const data = new FormData(form)
  return name => String(data.get(name) ?? '')
}

/** Sends a form once at a time and keeps what went wrong. */
export function useSubmit<Fields>(rules: SubmitRules<Fields>): Submit {
  const { read, check, send, onBusy, fallback } = rules
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
        const fields = read(textOf(event.currentTarget))
        const found = check(fields)
        setProblem(found)
        if (found !== null) return
        isSending.current = true
        setBusy(true)
        onBusy?.(true)
        try {
          await send(fields)
        } catch (error) {
          setProblem(errorText(error, fallback))
        } finally {
          isSending.current = false
          setBusy(false)
          onBusy?.(false)
        }
      },
    },
  }
}
