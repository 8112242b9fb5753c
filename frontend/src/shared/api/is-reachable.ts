const TIMEOUT_MS = 5000

/**
 * Returns whether the page's server answers. Ask before the browser leaves or reloads: without a network it would replace
 * the page by its own error.
 */
export async function isReachable(): Promise<boolean> {
  try {
    const answer = await fetch('/config.json', {
      cache: 'no-store',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    })
    return answer.ok
  } catch {
    return false
  }
}
