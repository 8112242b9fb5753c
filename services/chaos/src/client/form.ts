/** Returns a form with the fields and then the file, as a browser posts it. */
export function multipart(
  fields: Readonly<Record<string, string>>,
  file: Uint8Array,
): { readonly contentType: string; readonly body: Uint8Array } {
  const boundary = '----lapwing-chaos-form'
  const parts = Object.entries(fields).map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
  )
  const head = `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="session.ibt"\r\nContent-Type: application/octet-stream\r\n\r\n`
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    body: Buffer.concat([Buffer.from(parts.join('') + head), file, Buffer.from(`\r\n--${boundary}--\r\n`)]),
  }
}
