import { CIRCUIT_PATH, circuitParts } from './circuit-path.ts'

/** A picture of a lap: the track, the line, and the pedals. Decoration only. */
export function CircuitFigure({ className }: { readonly className?: string }) {
  return (
    <svg viewBox="22 40 554 334" aria-hidden="true" className={className} fill="none" strokeLinecap="butt">
      <path d={CIRCUIT_PATH} className="stroke-raised" strokeWidth="26" strokeLinejoin="round" />
      <path
        d={CIRCUIT_PATH}
        pathLength={1}
        className="draw-in stroke-muted"
        strokeWidth="3"
        strokeDasharray="1"
      />
      <g className="fade-in">
        {circuitParts.map(({ from, to, pedal }) => (
          <path
            key={from}
            d={CIRCUIT_PATH}
            pathLength={1}
            className={pedal === 'throttle' ? 'stroke-throttle' : 'stroke-brake'}
            strokeWidth="3"
            strokeDasharray={`${to - from} ${1 - (to - from)}`}
            strokeDashoffset={-from}
          />
        ))}
        <path d="M150 337 V367" className="stroke-text" strokeWidth="3" />
      </g>
    </svg>
  )
}
