import { ArrowLeft, Eye, EyeOff } from 'lucide-react'
import {
  type ComponentProps,
  type FormEvent,
  Fragment,
  type ReactNode,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { linksIn, sentenceOf } from '../texts/error-sentence.ts'
import type { MessageId, Values } from '../texts/texts.ts'
import { useProblem, useScreenState, useWidget } from './context.ts'

/** Shows a message whose `<bold>` parts are bold. */
export function Rich({ id, values }: { readonly id: MessageId; readonly values?: Values }) {
  const { texts } = useWidget()
  const parts = texts.parts(id, {
    ...values,
    bold: (chunks: readonly ReactNode[]) => <b>{chunks}</b>,
  })
  // Parts of one message, in its order.
  return parts.map((part, index) => <Fragment key={String(index)}>{part as ReactNode}</Fragment>)
}

/** Starts a screen: the way back, a title that gets the focus, and a sentence. */
export function Screen({
  title,
  content,
  values,
  hasBack = true,
  children,
}: {
  readonly title: MessageId
  readonly content?: MessageId
  readonly values?: Values
  readonly hasBack?: boolean
  readonly children?: ReactNode
}) {
  const { flows, texts } = useWidget()
  return (
    <>
      <div className="head">
        {hasBack && (
          <button type="button" className="icon" aria-label={texts.text('button.back')} onClick={flows.back}>
            <ArrowLeft size={18} aria-hidden className="mirrored" />
          </button>
        )}
        <h2 tabIndex={-1}>{texts.text(title, values)}</h2>
      </div>
      <div className="stack">
        {content && (
          <p className="content">
            <Rich id={content} {...(values && { values })} />
          </p>
        )}
        {children}
      </div>
    </>
  )
}

interface ButtonProps extends ComponentProps<'button'> {
  readonly look?: 'primary' | 'secondary' | 'link'
}

/** A button. It stays in the order of the keyboard while it is busy, so that the focus is not lost. */
export function Button({ look = 'secondary', children, ...rest }: ButtonProps) {
  const { isPending } = useScreenState()
  return (
    <button type="button" className={`button ${look}`} aria-disabled={isPending || undefined} {...rest}>
      {children}
    </button>
  )
}

/** The button that sends a form. Shows a spinner while the answer is awaited. */
export function Submit({ id, children }: { readonly id: string; readonly children: ReactNode }) {
  const { acting, texts } = useWidget()
  const { isPending } = useScreenState()
  const isBusy = isPending && acting === id
  return (
    <Button type="submit" look="primary" aria-busy={isBusy || undefined}>
      {isBusy ? <Spinner label={texts.text('status.busy')} /> : children}
    </Button>
  )
}

export function Spinner({ label }: { readonly label: string }) {
  return <span className="spinner" role="img" aria-label={label} />
}

/** A form that reads its fields when it is sent: password managers fill them without events. */
export function Form({
  id,
  onSend,
  children,
}: {
  readonly id: string
  /** Receives the text of each field by its name. */
  readonly onSend: (field: (name: string) => string) => Promise<unknown>
  readonly children: ReactNode
}) {
  const { act, flows } = useWidget()
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault()
    if (flows.state.get().isPending) return
    const form = event.currentTarget
    const data = new FormData(form)
    act(id, async () => {
      // An empty address or number has the sentence of a wrong one.
      const needed = [...form.querySelectorAll('input:required:not([type=email], [type=tel])')]
      if (needed.some(input => (input as HTMLInputElement).value === '')) {
        flows.dispatch({ type: 'failed', problem: { type: 'field.required', message: '' } })
      } else await onSend(name => String(data.get(name) ?? ''))
    })
  }
  return (
    <form noValidate onSubmit={send}>
      {children}
    </form>
  )
}

/** Shows the failure of a form or button. Addresses in its sentence are links. */
export function Message({ id, at }: { readonly id: string; readonly at: string }) {
  const { texts } = useWidget()
  const problem = useProblem(at)
  return (
    <div id={id} role="alert" className="problem">
      {problem &&
        linksIn(sentenceOf(problem, texts)).map(({ text, href }) =>
          href === null ? (
            text
          ) : (
            <a key={text} href={href} target="_blank" rel="noopener noreferrer">
              {text}
            </a>
          ),
        )}
    </div>
  )
}

