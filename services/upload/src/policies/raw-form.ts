import { createHmac } from 'node:crypto'
import { request } from 'node:http'

/** One part of a form: a field, or a file where `filename` is given. */
export interface Part {
  readonly name: string
  readonly value: string | Uint8Array
  readonly filename?: string
}

export interface RawPost {
  readonly url: string
  readonly parts: readonly Part[]
  readonly method?: string
  /** Instead of multipart/form-data with the boundary of the body. */
  readonly contentType?: string
  /** Sent in chunks, without saying how much comes. */
  readonly isChunked?: boolean
  /** Bytes that are left off the end, with the connection ended there. */
  readonly cutBytes?: number
}

const BOUNDARY = 'lapwing-test-boundary-7d1f'

/**
 * Sends a form byte for byte as it is written, which `FormData` would put in order: twice the same
 * field, the file first, a body that breaks off. Answers the status and the code of S3's answer; null
 * where the store hung up.
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

/** The signature of a policy (AWS Signature Version 4), for policies that the store's client never makes. */
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
