import { CardSkeleton } from './CardSkeleton.tsx'
import { columns } from './columns.ts'
import { Views } from './Views.tsx'

/** The outline of a session while its code loads. */
export function SessionSkeleton() {
  return (
    <div className={columns.grid}>
      <div className={columns.leftCards}>
        <CardSkeleton of="file" />
        <div className={columns.laps}>
          <CardSkeleton of="laps" />
        </div>
        <CardSkeleton of="leaderboard" />
      </div>
      <div className={columns.middle}>
        <Views>
          <CardSkeleton of="outline" />
          <CardSkeleton of="traces" />
        </Views>
      </div>
      <div className={columns.right}>
        <CardSkeleton of="gauges" />
      </div>
    </div>
  )
}
