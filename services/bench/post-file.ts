import { createReadStream, statSync } from 'node:fs'
import { type IncomingMessage, request } from 'node:http'
import { pipeline } from 'node:stream/promises'

export interface PostedFile {
  readonly ms: number
  readonly answerBytes: number
  readonly contentType: string
}

/**
 * Posts a file like the page's form does. Resolves with the time from before the request until the last byte
 * of the answer. Rejects if the answer is not 200.
 */
export async function postFile(
  url: string,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<PostedFile> {
  const head = Buffer.from(
    `--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="session.ibt"\r\n` +
      'content-type: application/octet-stream\r\n\r\n',
  )
  const tail = Buffer.from(`\r\n--${BOUNDARY}--\r\n`)
  const start = performance.now()
  const outgoing = request(url, {
    method: 'POST',
    agent: false,
    headers: {
      ...headers,
      'content-type': `multipart/form-data; boundary=${BOUNDARY}`,
      'content-length': head.length + statSync(path).size + tail.length,
    },
  })
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject)
  })
  outgoing.write(head)
  await pipeline(createReadStream(path, { highWaterMark: 256 * 1024 }), outgoing, { end: false })
  outgoing.end(tail)
  const answer = await answered
  let answerBytes = 0
  for await (const chunk of answer) answerBytes += (chunk as Buffer).length
  const ms = performance.now() - start
  if (answer.statusCode !== 200) throw new Error(`${url} answered ${answer.statusCode}.`)
  return { ms, answerBytes, contentType: answer.headers['content-type'] ?? '' }
}

const BOUNDARY = 'lapwing-bench-7d1f0c'
