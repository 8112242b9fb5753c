/**
 * The main screen's columns. From 1024 px: left, middle, right. From 768 px: left and middle, with the right
 * one below the middle. Below: one column, with track and traces first.
 *
 * If the corners are not beside the traces, they are directly below them, because choosing a corner zooms the
 * traces. The gauges follow.
 */
export const columns = {
  grid: 'grid flex-1 max-md:content-start grid-cols-[minmax(0,1fr)] gap-3 md:grid-cols-[264px_minmax(0,1fr)] md:grid-rows-[auto_1fr] lg:grid-cols-[288px_minmax(0,1fr)_272px] lg:grid-rows-[1fr]',
  left: 'flex min-w-0 flex-col gap-3 max-md:order-2 md:row-span-2 lg:row-span-1',
  // The header must not cover it after a scroll.
  middle: '@container flex min-w-0 scroll-mt-24 flex-col max-md:order-1',
  /** Inside the middle column: outline above traces, or beside them if both fit. */
  views:
    'flex flex-col gap-3 @min-[1150px]:grid @min-[1150px]:grid-cols-[minmax(0,9fr)_minmax(0,11fr)] @min-[1150px]:items-start',
  right: 'flex min-w-0 flex-col gap-3 max-md:contents max-md:*:order-3 max-md:*:min-w-0',
  /** Inside the right column. */
  corners: 'max-lg:order-first max-md:order-1!',
} as const
