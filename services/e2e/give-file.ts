import type { Page } from 'playwright-core'

/** The path of a file on disk, or a file that exists only in the test. */
export type GivenFile = string | { readonly name: string; readonly bytes: Uint8Array }

/** Chooses a file like the file dialog does. */
export async function chooseFile(page: Page, file: GivenFile): Promise<void> {
  await page.getByLabel('Telemetry file (.ibt)').setInputFiles(asPayload(file))
}

/** Drags files from outside over the window and drops them. */
export async function dropFiles(page: Page, ...files: GivenFile[]): Promise<void> {
  const transfer = await dragFiles(page, ...files)
  await page.dispatchEvent('body', 'drop', { dataTransfer: transfer })
}

/** Drags files over the window and holds them there. Returns the data for the `drop` event. */
export async function dragFiles(page: Page, ...files: GivenFile[]) {
  // Only a file input can give files to a page, so this creates a hidden one.
  const input = await page.evaluateHandle(() => {
    const element = document.createElement('input')
    element.type = 'file'
    element.multiple = true
    return element
  })
  await input.setInputFiles(files.map(asPayload) as string[])
  const transfer = await input.evaluateHandle(element => {
    const data = new DataTransfer()
    for (const file of element.files!) data.items.add(file)
    return data
  })
  await page.dispatchEvent('body', 'dragenter', { dataTransfer: transfer })
  await page.dispatchEvent('body', 'dragover', { dataTransfer: transfer })
  return transfer
}

function asPayload(file: GivenFile) {
  if (typeof file === 'string') return file
  return { name: file.name, mimeType: 'application/octet-stream', buffer: Buffer.from(file.bytes) }
}
