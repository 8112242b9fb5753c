import { inspect } from 'node:util'

export interface TestResult {
  readonly name: string
  readonly outcome: 'passed' | 'failed' | 'skipped'
  readonly error: string
}

/**
 * Yields the result of each test of one file from the events of Node's test runner. Suites are not tests. If the
 * file cannot be loaded, the only result says so. If it holds no test, there is no result.
 */
export async function* testResults(
  events: AsyncIterable<TestEvent>,
  file: string,
): AsyncGenerator<TestResult> {
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
    // The runner's own test of a file without tests.
    const isOfFile = data.name === file
    if (isOfFile && type === 'test:pass') continue
    const isSkipped = isSet(data.skip) || isSet(data.todo)
    yield {
      name: isOfFile ? 'the file cannot be loaded' : [...path.slice(0, data.nesting), data.name].join(' › '),
      outcome: isSkipped ? 'skipped' : type === 'test:pass' ? 'passed' : 'failed',
      error:
        type === 'test:fail' ? describe(data.details?.error) : typeof data.skip === 'string' ? data.skip : '',
    }
  }
}

export interface TestEvent {
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
