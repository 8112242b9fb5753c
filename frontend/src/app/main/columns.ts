/**
 * The main screen's columns. From 1280 px: left, middle, right. From 768 px: left and middle, with the right one below the
 * middle. Below, and on a phone on its side (variant `one` of `app.css`): one column, with the laps first.
 *
 * If the gauges are not in the right column, they are a strip at the lower edge of the window, which stays in view. If
 * the corners are not beside the traces, they are directly below them, because choosing a corner zooms the traces.
 */
export const columns = {
  grid: 'grid flex-1 grid-cols-[minmax(0,1fr)] gap-3 one:content-start two:grid-cols-[264px_minmax(0,1fr)] two:grid-rows-[auto_1fr] lg:grid-cols-[288px_minmax(0,1fr)] lg:grid-rows-[auto_1fr] xl:grid-cols-[288px_minmax(0,1fr)_272px] xl:grid-rows-[1fr]',
  left: 'flex min-w-0 flex-col gap-3 one:order-2 two:row-span-2 lg:row-span-2 xl:row-span-1',
  /** The left column of a session: in one column, its cards have places of their own. */
  leftCards:
    'flex min-w-0 flex-col gap-3 one:contents one:*:order-4 one:*:min-w-0 two:row-span-2 lg:row-span-2 xl:row-span-1',
  /** Inside it: the laps and the reference. */
  laps: 'contents one:*:order-1 low:*:order-3',
  // The header must not cover it after a scroll.
  middle: '@container flex min-w-0 scroll-mt-24 flex-col one:order-2 low:order-1',
  /** Inside the middle column: outline above traces. The traces fill what is left of the window. */
  views: 'flex flex-col gap-3 lg:min-h-[calc(100svh-76px)]',
  /** Outline and traces side by side, if both fit. */
  sideBySide:
    '@min-[1150px]:grid @min-[1150px]:grid-cols-[minmax(346px,calc(45%*var(--outline-size)))_minmax(0,1fr)] @min-[1150px]:*:first:self-start low:grid low:grid-cols-2 low:*:first:self-start',
  right:
    'flex min-w-0 flex-col gap-3 one:contents one:*:order-3 one:*:min-w-0 two:col-start-2 lg:col-start-2 xl:col-start-3 xl:sticky xl:top-16 xl:max-h-[calc(100svh-76px-var(--toast-lane,0px))] xl:self-start xl:overflow-y-auto',
  /** Inside the right column. */
  gauges:
    'flex max-xl:fixed max-xl:inset-x-0 max-xl:bottom-(--toast-lane,0px) max-xl:z-20 max-xl:divide-x max-xl:divide-line max-xl:border-line max-xl:border-t max-xl:bg-card max-md:flex-col xl:flex-col xl:gap-3',
} as const
