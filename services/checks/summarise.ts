import { type FileResult, hasFailed } from './test-process.ts'

/**
 * Lists the files that failed, the flaky files (failed first, passed alone) and the reasons of skipped tests.
 * The last line holds the counts and nothing else. Each file counts once, with its last run.
 */
export function summarise(results: readonly FileResult[]): Summary {
  const lines: string[] = []
  for (const result of results) {
    const { file, firstRun } = result
    if (hasFailed(result)) lines.push('', `FAIL ${file}`)
    else if (firstRun !== undefined) lines.push('', `flaky: ${file}`)
    else continue
    if (firstRun !== undefined) {
      lines.push('  First run, beside other files:', ...runLines(firstRun), '  Second run, alone:')
    }
    lines.push(...runLines(result))
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

/** Returns the failed tests of one run and the end of its output. */
function runLines({ tests, output }: FileResult): string[] {
  const lines: string[] = []
  // If the set-up fails, each test of the file fails with the same error.
  let last = ''
  for (const { name, error } of tests.filter(test => test.outcome === 'failed')) {
    lines.push(indent(`✖ ${name}`, 2))
    if (error !== '') lines.push(indent(error === last ? '(as above)' : error, 6))
    last = error
  }
  if (output !== '') lines.push(indent('It printed:', 2), indent(output, 6))
  return lines
}

function reasons(all: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const reason of all) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  return counts
}

function indent(text: string, by: number): string {
  return text.replace(/^/gm, ' '.repeat(by))
}
