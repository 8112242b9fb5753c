/** Waits for a condition that something else brings about; fails with what it waited for. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 30_000,
): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms in vain: ${what}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
