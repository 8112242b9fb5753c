import assert from 'node:assert/strict'
import { test } from 'node:test'
import contract from '@lapwing/contracts/preview.json' with { type: 'json' }
import { resolveRefs } from '@lapwing/contracts/resolve-refs'
import { errorEntry } from '@lapwing/http'
import { checkCodes } from '@lapwing/service/testing'
import { errors } from './errors.ts'

test('lists the same error codes as the contract', () => {
  checkCodes('preview', errors, contract)
})

test('has the contract’s status for each code', () => {
  const { paths } = resolveRefs<object>(contract) as {
    paths: { '/v1/preview': { post: { responses: Record<string, { 'x-codes'?: string[] }> } } }
  }
  const listed = Object.entries(paths['/v1/preview'].post.responses).flatMap(([status, response]) =>
    (response['x-codes'] ?? []).map(code => [code, Number(status)] as const),
  )
  assert.equal(listed.length, 12)
  for (const [code, status] of listed) assert.equal(errorEntry('preview', errors, code)?.status, status, code)
})

test('uses the sentences of the specification letter by letter', () => {
  assert.equal(errors['preview.wrong_type'].detail, 'Only .ibt files are supported.')
  assert.equal(errors['preview.too_large'].detail, 'File is larger than 100 MB.')
  assert.equal(errors['preview.failed'].detail, 'Preview failed')
})
