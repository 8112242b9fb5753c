import type { Notify } from '#shared/notify/notify.ts'

/** Copies a text and says so. If the browser refuses, says that and `hint`. */
export async function copyText(notify: Notify, text: string, copied: string, hint = ''): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    notify.success(copied)
  } catch {
    notify.error(`The browser did not allow copying.${hint}`)
  }
}
