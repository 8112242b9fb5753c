/** Waits until a condition holds; fails with the name of the condition after `withinMs`. */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  withinMs = 30_000,
): Promise<void> {
  const deadline = performance.now() + withinMs
  while (!(await holds())) {
    if (performance.now() > deadline) throw new Error(`waited ${withinMs} ms without success: ${what}`)
    await new Promise(resolve => setTimeout(resolve, 20))
  }
}
