import { useState } from 'react'
import type { FallbackProps } from 'react-error-boundary'
import { Button } from '#shared/ui/Button.tsx'
import { LapwingMark } from '#shared/ui/LapwingMark.tsx'
import { NOT_RELOADED, useSafeLeave } from '#shared/ui/use-safe-leave.ts'
import { usePageDeps } from './page-deps.ts'

/**
 * Replaces a page that could not be shown: says what happened and what the driver can do. The error itself is
 * on the console, where React has logged it; its text means nothing to a driver.
 */
export function Broken({ error }: FallbackProps) {
  const { upload } = usePageDeps()
  const [isChunk] = useState(() => isMissingCode(error))
  const { isAway, isAsking, leave } = useSafeLeave()
  return (
    <main className="grid min-h-dvh place-items-center p-4">
      <div role="alert" className="max-w-md rounded-card border border-line bg-card p-6">
        <LapwingMark size={32} />
        <h1 className="mt-4 text-lg font-semibold">
          {isChunk ? 'Part of the page could not be loaded.' : 'Something on this page broke.'}
        </h1>
        <p className="mt-1.5 text-muted">
          {isAway
            ? NOT_RELOADED
            : isChunk
              ? 'Lapwing was updated while this tab was open, or the network is away. Reload the page to go on.'
              : 'It is our mistake, not your file. Nothing of yours was lost: files stay where they are. Reload the page to go on.'}
        </p>
        <div className="mt-5 flex gap-2">
          <Button variant="primary" isBlocked={isAsking} onClick={() => void leave(() => location.reload())}>
            Reload
          </Button>
          <Button
            isBlocked={isAsking}
            onClick={() =>
              void leave(() => {
                // The reload would open the file again, which may be the cause. Missing code is not the file's
                // fault.
                if (!isChunk) upload.close()
                location.assign('/')
              })
            }
          >
            Start over
          </Button>
        </div>
      </div>
    </main>
  )
}

/** Returns whether a code file is gone or unreachable. Each browser words this in its own way. */
function isMissingCode(error: unknown): boolean {
  return (
    error instanceof TypeError && /dynamically imported module|importing a module script/i.test(error.message)
  )
}
