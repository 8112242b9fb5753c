/** One part of a form; a file if it has a `fileName`. */
export interface Part {
  readonly name: string
  readonly fileName?: string
  readonly content: string | Uint8Array | Iterable<Uint8Array>
}

/** Builds a `multipart/form-data` body in chunks. The last two end the last part and the form. */
export function form(parts: readonly Part[], boundary = 'lapwing-test-boundary') {
  return { boundary, chunks: chunksOf(parts, boundary) }
}

function* chunksOf(parts: readonly Part[], boundary: string): Generator<Uint8Array> {
  for (const { name, fileName, content } of parts) {
    const file = fileName === undefined ? '' : `; filename="${fileName}"`
    const type = fileName === undefined ? '' : 'Content-Type: application/octet-stream\r\n'
    yield Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"${file}\r\n${type}\r\n`)
    if (typeof content === 'string') yield Buffer.from(content)
    else if (content instanceof Uint8Array) yield content
    else yield* content
    yield Buffer.from('\r\n')
  }
  yield Buffer.from(`--${boundary}--\r\n`)
}
