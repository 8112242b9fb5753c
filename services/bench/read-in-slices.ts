import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import type { RealPage } from './real-page.ts'

/** Returns a new file input with the file, or with the files of a folder. Only an input can give files to a page. */
export async function createInput(page: Page, path: string, isFolder = false) {
  const input = await page.evaluateHandle(
    webkitdirectory => Object.assign(document.createElement('input'), { type: 'file', webkitdirectory }),
    isFolder,
  )
  await input.setInputFiles(path)
  return input
}

/**
 * Reads a file, or all files of a folder, in workers of the page and in the slices of its reader, and drops them.
 * Returns the milliseconds from the first slice to the last.
 */
export async function readInSlices(
  realPage: RealPage,
  path: string,
  { isFolder = false, workers = 1 } = {},
): Promise<number> {
  const page = await realPage.open()
  try {
    const script = readFileSync(join(import.meta.dirname, 'subjects/read-slices.js'), 'utf8')
    await page.route('/read-slices.js', route =>
      route.fulfill({ contentType: 'text/javascript', body: script }),
    )
    const input = await createInput(page, path, isFolder)
    return await input.evaluate(async ({ files }, workers) => {
      const nextMessage = (worker: Worker) =>
        new Promise(resolve => worker.addEventListener('message', resolve, { once: true }))
      const readers = await Promise.all(
        Array.from({ length: Math.min(workers, navigator.hardwareConcurrency) }, async () => {
          const worker = new Worker('/read-slices.js')
          await nextMessage(worker)
          return worker
        }),
      )
      const todo = [...files!]
      const start = performance.now()
      await Promise.all(
        readers.map(async reader => {
          for (let file = todo.shift(); file; file = todo.shift()) {
            reader.postMessage(file)
            await nextMessage(reader)
          }
        }),
      )
      return performance.now() - start
    }, workers)
  } finally {
    await page.close()
  }
}
