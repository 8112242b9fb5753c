import type { CornerMark } from './lap-stretch.ts'
import type { OutlineTransform } from './outline-geometry.ts'

/** Pixels; half of a button. */
const REACH = 12
/** Pixels between two numbers that can be read, and between two that can be pressed. */
const READABLE = 13
const PRESSABLE = 24

/**
 * Places the buttons of the corners beside the road, in the order of the marks. Hides those out of sight and those whose
 * number another one would cover. A button that is too near to another shows its number, but cannot be pressed.
 */
export function placeCorners(
  buttons: readonly HTMLButtonElement[],
  marks: readonly (CornerMark | null)[],
  { scale, middleX, middleY }: OutlineTransform,
  awayM: number,
  width: number,
  height: number,
) {
  const within = (value: number, size: number) => Math.min(size - REACH, Math.max(REACH, value))
  const placed: (readonly [number, number])[] = []
  buttons.forEach((button, i) => {
    const mark = marks[i]
    const roadX = mark ? middleX + mark.x * scale : Number.NaN
    const roadY = mark ? middleY + mark.y * scale : Number.NaN
    const isInSight = roadX >= 0 && roadX <= width && roadY >= 0 && roadY <= height
    const x = mark ? within(roadX + mark.awayX * awayM * scale, width) : Number.NaN
    const y = mark ? within(roadY + mark.awayY * awayM * scale, height) : Number.NaN
    const nearest = Math.min(...placed.map(([px, py]) => Math.hypot(px - x, py - y)))
    // Set once: each change of it restyles the button.
    button.hidden = !isInSight || nearest < READABLE
    if (button.hidden) return
    button.disabled = nearest < PRESSABLE
    if (!button.disabled) placed.push([x, y])
    button.style.transform = `translate(calc(${x.toFixed(1)}px - 50%), calc(${y.toFixed(1)}px - 50%))`
  })
}
