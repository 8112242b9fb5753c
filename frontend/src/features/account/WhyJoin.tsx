import { clsx } from 'clsx'
import { useEffect, useState } from 'react'
import { useStore } from '#shared/store/use-store.ts'
import { after } from '#shared/time/timers.ts'
import { createRotation } from './rotation.ts'

const reasons = [
  { title: 'Compare every lap', text: 'Lap time, racing line and performance, side by side.' },
  { title: 'Worldwide leaderboards', text: 'Track your progress against every driver.' },
  { title: 'Unlimited uploads', text: 'As many .ibt files as you drive, for insight from your own data.' },
] as const

/** The benefits of an account, beside the form or below it on narrow screens. */
export function WhyJoin() {
  const [rotation] = useState(() => createRotation(reasons.length, after))
  const shown = useStore(rotation)
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    const still = matchMedia('(prefers-reduced-motion: reduce)')
    const apply = () => rotation.run(!isHeld && !still.matches)
    apply()
    still.addEventListener('change', apply)
    return () => {
      still.removeEventListener('change', apply)
      rotation.run(false)
    }
  }, [rotation, isHeld])

  return (
    <aside
      aria-label="Why join"
      className="flex flex-col border-t border-line bg-bg/60 p-5 md:p-7 lg:border-t-0 lg:border-l"
      // A card must not move while the driver reads it or is about to press it.
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      {/* Leaves room for the close button of the dialog. */}
      <h2 className="text-base leading-8 font-semibold lg:mr-10">Why Join Lapwing?</h2>
      <p className="mt-3 rounded-control border border-warning/60 bg-warning/10 px-3 py-2 text-xs">
        <strong className="font-semibold">Limited Time</strong> — the first 500 waitlist members get all 3
        tiers for the price of the first tier for 1 year.
      </p>
      <ul className="mt-3 grid lg:block lg:space-y-2.5">
        {reasons.map(({ title, text }, index) => (
          <li
            key={title}
            // On narrow screens one card is visible at a time; all have the size of the largest.
            className={clsx('col-start-1 row-start-1', index !== shown && 'max-lg:invisible')}
          >
            <button
              type="button"
              aria-pressed={index === shown}
              onClick={() => rotation.pick(index)}
              className={clsx(
                'h-full w-full cursor-pointer rounded-control border px-4 py-3 text-left transition-colors duration-150',
                index === shown ? 'border-accent bg-card' : 'border-line bg-card/50 hover:border-muted/60',
              )}
            >
              <span className="block font-semibold">{title}</span>
              <span className="mt-0.5 block text-muted">{text}</span>
            </button>
          </li>
        ))}
      </ul>
      <div className="mt-3 flex justify-center lg:mt-auto lg:pt-4">
        {reasons.map(({ title }, index) => (
          <button
            key={title}
            type="button"
            aria-label={`Show “${title}”`}
            aria-pressed={index === shown}
            onClick={() => rotation.pick(index)}
            className="grid size-6 cursor-pointer place-items-center rounded-full pointer-coarse:size-11"
          >
            <span
              className={clsx(
                'h-1.5 rounded-full transition-all duration-150',
                index === shown ? 'w-4 bg-accent' : 'w-1.5 bg-muted/60',
              )}
            />
          </button>
        ))}
      </div>
    </aside>
  )
}
