import { setTimeout as delay } from 'node:timers/promises'

export interface Mail {
  readonly subject: string
  readonly text: string
}

/** Returns the address of a mail's button. */
export function linkIn({ text }: Mail): URL {
  const link = /https?:\/\/\S+/.exec(text)?.[0]
  if (link === undefined) throw new Error(`The mail has no link: ${text}`)
  return new URL(link)
}

/** Waits for a mail to the address, or a text to the number, and returns the newest. */
export async function mailTo(mailboxUrl: string, address: string): Promise<Mail> {
  for (const signal = AbortSignal.timeout(15_000); !signal.aborted; await delay(50)) {
    const list = await fetch(`${mailboxUrl}/api/messages?to=${encodeURIComponent(address)}`)
    const { messages } = (await list.json()) as { messages: readonly { id: string }[] }
    if (messages.length > 0) {
      const mail = await fetch(`${mailboxUrl}/api/messages/${messages[0]!.id}`)
      return (await mail.json()) as Mail
    }
  }
  throw new Error(`No mail to ${address} came.`)
}
