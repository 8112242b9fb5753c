import { useState } from 'react'
import useSWR from 'swr'
import type { SignedInDeps } from '#shared/api/api-client.ts'
import { formatDay } from '#shared/laps/lap-facts.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Card } from '#shared/ui/Card.tsx'
import { momentOf } from './lap-moment.ts'
import { createMyLapsApi, type MyLap } from './my-laps-api.ts'

interface RecentLapsProps {
  readonly signedIn: SignedInDeps
  readonly userId: string
  readonly onOpen: (lap: MyLap) => Promise<boolean>
  readonly onYourLaps: () => void
}

const COUNT = 5

/** The driver's last saved laps on the start page; nothing if there are none or they could not be loaded. */
export function RecentLaps({ signedIn, userId, onOpen, onYourLaps }: RecentLapsProps) {
  const [api] = useState(() => createMyLapsApi(signedIn))
  const { data: laps } = useSWR(['recent-laps', userId], () => api.recent(COUNT))
  if (!laps || laps.length === 0) return null
  return (
    <Card title="Your saved laps">
      <ul aria-label="Saved last" className="-mx-1 mt-1">
        {laps.map(lap => (
          <li key={lap.lap_id}>
            <button
              type="button"
              onClick={() => void onOpen(lap)}
              className="grid w-full cursor-pointer grid-cols-[auto_minmax(0,1fr)] items-baseline gap-x-2.5 rounded-md px-1.5 py-1.5 text-left -outline-offset-2 hover:bg-raised pointer-coarse:min-h-11"
            >
              <span className="font-semibold tabular-nums">{lap.time_fmt}</span>
              <span className="min-w-0">
                <span className="block truncate">{lap.combination.track_label}</span>
                <span className="block truncate text-xs text-muted">
                  {lap.combination.car_label} · {formatDay(momentOf(lap))}
                </span>
              </span>
              <span className="sr-only">Open</span>
            </button>
          </li>
        ))}
      </ul>
      <Button variant="ghost" onClick={onYourLaps} className="mt-1 w-full">
        All your saved laps
      </Button>
    </Card>
  )
}
