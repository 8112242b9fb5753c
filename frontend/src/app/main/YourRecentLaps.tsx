import { RecentLaps } from '#features/my-laps/RecentLaps.tsx'
import { usePageDeps } from '../page-deps.ts'
import { useOpenLap } from './use-open-lap.ts'

interface YourRecentLapsProps {
  readonly userId: string
  readonly onYourLaps: () => void
}

/** The driver's last saved laps, each of which opens. */
export function YourRecentLaps(props: YourRecentLapsProps) {
  const { signedIn } = usePageDeps()
  const openLap = useOpenLap()
  return <RecentLaps {...props} signedIn={signedIn} onOpen={openLap} />
}
