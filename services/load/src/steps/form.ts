/** A form with the fields and then the file, as a browser posts it. */
export interface Form {
  readonly contentType: string
  readonly body: Uint8Array
}

/** Writes a form. Fields are ASCII, as those of an upload policy are. */
export function writeForm(fields: Readonly<Record<string, string>>, file: Uint8Array): Form {
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = ascii(
    `${parts.join('')}--${BOUNDARY}\r\ncontent-disposition: form-data; name="file"; filename="session.ibt"\r\n` +
      'content-type: application/octet-stream\r\n\r\n',
  )
  const tail = ascii(`\r\n--${BOUNDARY}--\r\n`)
  const body = new Uint8Array(head.length + file.length + tail.length)
  body.set(head)
  body.set(file, head.length)
  body.set(tail, head.length + file.length)
  return { contentType: `multipart/form-data; boundary=${BOUNDARY}`, body }
}

const BOUNDARY = 'lapwing-load-1f7d3c9a'

/** k6 has no `TextEncoder`. */
function ascii(text: string): Uint8Array {
  return Uint8Array.from(text, char => char.charCodeAt(0))
}
