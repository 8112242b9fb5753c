/**
 * The main screen's columns. From 1280 px: left, middle, right. From 768 px: left and middle; what a session has on the
 * right is in the left one. Below, and on a phone on its side (variant `one` of `app.css`): one column, with the laps of
 * a session or the drop area first.
 *
 * If the gauges are not in the right column, they are a strip at the lower edge of the window, which stays in view. In
 * one column, the corners are directly below the traces, because choosing a corner zooms the traces.
 * `session.css` has what only a session needs.
 */
export const columns = {
  grid: 'grid flex-1 grid-cols-[minmax(0,1fr)] gap-3 md:grid-cols-[264px_minmax(0,1fr)] md:grid-rows-[auto_1fr] lg:grid-cols-[288px_minmax(0,1fr)] xl:grid-cols-[288px_minmax(0,1fr)_272px] xl:grid-rows-[1fr] one:content-start one:grid-cols-[minmax(0,1fr)]',
  left: 'flex min-w-0 flex-col gap-3 md:row-span-2 xl:row-span-1 one:order-3',
  /** The left column of a session: in one column, its cards have places of their own. */
  leftCards: 'session-left flex min-w-0 flex-col gap-3 md:row-span-2 xl:row-span-1',
  /** Inside it: the laps and the reference. */
  laps: 'session-laps contents',
  middle: 'session-middle @container flex min-w-0 flex-col one:order-2 low:order-1',
  /** Inside the middle column: outline above traces. The traces fill what is left of the window. */
  views: 'flex flex-col gap-3 lg:min-h-[calc(100svh-76px)]',
  /** Outline and traces side by side, if both fit. */
  sideBySide:
    'session-views @min-[1150px]:grid @min-[1150px]:grid-cols-[minmax(346px,calc(45%*var(--outline-size)))_minmax(0,1fr)] @min-[1150px]:*:first:self-start',
  right:
    'session-right flex min-w-0 flex-col gap-3 md:col-start-2 xl:col-start-3 one:order-4 one:col-start-1',
  /** Inside the right column. */
  gauges: 'session-gauges flex',
} as const
