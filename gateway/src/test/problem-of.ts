import assert from 'node:assert/strict'
import contract from '@lapwing/contracts/gateway.json' with { type: 'json' }
import type { Problem } from '@lapwing/http'
import { type Answer, checkAnswer } from '@lapwing/testing/check-answer.ts'
import { errors } from '../errors.ts'

/** Returns the problem in an answer of the gateway, after checking the answer against the contract. */
export function problemOf(answer: Answer): Problem {
  checkAnswer(contract, 'passOn', answer)
  const problem = JSON.parse(answer.body) as Problem
  assert.equal(errors[problem.code as keyof typeof errors].status, answer.statusCode)
  assert.equal(problem.request_id, answer.headers['x-request-id'])
  assert.equal(answer.headers['cache-control'], 'no-store')
  return problem
}

/** Does the same for an answer to `fetch`. */
export async function problemOfResponse(response: Response): Promise<Problem> {
  return problemOf({
    statusCode: response.status,
    headers: Object.fromEntries(response.headers),
    body: await response.text(),
  })
}
