import type { ErrorTableEntry } from './app-error.ts'

export const PROBLEM_TYPE = 'application/problem+json'

/** RFC 9457; its contract is `openapi/common/problem.yaml`. */
export interface Problem {
  readonly type: string
  readonly title: string
  readonly status: number
  readonly detail: string
  readonly code: string
  readonly request_id: string
}

export function toProblem(code: string, entry: ErrorTableEntry, requestId: string, detail?: string): Problem {
  return {
    type: 'about:blank',
    title: entry.title,
    status: entry.status,
    detail: detail ?? entry.detail,
    code,
    request_id: requestId,
  }
}
