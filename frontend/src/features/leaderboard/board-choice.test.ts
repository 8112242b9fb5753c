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

test('opens with the given track and car, on the first page', () => {
  const choice = chosenFor(jefferson)
  assert.deepEqual(combinationOfChoice(choice), jefferson)
  assert.deepEqual([choice.offset, choice.board], [0, 'complete'])
})

test('clears the car and returns to the first page if a track is chosen, and asks nothing until a car is chosen too', () => {
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

test('shows the other board of the same combination from its first page', () => {
  const choice = chooseBoard(goTo(chosenFor(jefferson), 100), 'clean')
  assert.deepEqual([choice.board, choice.offset, combinationOfChoice(choice)], ['clean', 0, jefferson])
})

test('has no page before the first', () => {
  assert.equal(goTo(chosenFor(jefferson), -50).offset, 0)
})

test('finds the page that holds each rank', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 10_000_000 }), rank => {
      const offset = offsetOfRank(rank)
      assert.equal(offset % PAGE_SIZE, 0)
      assert.ok(offset < rank && rank <= offset + PAGE_SIZE)
    }),
  )
})

test('lists the chosen option exactly once, even if no driver has driven it', () => {
  const { track } = chosenFor(jefferson)
  assert.deepEqual(withChosen(undefined, track, isSameTrack), [track])
  assert.deepEqual(withChosen([monza], track, isSameTrack), [track, monza])
  assert.deepEqual(withChosen([monza, { ...track!, label: 'Renamed' }], track, isSameTrack).length, 2)
  assert.deepEqual(withChosen([monza], null, isSameTrack), [monza])
})
