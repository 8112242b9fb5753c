import { LoaderCircle } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { SignedInDeps } from '#shared/api/api-client.ts'
import { useStore } from '#shared/store/use-store.ts'
import { Button } from '#shared/ui/Button.tsx'
import { Dialog } from '#shared/ui/Dialog.tsx'
import { Notice } from '#shared/ui/Notice.tsx'
import { useKeptFocus } from '#shared/ui/use-kept-focus.ts'
import { DELETE_LABEL, MyLapRow } from './MyLapRow.tsx'
import { createMyLapsApi, type MyLap } from './my-laps-api.ts'
import { createMyLapsStore, type MyLapsDeps } from './my-laps-store.ts'

interface MyLapsProps extends Omit<MyLapsDeps, 'api'> {
  readonly signedIn: SignedInDeps
}

interface MyLapsDialogProps extends MyLapsProps {
  readonly open: boolean
  readonly onOpenChange: (open: boolean) => void
}

/** All saved laps of the driver, with their verdicts. */
export function MyLapsDialog({ open, onOpenChange, ...props }: MyLapsDialogProps) {
  return (
    <Dialog open={open} onOpenChange={onOpenChange} title="Your laps" width="w-[680px]" focusDialog fromTop>
      <MyLaps {...props} />
    </Dialog>
  )
}

/** Starts fresh with each opening: every file brings new laps. */
function MyLaps({ signedIn, ...deps }: MyLapsProps) {
  const [store] = useState(() => createMyLapsStore({ api: createMyLapsApi(signedIn), ...deps }))
  const { laps, hasMore, isLoading, problem, busy } = useStore(store)
  useEffect(() => void store.load(), [store])
  const isFirst = laps.length === 0 && isLoading
  const part = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const removedAt = useRef(0)
  // The focus moves to the lap that takes the place of a deleted one.
  useKeptFocus(part, () => {
    const rows = list.current?.children ?? []
    const row = rows[Math.min(removedAt.current, rows.length - 1)]
    return row?.querySelector<HTMLElement>(`[aria-label="${DELETE_LABEL}"]`) ?? null
  })
  const remove = (lap: MyLap) => {
    removedAt.current = laps.indexOf(lap)
    void store.remove(lap)
  }

  return (
    <div ref={part} tabIndex={-1} className="min-h-72 px-5 pt-2 pb-5 outline-none" aria-busy={isLoading}>
      <p className="text-muted">
        What the server made of the sessions you saved, newest first. Others can compare with a lap that is on
        a leaderboard while “Reference” is on.
      </p>
      {isFirst && <Skeleton />}
      {!isLoading && problem === null && laps.length === 0 && (
        <p role="status" className="py-14 text-center text-muted">
          No laps are saved yet. Load a session while you are signed in, and its laps appear here.
        </p>
      )}
      <ul ref={list} aria-label="Your laps" className="mt-1">
        {laps.map((lap, index) => (
          <MyLapRow
            key={lap.lap_id}
            lap={lap}
            isBusy={busy.has(lap.lap_id)}
            isFar={index >= 20}
            onReferenceAllowed={isAllowed => void store.setReferenceAllowed(lap, isAllowed)}
            onRemove={() => remove(lap)}
          />
        ))}
      </ul>
      {problem && (
        <div className="mt-3">
          <Notice message={problem} />
        </div>
      )}
      {hasMore && !isFirst && (laps.length > 0 || problem !== null) && (
        <Button isBlocked={isLoading} onClick={() => void store.load()} className="mt-3 w-full">
          {isLoading && <LoaderCircle size={14} aria-hidden className="motion-safe:animate-spin" />}
          {problem === null ? 'Load more' : 'Try again'}
        </Button>
      )}
    </div>
  )
}

function Skeleton() {
  return (
    <div aria-hidden="true" className="mt-1 motion-safe:animate-pulse">
      {Array.from({ length: 5 }, (_, index) => (
        <div key={index} className="flex h-16 items-center gap-4 border-b border-line">
          <span className="h-5 w-20 rounded-md bg-raised" />
          <span className="h-3 w-52 rounded-sm bg-raised" />
        </div>
      ))}
    </div>
  )
}
