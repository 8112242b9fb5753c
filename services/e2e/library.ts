import { SUB_HEADER } from '@lapwing/telemetry/layout'
import type { Page } from 'playwright-core'
import { aLibraryEntry } from '../../frontend/src/testing/a-library-entry.ts'
import type { GivenFile } from './give-file.ts'
import { openFirstVisit } from './screen.ts'

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Your telemetry library' })
const rows = (page: Page) => dialog(page).locator('[data-row]')

/** The parts of the library on the screen. */
export const library = {
  entrance: (page: Page) => page.getByRole('button', { name: 'Open your telemetry folder' }),
  dialog,
  /** The entrance beside the open file. */
  again: (page: Page) => page.getByRole('button', { name: 'Your telemetry library' }),
  chooseFolder: (page: Page) => dialog(page).getByRole('button', { name: 'Open your telemetry folder' }),
  /** Rows of sessions, without the headings of groups. */
  rows,
  row: (page: Page, text: string | RegExp) => rows(page).filter({ hasText: text }),
  status: (page: Page) => dialog(page).getByRole('status').first(),
  forget: (page: Page) => dialog(page).getByRole('button', { name: 'Forget all' }),
}

/**
 * Lets the page choose a folder without a window: the picker returns a folder of the origin's private file system.
 * Call it before the page opens.
 */
export async function replacePicker(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const showDirectoryPicker = async () =>
      (await navigator.storage.getDirectory()).getDirectoryHandle('telemetry', { create: true })
    Object.assign(window, { showDirectoryPicker })
  })
}

/** Writes files into that folder; a path with `/` goes into a folder of its own. */
export async function writeFiles(page: Page, ...files: Exclude<GivenFile, string>[]): Promise<void> {
  for (const { name, bytes } of files) {
    await page.evaluate(
      async ([path, base64]) => {
        let folder = await (await navigator.storage.getDirectory()).getDirectoryHandle('telemetry', {
          create: true,
        })
        const parts = path.split('/')
        const last = parts.pop()!
        for (const part of parts) folder = await folder.getDirectoryHandle(part, { create: true })
        const writable = await (await folder.getFileHandle(last, { create: true })).createWritable()
        await writable.write(Uint8Array.from(atob(base64), char => char.charCodeAt(0)))
        await writable.close()
      },
      [name, Buffer.from(bytes).toString('base64')] as const,
    )
  }
}

/** A file that differs from another one only in its date. */
export interface Copy {
  readonly path: string
  readonly startDate: Date
}

/** Writes copies of a file into that folder, which is much faster than to send each to the browser. */
export async function writeCopies(page: Page, bytes: Uint8Array, copies: readonly Copy[]): Promise<void> {
  await page.evaluate(
    async ([base64, dateAt, copies]) => {
      const bytes = Uint8Array.from(atob(base64), char => char.charCodeAt(0))
      const root = await navigator.storage.getDirectory()
      const folder = await root.getDirectoryHandle('telemetry', { create: true })
      for (const { path, seconds } of copies) {
        new DataView(bytes.buffer).setBigInt64(dateAt, BigInt(seconds), true)
        const writable = await (await folder.getFileHandle(path, { create: true })).createWritable()
        await writable.write(bytes)
        await writable.close()
      }
    },
    [
      Buffer.from(bytes).toString('base64'),
      SUB_HEADER.startDate,
      copies.map(({ path, startDate }) => ({ path, seconds: Math.floor(startDate.getTime() / 1000) })),
    ] as const,
  )
}

/** Removes a file from that folder, or the folder itself. */
export async function removeFile(page: Page, name: string | null): Promise<void> {
  await page.evaluate(async name => {
    const root = await navigator.storage.getDirectory()
    if (name === null) return root.removeEntry('telemetry', { recursive: true })
    await (await root.getDirectoryHandle('telemetry')).removeEntry(name)
  }, name)
}

/**
 * Stores as many sessions as if they had been read on earlier visits: two an evening, of twelve laps each, on forty
 * tracks. The page reads them when it is opened again.
 */
export async function storeSessions(page: Page, count: number): Promise<void> {
  const newestMs = Date.parse('2026-11-29T20:00:00Z')
  const entries = Array.from({ length: count }, (_, i) =>
    aLibraryEntry(`session ${i}.ibt`, newestMs - i * 12 * 3_600_000, {
      meta: {
        track_slug: `track-${i % 40}`,
        track_label: `Circuit ${i % 40}`,
        car_slug: `car-${i % 7}`,
        car_label: `Car ${i % 7}`,
      },
      laps: Array.from({ length: 12 }, (_, lap) => ({ time_s: 60 + ((7 * i + lap) % 20) })),
      outline: CIRCLE,
    }),
  )
  await page.evaluate(
    entries =>
      new Promise<void>((resolve, reject) => {
        const opening = indexedDB.open('lapwing-library')
        opening.onerror = () => reject(opening.error)
        opening.onupgradeneeded = () => opening.result.createObjectStore('sessions')
        opening.onsuccess = () => {
          const writing = opening.result.transaction('sessions', 'readwrite')
          for (const entry of entries) writing.objectStore('sessions').put(entry, entry.path)
          writing.onerror = () => reject(writing.error)
          writing.oncomplete = () => {
            opening.result.close()
            resolve()
          }
        }
      }),
    entries,
  )
}

const CIRCLE = Int16Array.from({ length: 192 }, (_, i) => {
  const angle = (Math.floor(i / 2) / 95) * 2 * Math.PI
  return Math.round(500 + 500 * (i % 2 === 0 ? Math.cos(angle) : Math.sin(angle)))
})

/** Opens the page with these files in the folder, and the library on them. */
export async function openLibrary(page: Page, ...files: Exclude<GivenFile, string>[]): Promise<void> {
  await replacePicker(page)
  await openFirstVisit(page)
  await writeFiles(page, ...files)
  await library.entrance(page).click()
  await library.chooseFolder(page).click()
  const count = `${files.length} ${files.length === 1 ? 'file' : 'files'}`
  await library.status(page).getByText(count, { exact: true }).waitFor()
}
