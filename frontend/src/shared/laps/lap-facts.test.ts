import assert from 'node:assert/strict'
import { test } from 'node:test'
import { conditionWords, kindWords } from './lap-facts.ts'

test('says what is known of the conditions, and calls the temperature that of the air', () => {
  assert.equal(conditionWords({ air_temp_c: 22, skies: 1 }, 'fahrenheit'), 'air 72 °F · Partly Cloudy')
  assert.equal(conditionWords({ air_temp_c: 22, skies: null }, 'celsius'), 'air 22 °C')
  assert.equal(conditionWords({ air_temp_c: null, skies: 3 }, 'celsius'), 'Overcast')
  assert.equal(conditionWords({ skies: 9 }, 'celsius'), null)
})

test('names the kinds of sessions', () => {
  assert.equal(kindWords({ session_kind: 'qualifying' }), 'Qualifying')
  assert.equal(kindWords({ session_kind: null }), null)
  assert.equal(kindWords({}), null)
})
