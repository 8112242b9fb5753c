import { type SyntheticEvent, useRef, useState } from 'react'
import { errorText } from '#shared/session/error-text.ts'

interface Submit {
  /** For `aria-disabled` of the button. A disabled button would lose the keyboard focus. */
  readonly isBusy: boolean
  readonly problem: string | null
  readonly setProblem: (problem: string | null) => void
  /** Handlers for the form. The problem stays visible until a field changes or the form is sent again. */
  readonly form: {
    readonly onSubmit: (event: SyntheticEvent<HTMLFormElement>) => void
    readonly onChange: () => void
  }
}

interface SubmitRules<Fields> {
  /** Reads the fields. A password manager can fill them without an event. */
  readonly read: (form: FormText) => Fields
  /** Returns why the fields cannot be sent; null if they can. */
  readonly check: (fields: Fields) => string | null
  /** Sends the fields. */
  readonly send: (fields: Fields) => Promise<void>
  /** Called when sending starts and when it ends. */
  readonly onBusy?: ((isBusy: boolean) => void) | undefined
  /** The message for an error that has none. */
  readonly fallback: string
}

/** Returns the text of the field with that name; empty if there is no such field. */
type FormText = (name: string) => string

export function textOf(form: HTMLFormElement): FormText {
  const data = new FormData(form)
  return name => String(data.get(name) ?? '')
}

/** Sends a form, one request at a time, and keeps the error message. */
export function useSubmit<Fields>(rules: SubmitRules<Fields>): Submit {
  const { read, check, send, onBusy, fallback } = rules
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  // The button accepts presses while the form is being sent.
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
