/**
 * The main screen's columns. From 1024 px: left, middle, right. From 768: left and
 * middle, the right one below the middle. Below: one column, track and traces first. Where the corners
 * are not beside the traces they come under them, since what is chosen there is zoomed to, and then the gauges.
 */
export const columns = {
  grid: 'grid flex-1 max-md:content-start grid-cols-[minmax(0,1fr)] gap-3 md:grid-cols-[264px_minmax(0,1fr)] md:grid-rows-[auto_1fr] lg:grid-cols-[288px_minmax(0,1fr)_272px] lg:grid-rows-[1fr]',
  left: 'flex min-w-0 flex-col gap-3 max-md:order-2 md:row-span-2 lg:row-span-1',
  // Scrolled to, it must not lie under the header.
  middle: '@container flex min-w-0 scroll-mt-24 flex-col max-md:order-1',
  /** In the middle one: outline above traces, beside them if both have room. */
  views:
    'flex flex-col gap-3 @min-[1150px]:grid @min-[1150px]:grid-cols-[minmax(0,9fr)_minmax(0,11fr)] @min-[1150px]:items-start',
  right: 'flex min-w-0 flex-col gap-3 max-md:contents max-md:*:order-3 max-md:*:min-w-0',
  /** In the right one. */
  corners: 'max-lg:order-first max-md:order-1!',
} as const
