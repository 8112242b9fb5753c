import PostalMime, { type Address } from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { type Mail, newArrival } from './mail-store.ts'

/**
 * Builds an SMTP server that receives every mail and forwards none. It asks for no name and no password, so
 * it must listen on the loopback address only.
 */
export function receiveMail({ maxBytes, onMail, onError }: ReceiveOptions): SMTPServer {
  const server = new SMTPServer({
    size: maxBytes,
    maxClients: 50,
    socketTimeout: 30_000,
    closeTimeout: 2_000,
    // A reverse lookup would send the client's address to an outside server.
    disableReverseLookup: true,
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onAuth: (_auth, _session, done) => done(null, { user: 'anybody' }),
    onData(stream, session, done) {
      const recipients = session.envelope.rcptTo.map(({ address }) => address)
      readWhole(stream, maxBytes)
        .then(bytes => {
          if (bytes === null) {
            return done(
              Object.assign(new Error(`The mail is larger than ${maxBytes} bytes.`), { responseCode: 552 }),
            )
          }
          return parse(bytes, recipients)
            .then(onMail)
            .then(() => done())
        })
        .catch((error: Error) => {
          onError(error)
          done(Object.assign(new Error('The mail could not be stored.'), { responseCode: 451 }))
        })
    },
  })
  server.on('error', onError)
  return server
}

export interface ReceiveOptions {
  /** Limit of one mail. */
  readonly maxBytes: number
  readonly onMail: (mail: Mail) => void
  readonly onError: (error: Error) => void
}

/** Returns the bytes, or null for a mail that is too large; that one is read to its end and dropped. */
async function readWhole(stream: AsyncIterable<Buffer>, maxBytes: number): Promise<Buffer | null> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of stream) {
    bytes += chunk.length
    if (bytes <= maxBytes) chunks.push(chunk)
  }
  return bytes > maxBytes ? null : Buffer.concat(chunks)
}

async function parse(bytes: Buffer, recipients: readonly string[]): Promise<Mail> {
  const parsed = await PostalMime.parse(bytes)
  return {
    ...newArrival(),
    from: textOf(parsed.from),
    to: recipients,
    subject: parsed.subject ?? '',
    text: parsed.text ?? '',
    html: parsed.html ?? null,
    attachments: parsed.attachments.map(({ filename, content }) => ({
      name: filename ?? 'unnamed',
      sizeBytes: typeof content === 'string' ? Buffer.byteLength(content) : content.byteLength,
    })),
    sizeBytes: bytes.length,
  }
}

function textOf(from: Address | undefined): string {
  if (from?.address === undefined) return from?.name ?? ''
  return from.name === '' ? from.address : `"${from.name}" <${from.address}>`
}
