import type { FileResult } from './run-test-file.ts'

/** All failures in one place, why tests were skipped, and at the very end the plain line of counts. */
export function summarise(results: readonly FileResult[]): Summary {
  const lines: string[] = []
  for (const { file, tests, output } of results) {
    const failures = tests.filter(test => test.outcome === 'failed')
    if (failures.length === 0) continue
    lines.push('', `FAIL ${file}`)
    // A set-up that fails makes every test of its file fail in the same words.
    let last = ''
    for (const { name, error } of failures) {
      lines.push(indent(`✖ ${name}`, 2))
      if (error !== '') lines.push(indent(error === last ? '(as above)' : error, 6))
      last = error
    }
    if (output !== '') lines.push(indent('It printed:', 2), indent(output, 6))
  }
  const all = results.flatMap(({ tests }) => tests)
  const count = (outcome: string) => all.filter(test => test.outcome === outcome).length
  const [passed, failed, skipped] = [count('passed'), count('failed'), count('skipped')]
  for (const [reason, times] of reasons(
    all.filter(test => test.outcome === 'skipped').map(test => test.error),
  )) {
    lines.push('', `${times} skipped${reason ? `: ${reason.replace(/^skipped: /, '')}` : ''}`)
  }
  if (all.length === 0) lines.push('', 'No test ran.')
  lines.push('', `${passed} passed, ${failed} failed, ${skipped} skipped`)
  return { passed, failed, skipped, text: lines.join('\n') }
}

export interface Summary {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly text: string
}

function reasons(all: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const reason of all) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return counts
}

function indent(text: string, by: number): string {
  return text.replace(/^/gm, ' '.repeat(by))
}
