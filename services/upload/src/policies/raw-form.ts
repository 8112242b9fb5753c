import { createHmac } from 'node:crypto'
import { request } from 'node:http'

/** One part of a form: a field, or a file if it has a `filename`. */
export interface Part {
  readonly name: string
  readonly value: string | Uint8Array
  readonly filename?: string
}

export interface RawPost {
  readonly url: string
  readonly parts: readonly Part[]
  readonly method?: string
  /** Replaces multipart/form-data with the boundary of the body. */
  readonly contentType?: string
  /** Sent in chunks, without a stated length. */
  readonly isChunked?: boolean
  /** Bytes to cut from the end. The connection ends there. */
  readonly cutBytes?: number
}

const BOUNDARY = 'lapwing-test-boundary-7d1f'

/**
 * Sends a form unchanged, with errors that `FormData` would correct: a repeated field, the file first, a body
 * that breaks off. Returns the status and the code of the store's answer; null if the store closed the
 * connection.
 */
export function postRaw(post: RawPost): Promise<{ readonly status: number; readonly code: string } | null> {
  const body = encode(post.parts)
  const sent = body.subarray(0, body.length - (post.cutBytes ?? 0))
  return new Promise((resolve, reject) => {
    const outgoing = request(
      post.url,
      {
        method: post.method ?? 'POST',
        agent: false,
        timeout: 10_000,
        headers: {
          'content-type': post.contentType ?? `multipart/form-data; boundary=${BOUNDARY}`,
          ...(post.isChunked ? { 'transfer-encoding': 'chunked' } : { 'content-length': body.length }),
        },
      },
      response => {
        let text = ''
        response.setEncoding('utf8').on('data', chunk => {
          text += chunk
        })
        response.once('end', () =>
          resolve({ status: response.statusCode!, code: /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? '' }),
        )
        response.once('error', reject)
      },
    )
    outgoing.once('timeout', () => outgoing.destroy(new Error('the store did not answer within 10 s')))
    outgoing.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'ECONNRESET' || error.code === 'EPIPE') resolve(null)
      else reject(error)
    })
    if (post.cutBytes === undefined) outgoing.end(sent)
    else outgoing.write(sent, () => outgoing.socket?.end())
  })
}

function encode(parts: readonly Part[]): Buffer {
  const chunks = parts.flatMap(({ name, value, filename }) => [
    Buffer.from(
      `--${BOUNDARY}\r\nContent-Disposition: form-data; name="${name}"${
        filename === undefined ? '' : `; filename="${filename}"\r\nContent-Type: application/octet-stream`
      }\r\n\r\n`,
    ),
    Buffer.from(value),
    Buffer.from('\r\n'),
  ])
  return Buffer.concat([...chunks, Buffer.from(`--${BOUNDARY}--\r\n`)])
}

/** Signs a policy (AWS Signature Version 4), also one that the store's client never creates. */
export function signPolicy(
  policy: string,
  {
    secret,
    date,
    region,
    service = 's3',
  }: { secret: string; date: string; region: string; service?: string },
): string {
  const key = [date, region, service, 'aws4_request'].reduce<string | Buffer>(
    (signed, part) => createHmac('sha256', signed).update(part).digest(),
    `AWS4${secret}`,
  )
  return createHmac('sha256', key).update(policy).digest('hex')
}
