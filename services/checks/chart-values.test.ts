import assert from 'node:assert/strict'
import { test } from 'node:test'
import { chartSchema, chartTable } from './chart-values.ts'

const values = `
# With accounts
mail:
  # -- Sender of mails
  from: ""
  # -- How many at a time
  most: 4
# -- CPU and memory
resources:
  requests: { cpu: 1 }
`
const rules = `
rules:
  from: { pattern: "@" }
  mail.most: { minimum: 1 }
conditions:
  - { why: Several need a sender., if: { mail.most: { minimum: 2 } }, then: { mail.from: { minLength: 1 } } }
`

test('gives each value its sentence, the type of its default and its rule', () => {
  const { properties, required } = JSON.parse(chartSchema(values, rules))
  assert.deepEqual(required, ['mail', 'resources'])
  assert.deepEqual(properties, {
    mail: {
      description: 'With accounts',
      type: 'object',
      additionalProperties: false,
      required: ['from', 'most'],
      properties: {
        from: { description: 'Sender of mails', type: 'string', pattern: '@' },
        most: { description: 'How many at a time', type: 'integer', minimum: 1 },
      },
    },
    resources: { description: 'CPU and memory', type: 'object' },
  })
})

test('requires of one value what depends on another', () => {
  const [{ if: one, then }] = JSON.parse(chartSchema(values, rules)).allOf
  const most = { required: ['most'], properties: { most: { minimum: 2 } } }
  assert.deepEqual(one, { required: ['mail'], properties: { mail: most } })
  assert.deepEqual(then, { properties: { mail: { properties: { from: { minLength: 1 } } } } })
})

test('reports a value without a sentence, and a rule or a condition without its value', () => {
  assert.throws(() => chartSchema(`${values}\nnew: 1\n`, rules), /new of the chart's values has no sentence/)
  assert.throws(() => chartSchema(values, rules.replace('mail.most', 'mail.least')), /rule mail\.least/)
  assert.throws(() => chartSchema(values, rules.replace('{ mail.from', '{ mail.to')), /names mail\.to/)
})

test('lists each value with its default and its sentence', () => {
  assert.deepEqual(chartTable(values).split('\n').slice(2), [
    '| `mail.from` | `""` | Sender of mails |',
    '| `mail.most` | `4` | How many at a time |',
    '| `resources` | `{"requests":{"cpu":1}}` | CPU and memory |',
  ])
})