interface FieldProps extends Omit<ComponentProps<'input'>, 'id'> {
  readonly label: string
  /** The form that the field belongs to. */
  readonly form: string
  /** Whether the failure of the form is about this field. */
  readonly isFaulty?: boolean
  readonly before?: ReactNode
  readonly after?: ReactNode
}

/** A line of text with its label above and a failure below. */
export function Field({ label, form, isFaulty = true, before, after, ...input }: FieldProps) {
  const id = useId()
  const hasProblem = useProblem(form) !== null && isFaulty
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <div className="line">
        {before}
        <input
          id={id}
          aria-invalid={hasProblem || undefined}
          aria-describedby={isFaulty ? `${id}-problem` : undefined}
          {...input}
        />
        {after}
      </div>
      {isFaulty && <Message id={`${id}-problem`} at={form} />}
    </div>
  )
}

export function EmailField({
  form,
  isFaulty,
  offersPasskeys = false,
}: {
  readonly form: string
  readonly isFaulty?: boolean
  readonly offersPasskeys?: boolean
}) {
  const { texts } = useWidget()
  const { email } = useScreenState()
  return (
    <Field
      form={form}
      {...(isFaulty !== undefined && { isFaulty })}
      label={texts.text('field.email.label')}
      name="email"
      type="email"
      inputMode="email"
      autoCapitalize="none"
      spellCheck={false}
      autoComplete={offersPasskeys ? 'username webauthn' : 'username'}
      placeholder={texts.text('field.email.placeholder')}
      defaultValue={email}
      required
      data-focus
    />
  )
}

export function PasswordField({
  form,
  isNew = false,
  isFaulty,
  onText,
}: {
  readonly form: string
  readonly isNew?: boolean
  readonly isFaulty?: boolean
  readonly onText?: (password: string) => void
}) {
  const { texts } = useWidget()
  const [isShown, setShown] = useState(false)
  const Icon = isShown ? EyeOff : Eye
  return (
    <Field
      form={form}
      {...(isFaulty !== undefined && { isFaulty })}
      label={texts.text(isNew ? 'field.newPassword.label' : 'field.password.label')}
      name="password"
      type={isShown ? 'text' : 'password'}
      autoCapitalize="none"
      spellCheck={false}
      autoComplete={isNew ? 'new-password' : 'current-password'}
      maxLength={1024}
      required
      data-focus
      onChange={event => onText?.(event.target.value)}
      after={
        <button
          type="button"
          className="icon"
          aria-label={texts.text(isShown ? 'button.hidePassword' : 'button.showPassword')}
          aria-pressed={isShown}
          onClick={() => setShown(!isShown)}
        >
          <Icon size={18} aria-hidden />
        </button>
      }
    />
  )
}

/** A field for six digits. Sends the form by itself when they are complete. */
export function CodeField({ form, label }: { readonly form: string; readonly label: string }) {
  const sent = useRef('')
  return (
    <Field
      form={form}
      label={label}
      name="code"
      inputMode="numeric"
      autoComplete="one-time-code"
      pattern="[0-9]*"
      maxLength={6}
      required
      data-focus
      className="code"
      onInput={({ currentTarget }) => {
        const digits = currentTarget.value.replace(/\D/g, '')
        currentTarget.value = digits
        const isComplete = digits.length === 6 && digits !== sent.current
        sent.current = digits
        if (isComplete) currentTarget.form?.requestSubmit()
      }}
    />
  )
}

/** Returns whether a text is an address as people have one. identity checks it completely. */
export function isEmail(text: string): boolean {
  return text.length <= 254 && /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text)
}

/** Returns the seconds until a time, 0 after it. Renders each second. */
export function useSecondsUntil(timeMs: number): number {
  const [now, setNow] = useState(Date.now)
  const isOver = timeMs <= now
  useEffect(() => {
    if (isOver) return
    const timer = setInterval(() => setNow(Date.now()), 1_000)
    return () => clearInterval(timer)
  }, [isOver])
  return Math.max(0, Math.ceil((timeMs - now) / 1_000))
}
