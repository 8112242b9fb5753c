import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { jefferson } from '#testing/a-board.ts'
import {
  chooseBoard,
  chooseCar,
  chooseTrack,
  chosenFor,
  combinationOfChoice,
  goTo,
  isSameTrack,
  offsetOfRank,
  PAGE_SIZE,
  withChosen,
} from './board-choice.ts'

const monza = { sim: 'iracing', slug: 'monza', layout: 'gp', label: 'Monza, GP' }
const gt = { slug: 'lapwing-gt', label: 'Lapwing GT' }

test('the dialog opens with the track and car it was given, at the top', () => {
  const choice = chosenFor(jefferson)
  assert.deepEqual(combinationOfChoice(choice), jefferson)
  assert.deepEqual([choice.offset, choice.board], [0, 'complete'])
})

test('choosing a track clears the car and goes to the top; nothing is asked until a car is chosen too', () => {
  const choice = chooseTrack(goTo(chosenFor(jefferson), 150), monza)
  assert.deepEqual(choice, { track: monza, car: null, board: 'complete', offset: 0 })
  assert.equal(combinationOfChoice(choice), null)
  const whole = chooseCar(goTo(choice, 50), gt)
  assert.equal(whole.offset, 0)
  assert.deepEqual(combinationOfChoice(whole), {
    sim: 'iracing',
    track_slug: 'monza',
    layout: 'gp',
    car_slug: 'lapwing-gt',
    track_label: 'Monza, GP',
    car_label: 'Lapwing GT',
  })
})

test('the other board of the same combination is seen from its top', () => {
  const choice = chooseBoard(goTo(chosenFor(jefferson), 100), 'clean')
  assert.deepEqual([choice.board, choice.offset, combinationOfChoice(choice)], ['clean', 0, jefferson])
})

test('no page lies before the first', () => {
  assert.equal(goTo(chosenFor(jefferson), -50).offset, 0)
})

test('every rank is on the page that is said to hold it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), rank => {
      const offset = offsetOfRank(rank)
      assert.equal(offset % PAGE_SIZE, 0)
      assert.ok(offset < rank && rank <= offset + PAGE_SIZE)
    }),
  )
})

test('the chosen option is in the list, also where nobody has driven it, and never twice', () => {
  const { track } = chosenFor(jefferson)
  assert.deepEqual(withChosen(undefined, track, isSameTrack), [track])
  assert.deepEqual(withChosen([monza], track, isSameTrack), [track, monza])
  assert.deepEqual(withChosen([monza, { ...track!, label: 'Renamed' }], track, isSameTrack).length, 2)
  assert.deepEqual(withChosen([monza], null, isSameTrack), [monza])
})
