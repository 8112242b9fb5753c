import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Answer, checkAnswer } from './check-answer.ts'

const problem = {
  type: 'object',
  required: ['status', 'code'],
  properties: { status: { type: 'integer' }, code: { type: 'string' } },
}
const contract = {
  paths: {
    '/v1/laps/{id}': {
      get: {
        operationId: 'getLap',
        responses: {
          200: {
            content: {
              'application/json': {
                schema: {
                  type: 'object',
                  required: ['time_ms'],
                  properties: { time_ms: { type: 'integer' } },
                },
              },
              'application/x-protobuf': {},
            },
          },
          204: { description: 'Nothing to say.' },
          404: {
            'x-codes': ['laps.not_found'],
            content: { 'application/problem+json': { schema: problem } },
          },
          429: {
            headers: { 'Retry-After': { required: true } },
            content: { 'application/problem+json': { schema: problem } },
          },
        },
      },
    },
  },
}

const json = { 'content-type': 'application/json; charset=utf-8' }
const problemJson = { 'content-type': 'application/problem+json' }

const allowed: Record<string, Answer> = {
  'a body that fits': { statusCode: 200, headers: json, body: '{"time_ms":51088}' },
  'bytes of a listed type': {
    statusCode: 200,
    headers: { 'content-type': 'application/x-protobuf' },
    body: '\u0001',
  },
  'an empty answer if no content is listed': { statusCode: 204, headers: {}, body: '' },
  'a problem with a listed code': {
    statusCode: 404,
    headers: problemJson,
    body: '{"status":404,"code":"laps.not_found"}',
  },
  'a problem with its required header': {
    statusCode: 429,
    headers: { ...problemJson, 'retry-after': '3' },
    body: '{"status":429,"code":"laps.rate_limited"}',
  },
}

const refused: Record<string, [Answer, RegExp]> = {
  'a status that is not listed': [{ statusCode: 500, headers: json, body: '{}' }, /answered 500, which/],
  'a content type that is not listed': [
    { statusCode: 200, headers: { 'content-type': 'text/html' }, body: '' },
    /as text\/html, which/,
  ],
  'no content type': [{ statusCode: 200, headers: {}, body: '{"time_ms":1}' }, /as , which/],
  'a body that does not fit': [{ statusCode: 200, headers: json, body: '{"time_ms":1.5}' }, /integer/],
  'a body if no content is listed': [{ statusCode: 204, headers: json, body: '{}' }, /with a body/],
  'a code that is not listed for the status': [
    { statusCode: 404, headers: problemJson, body: '{"status":404,"code":"laps.failed"}' },
    /with laps\.failed/,
  ],
  'another status in the body': [
    { statusCode: 404, headers: problemJson, body: '{"status":400,"code":"laps.not_found"}' },
    /another status/,
  ],
  'a missing required header': [
    { statusCode: 429, headers: problemJson, body: '{"status":429,"code":"laps.rate_limited"}' },
    /without Retry-After/,
  ],
}

for (const [name, answer] of Object.entries(allowed)) {
  test(`passes ${name}`, () => checkAnswer(contract, 'getLap', answer))
}

for (const [name, [answer, message]] of Object.entries(refused)) {
  test(`fails on ${name}`, () => {
    assert.throws(() => checkAnswer(contract, 'getLap', answer), message)
  })
}

test('fails on an operation that the contract does not have', () => {
  const answer = { statusCode: 200, headers: json, body: '{}' }
  assert.throws(() => checkAnswer(contract, 'getCar', answer), /no operation getCar/)
})
