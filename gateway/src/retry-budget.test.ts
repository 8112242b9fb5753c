import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createRetryBudget } from './retry-budget.ts'

test('allows a hundred retries at first, and then one in ten requests', () => {
  const budget = createRetryBudget()
  let requests = 0
  let retries = 0
  for (; requests < 10_000; requests++) {
    budget.add()
    if (!budget.take()) continue
    budget.add()
    retries++
  }
  const allowed = 100 + (requests + retries) / 10
  assert.ok(retries <= allowed && retries > allowed - 2, `${retries} retries, ${allowed} allowed`)
})

test('earns no more than a hundred retries, however long nothing fails', () => {
  const budget = createRetryBudget()
  for (let i = 0; i < 10_000; i++) budget.add()
  let retries = 0
  while (budget.take()) retries++
  assert.equal(retries, 100)
})
