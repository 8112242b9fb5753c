import { inspect } from 'node:util'
import type { TestResult } from './run-test-file.ts'

/** Reporter for Node's test runner. Writes one line of JSON a test, a `TestResult`. Suites are not tests. */
export default async function* ndjsonReporter(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const path: string[] = []
  for await (const { type, data } of events) {
    if (type === 'test:start') {
      path.length = data.nesting
      path.push(data.name)
    }
    if (type !== 'test:pass' && type !== 'test:fail') continue
    // If a suite failed only because of a test in it, the failure is counted already.
    if (data.details?.type === 'suite' && (type === 'test:pass' || isSubtestFailure(data.details.error)))
      continue
    const isSkipped = isSet(data.skip) || isSet(data.todo)
    const result: TestResult = {
      name: [...path.slice(0, data.nesting), data.name].join(' › '),
      outcome: isSkipped ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed',
      error:
        type === 'test:fail' ? describe(data.details?.error) : typeof data.skip === 'string' ? data.skip : '',
    }
    yield `${JSON.stringify(result)}\n`
  }
}

interface TestEvent {
  readonly type: string
  readonly data: {
    readonly name: string
    readonly nesting: number
    readonly skip?: string | boolean
    readonly todo?: string | boolean
    readonly details?: { readonly type?: string; readonly error?: Error }
  }
}

function isSubtestFailure(error: (Error & { failureType?: string }) | undefined): boolean {
  return error?.failureType === 'subtestsFailed'
}

/** Returns whether a test is marked. An empty reason counts as a mark. */
function isSet(mark: string | boolean | undefined): boolean {
  return mark !== undefined && mark !== false
}

/** Returns the stack of the error that the test threw, without the runner's wrapper. */
function describe(error: Error | undefined): string {
  const cause = error?.cause ?? error
  return cause instanceof Error ? (cause.stack ?? cause.message) : inspect(cause)
}
