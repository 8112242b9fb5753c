import { everyFrame } from '#shared/drawing/every-frame.ts'
import { createPostTask } from '#shared/drawing/in-turns.ts'
import { watchTokens } from '#shared/drawing/read-tokens.ts'
import { watchPixelRatio } from '#shared/drawing/watch-pixel-ratio.ts'
import { type ChartLook, readLook } from './chart-look.ts'
import type { LapViews, ShownRange } from './lap-views.ts'

/** A chart that the deck draws. */
export interface DeckChart {
  /** Draws the part of the lap into this size, in pixels. */
  draw(range: ShownRange, size: ChartSize, look: ChartLook): void
  /** Shows the values of a row of the lap, by index. Quiet values are those of the first row, without a cursor. */
  mark(at: CursorPlace): void
  destroy(): void
}

export interface ChartSize {
  readonly width: number
  readonly height: number
}

export interface CursorPlace {
  /** Index into the lap's columns. */
  readonly index: number
  /** Index into those of the reference; null without one. */
  readonly referenceIndex: number | null
  /** Whether the cursor is on no row of the lap. */
  readonly isQuiet: boolean
}

interface Entry {
  readonly create: (look: ChartLook) => DeckChart
  chart: DeckChart | null
  size: ChartSize | null
  isSeen: boolean
  isDue: boolean
}

export type ChartDeck = ReturnType<typeof createChartDeck>

/**
 * Draws the charts of a page when the shown part of the lap or the cursor changes. It draws only those in sight, one a task,
 * so that no task blocks the page. A chart that comes into sight is drawn then.
 */
export function createChartDeck(views: LapViews) {
  const { cursor, lap } = views
  const entries = new Map<Element, Entry>()
  const post = createPostTask()
  let look = readLook()
  let isPosted = false
  let isDestroyed = false

  const range = (): ShownRange => views.range.get() ?? views.full
  const isReady = (entry: Entry) => entry.isDue && entry.isSeen && entry.size !== null

  function drawNext() {
    isPosted = false
    if (isDestroyed) return
    for (const [element, entry] of entries) {
      if (!isReady(entry)) continue
      // To the end, so that all get their turn while a drag makes them due again.
      entries.delete(element)
      entries.set(element, entry)
      entry.isDue = false
      const isNew = entry.chart === null
      entry.chart ??= entry.create(look)
      entry.chart.draw(range(), entry.size!, look)
      entry.chart.mark(place())
      if (isNew) performance.mark('lapwing:channels-drawn')
      break
    }
    postNext()
  }

  function postNext() {
    if (isPosted || ![...entries.values()].some(isReady)) return
    isPosted = true
    post(drawNext)
  }

  function redraw() {
    for (const entry of entries.values()) entry.isDue = true
    postNext()
  }

  function place(): CursorPlace {
    const { row } = cursor.get()
    const isQuiet = row === null || row < lap.rowStart || row > lap.rowEnd
    const at = isQuiet ? lap.rowStart : row
    return { index: at - lap.rowStart, referenceIndex: views.referenceIndexAt(at), isQuiet }
  }

  const redrawNextFrame = everyFrame(redraw)
  const markNextFrame = everyFrame(() => {
    const at = place()
    for (const { chart, isSeen, isDue } of entries.values()) if (isSeen && !isDue) chart?.mark(at)
  })

  const sizes = new ResizeObserver(changes => {
    for (const { target, contentRect } of changes) {
      const entry = entries.get(target)
      if (!entry) continue
      entry.size = contentRect.width > 0 ? { width: contentRect.width, height: contentRect.height } : null
      entry.isDue = true
    }
    postNext()
  })
  const sight = new IntersectionObserver(
    changes => {
      for (const { target, isIntersecting } of changes) {
        const entry = entries.get(target)
        if (!entry) continue
        // The cursor may have moved while it was out of sight.
        if (isIntersecting && !entry.isSeen) entry.chart?.mark(place())
        entry.isSeen = isIntersecting
      }
      postNext()
    },
    // What is about to be scrolled into sight is drawn by then.
    { rootMargin: '200px' },
  )
  // A canvas does not wait for the page's font.
  document.fonts.ready.then(() => !isDestroyed && redraw())
  const endings = [
    views.range.subscribe(redrawNextFrame),
    cursor.subscribe(markNextFrame),
    watchTokens(tokens => {
      look = readLook(tokens)
      redraw()
    }),
    watchPixelRatio(redraw),
    redrawNextFrame.cancel,
    markNextFrame.cancel,
    () => sizes.disconnect(),
    () => sight.disconnect(),
  ]

  return {
    range,
    /** Adds the chart of an element, which `create` makes once it is in sight. Returns the function that removes it. */
    add(element: HTMLElement, create: (look: ChartLook) => DeckChart): () => void {
      if (isDestroyed) return () => {}
      entries.set(element, { create, chart: null, size: null, isSeen: false, isDue: true })
      sizes.observe(element)
      sight.observe(element)
      return () => {
        sizes.unobserve(element)
        sight.unobserve(element)
        entries.get(element)?.chart?.destroy()
        entries.delete(element)
      }
    },
    destroy() {
      isDestroyed = true
      for (const end of endings) end()
    },
  }
}
