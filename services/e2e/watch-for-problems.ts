import type { Page } from 'playwright-core'

/**
 * Notes everything that goes wrong on a page beside what the test looks at: errors in the console and
 * thrown ones, breaches of the content security policy, requests that fail. Answers those not expected.
 */
export function watchForProblems(page: Page, expected: readonly RegExp[]): () => string[] {
  const problems: string[] = []
  page.on('console', message => {
    if (message.type() === 'error') problems.push(`console: ${message.text()}`)
  })
  page.on('pageerror', error => problems.push(`uncaught: ${error.message}`))
  page.on('requestfailed', request => {
    const why = request.failure()?.errorText ?? 'failed'
    // What the page itself gives up, as a file that is replaced while it is sent.
    if (why !== 'net::ERR_ABORTED') problems.push(`request: ${request.method()} ${request.url()} ${why}`)
  })
  page.on('response', response => {
    if (response.status() >= 400) {
      problems.push(`answer: ${response.status()} to ${response.request().method()} ${response.url()}`)
    }
  })
  page.on('crash', () => problems.push('the tab crashed'))
  return () => problems.filter(problem => !expected.some(pattern => pattern.test(problem)))
}
