/** Posts a file as the page does: the fields unchanged, the file last. Returns the store's status. */
export async function postForm(
  { url, fields }: { readonly url: string; readonly fields: Readonly<Record<string, string>> },
  bytes: Uint8Array,
): Promise<number> {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.append(name, value)
  form.append('file', new Blob([bytes as Uint8Array<ArrayBuffer>]), 'session.ibt')
  const answer = await fetch(url, { method: 'POST', body: form })
  await answer.arrayBuffer()
  return answer.status
}
