import type { Page } from 'playwright-core'

/** Waits until the browser stores this many open files: a reload before that starts without a file. */
export async function untilKept(page: Page, count = 1): Promise<void> {
  await page.waitForFunction(
    wanted =>
      new Promise<boolean>(resolve => {
        const opening = indexedDB.open('keyval-store')
        // Only the page creates the store.
        opening.onupgradeneeded = () => opening.transaction?.abort()
        opening.onerror = () => resolve(wanted === 0)
        opening.onsuccess = () => {
          const database = opening.result
          const counting = database.transaction('keyval').objectStore('keyval').count()
          counting.onsuccess = () => {
            database.close()
            resolve(counting.result === wanted)
          }
        }
      }),
    count,
  )
}
