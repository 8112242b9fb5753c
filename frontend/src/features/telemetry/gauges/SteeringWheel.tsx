import { clsx } from 'clsx'
import type { LapRole } from '../lap-series.ts'

/** A steering wheel that the gauge writer turns. The mark at the top has the lap's colour. */
export function SteeringWheel({ role }: { readonly role: LapRole }) {
  return (
    <svg data-gauge="wheel" aria-hidden="true" viewBox="0 0 64 64" className="size-15 text-muted">
      <g fill="none" stroke="currentColor">
        <circle cx="32" cy="32" r="27.5" strokeWidth="5.5" />
        <path d="M6 30 H58 M32 32 V58" strokeWidth="5" />
      </g>
      <circle cx="32" cy="31" r="6.5" fill="currentColor" />
      <path
        d="M27.2 4.9 A27.5 27.5 0 0 1 36.8 4.9"
        fill="none"
        strokeWidth="5.5"
        className={clsx(role === 'lap' ? 'stroke-accent' : 'stroke-reference')}
      />
    </svg>
  )
}
