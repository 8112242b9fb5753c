import type { DrawingTokens } from '#shared/drawing/read-tokens.ts'
import type { SceneLabel } from './scene-drawing.ts'

/** Pixels from the road to the lower edge of a label. */
const STALK = { corner: 22, distance: 13 } as const
const PADDING = { corner: 6, distance: 5 } as const
const HEIGHT = { corner: 20, distance: 16 } as const
const FONT = { corner: '600 12px', distance: '500 10px' } as const

interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/**
 * Draws corner numbers and distance boards above the scene. A label that would cover another one is left out;
 * corners come first. `projected` has two numbers a label: pixels of the picture.
 */
export function drawLabels(
  context: CanvasRenderingContext2D,
  labels: readonly SceneLabel[],
  projected: Float32Array,
  { width, height }: { readonly width: number; readonly height: number },
  tokens: DrawingTokens,
): void {
  context.clearRect(0, 0, width, height)
  context.textAlign = 'center'
  context.textBaseline = 'middle'
  const taken: Box[] = []
  for (const kind of ['corner', 'distance'] as const) {
    context.font = `${FONT[kind]} 'Inter Variable', sans-serif`
    labels.forEach((label, i) => {
      if (label.kind !== kind) return
      const x = projected[2 * i]!
      const y = projected[2 * i + 1]!
      if (!(x > 0 && x < width && y > 0 && y < height)) return
      const bottom = y - STALK[kind]
      const half = Math.max(HEIGHT[kind] / 2, context.measureText(label.text).width / 2 + PADDING[kind])
      const box = { left: x - half, right: x + half, top: bottom - HEIGHT[kind], bottom }
      if (box.top < 0 || taken.some(other => isOver(box, other))) return
      taken.push(box)
      drawLabel(context, kind, label.text, x, y, box, tokens)
    })
  }
}

function drawLabel(
  context: CanvasRenderingContext2D,
  kind: SceneLabel['kind'],
  text: string,
  x: number,
  y: number,
  { left, top, right, bottom }: Box,
  tokens: DrawingTokens,
) {
  context.strokeStyle = kind === 'corner' ? tokens.text : tokens.muted
  context.lineWidth = 1
  context.beginPath()
  context.moveTo(x, y)
  context.lineTo(x, bottom)
  context.stroke()
  context.beginPath()
  context.roundRect(left, top, right - left, bottom - top, kind === 'corner' ? (bottom - top) / 2 : 3)
  context.fillStyle = kind === 'corner' ? tokens.text : tokens.card
  context.fill()
  if (kind === 'distance') {
    context.strokeStyle = tokens.line
    context.stroke()
  }
  context.fillStyle = kind === 'corner' ? tokens.card : tokens.text
  context.fillText(text, x, (top + bottom) / 2 + 0.5)
}

const isOver = (a: Box, b: Box) =>
  a.left < b.right + 2 && a.right > b.left - 2 && a.top < b.bottom + 2 && a.bottom > b.top - 2
