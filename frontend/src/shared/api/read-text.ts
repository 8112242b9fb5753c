/** Reads a body as text. Rejects with a `RangeError` if it has more than `most` bytes, and reads no further. */
export async function readText({ body }: Response, most: number): Promise<string> {
  if (body === null) return ''
  let text = ''
  const decoder = new TextDecoder()
  const reader = body.getReader()
  for (let bytes = 0; ; ) {
    const { done, value } = await reader.read()
    if (done) return text + decoder.decode()
    bytes += value.length
    if (bytes > most) {
      await reader.cancel()
      throw new RangeError(`The answer has more than ${most} bytes.`)
    }
    text += decoder.decode(value, { stream: true })
  }
}
