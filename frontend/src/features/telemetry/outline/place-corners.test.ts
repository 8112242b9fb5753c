import assert from 'node:assert/strict'
import { test } from 'node:test'
import { placeCorners } from './place-corners.ts'

/** Places marks at these pixels of a canvas of 400 by 300, with their buttons 20 px above them. */
function placed(...pixels: readonly (readonly [number, number] | null)[]) {
  const buttons = pixels.map(
    () => ({ hidden: false, disabled: false, style: { transform: '' } }) as unknown as HTMLButtonElement,
  )
  const marks = pixels.map(pixel => pixel && { x: pixel[0] / 2, y: pixel[1] / 2, awayX: 0, awayY: -1 })
  placeCorners(buttons, marks, { scale: 2, middleX: 0, middleY: 0 }, 10, 400, 300)
  return buttons.map(({ hidden, disabled, style }) =>
    hidden
      ? 'hidden'
      : `${style.transform
          .replace(/[^\d., ]|calc|50%/g, '')
          .replace(/ +/g, ' ')
          .trim()}${disabled ? ' inert' : ''}`,
  )
}

test('places each button beside its corner, inside the canvas', () => {
  assert.deepEqual(placed([100, 100], [200, 5], [395, 200]), [
    '100.0 , 80.0',
    '200.0 , 12.0',
    '388.0 , 180.0',
  ])
})

test('hides a corner that is out of sight or has no position', () => {
  assert.deepEqual(placed([-1, 100], null, [100, 301]), ['hidden', 'hidden', 'hidden'])
})

test('hides a number that another would cover, and one too near to be pressed is a number only', () => {
  assert.deepEqual(placed([100, 100], [110, 100], [120, 100], [130, 100]), [
    '100.0 , 80.0',
    'hidden',
    '120.0 , 80.0 inert',
    '130.0 , 80.0',
  ])
})
