import type { Client } from './client.ts'

/**
 * Sends a call as a real form, so that the browser itself opens the answer. The headers of the protocol become
 * hidden fields whose names begin with `__`. Members that are no text are sent as JSON.
 */
export async function submitForm(
  client: Client,
  path: string,
  body: Readonly<Record<string, unknown>>,
  document: Document = globalThis.document,
): Promise<void> {
  const { baseUrl } = await client.config()
  const { authorization, ...rest } = await client.headers()
  const form = document.createElement('form')
  form.method = 'POST'
  form.action = `${baseUrl}/sdk/v1${path}`
  form.hidden = true
  const fields = {
    ...body,
    __Authorization: authorization,
    '__X-SDK-Client': rest['x-sdk-client'],
    '__X-SDK-Parent-Host': rest['x-sdk-parent-host'],
  }
  for (const [name, value] of Object.entries(fields)) {
    if (value === undefined) continue
    const input = document.createElement('input')
    input.type = 'hidden'
    input.name = name
    input.value = typeof value === 'string' ? value : JSON.stringify(value)
    form.append(input)
  }
  document.body.append(form)
  form.submit()
  form.remove()
}
