import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { test } from 'node:test'
import { mainReason, reasonSentences, reasonWords } from './reason-words.ts'

const contract = JSON.parse(
  readFileSync(createRequire(import.meta.url).resolve('@lapwing/contracts/ingest.json'), 'utf8'),
) as object

test('has words for every reason of the contract, and for no other', () => {
  const listed = JSON.stringify(contract).match(/"enum":\["NO_OPEN"[^\]]*\]/)?.[0]
  const { enum: reasons } = JSON.parse(`{${listed}}`) as { enum: string[] }
  assert.deepEqual(Object.keys(reasonWords).sort(), [...reasons].sort())
})

test('names what happened before what is missing', () => {
  assert.equal(mainReason(['NO_OPEN', 'OUT']), 'OUT')
  assert.equal(mainReason(['NO_CLOSE', 'JUMP', 'OFF_TRACK']), 'JUMP')
  assert.equal(mainReason(['UNVERIFIABLE', 'INCIDENT']), 'INCIDENT')
  assert.equal(mainReason([]), null)
})

test('uses a driver’s words', () => {
  assert.deepEqual(reasonSentences(['NO_CLOSE', 'OUT']), [
    'Out lap: started from the pits',
    'Unfinished: the file ends before the line',
  ])
  assert.deepEqual(reasonSentences(['JUMP']), ['Reset on the way: the car jumped'])
})
