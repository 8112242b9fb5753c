import type { Page } from 'playwright-core'

/**
 * Records everything that goes wrong on a page: console errors, thrown errors, violations of the content
 * security policy, failed requests. Returns a function that lists those since its last call which match no
 * expected pattern.
 */
export function watchForProblems(page: Page): (expected: readonly RegExp[]) => string[] {
  const problems: string[] = []
  page.on('console', message => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  page.on('pageerror', error => problems.push(`uncaught: ${error.message}`))
  page.on('requestfailed', request => {
    const why = request.failure()?.errorText ?? 'failed'
    // The page itself aborted the request, for example for a replaced file.
    if (why !== 'net::ERR_ABORTED') problems.push(`request: ${request.method()} ${request.url()} ${why}`)
  })
  page.on('response', response => {
    if (response.status() >= 400) {
      problems.push(`answer: ${response.status()} to ${response.request().method()} ${response.url()}`)
    }
  })
  page.on('crash', () => problems.push('the tab crashed'))
  return expected => problems.splice(0).filter(problem => !expected.some(pattern => pattern.test(problem)))
}
