import { DISTANCE_HEIGHT, type TraceChannel } from './trace-channels.ts'

interface ChannelRowProps {
  readonly channel: TraceChannel
  /** Name of the reference, if there is one; its value is shown, too. */
  readonly reference: string | null
  /** The lowest row shows the distance axis. */
  readonly isLast: boolean
}

const CHIP =
  'block min-h-[1lh] text-right font-semibold text-sm leading-snug tabular-nums data-[quiet=true]:font-medium'

/** Label, values and plot of one chart. The coordinator finds their elements and writes into them. */
export function ChannelRow({ channel, reference, isLast }: ChannelRowProps) {
  const isDelta = channel.series === 'delta'
  return (
    <div
      data-series={channel.series}
      className="grid grid-cols-[1fr_54px] grid-rows-[auto_1fr] border-line border-t @sm:grid-cols-[80px_1fr_58px] @sm:grid-rows-1"
      // The rows share what is left of the card's height.
      style={{ flexGrow: channel.height }}
    >
      <p className="col-span-2 flex items-baseline gap-1.5 pt-1 @sm:col-span-1 @sm:pt-1.5">
        <span className="font-semibold">{channel.label}</span>
        <span className="text-muted text-xs">{channel.unit}</span>
      </p>
      <div
        data-part="plot"
        aria-hidden="true"
        // The chart is out of the flow: it follows the size of the row, and never sets it. It stretches until it is drawn.
        className="relative min-w-0 overflow-hidden [&_.u-wrap]:absolute! [&_.u-wrap]:size-full!"
        style={{ minHeight: channel.height + (isLast ? DISTANCE_HEIGHT : 0) }}
      />
      <div className="self-start pt-1">
        <output
          data-part="chip"
          data-unit={channel.unit}
          aria-live="off"
          aria-label={channel.label}
          className={`${CHIP} text-lap data-[quiet=true]:text-muted data-[sign=gain]:text-gain data-[sign=loss]:text-loss`}
        />
        {reference !== null && !isDelta && (
          <output
            data-part="reference-chip"
            data-unit={channel.unit}
            aria-live="off"
            aria-label={`${channel.label}, ${reference}`}
            className={`${CHIP} text-reference`}
          />
        )}
      </div>
    </div>
  )
}
