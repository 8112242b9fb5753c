import { useState } from 'react'
import type { MessageId } from '../texts/texts.ts'
import { useWidget } from './context.ts'
import { Button, Message, useSecondsUntil } from './parts.tsx'

/** Milliseconds between two requests of the same mail or text. identity has the same limit. */
const WAIT_MS = 15_000

/** Sends the mail or text again, 15 s after the last one. */
export function Resend({ label, done }: { readonly label: MessageId; readonly done: MessageId }) {
  const { act, flows, texts, toast } = useWidget()
  const [sentMs, setSentMs] = useState(Date.now)
  const seconds = useSecondsUntil(sentMs + WAIT_MS)
  const resend = async () => {
    if (!(await flows.resend())) return
    setSentMs(Date.now())
    toast(texts.text(done))
  }
  return (
    <>
      {seconds > 0 ? (
        <p className="hint">{texts.text('passcode.wait', { seconds })}</p>
      ) : (
        <Button look="link" onClick={() => act('resend', resend)}>
          {texts.text(label)}
        </Button>
      )}
      <Message id="resend-problem" at="resend" />
    </>
  )
}
