import { CardSkeleton } from './CardSkeleton.tsx'
import { columns } from './columns.ts'

/** The outline of a session while its code loads. */
export function SessionSkeleton() {
  return (
    <div className={columns.grid}>
      <div className={columns.left}>
        <CardSkeleton of="file" />
        <CardSkeleton of="laps" />
        <CardSkeleton of="leaderboard" />
      </div>
      <div className={columns.middle}>
        <div className={columns.views}>
          <CardSkeleton of="outline" />
          <CardSkeleton of="traces" />
        </div>
      </div>
      <div className={columns.right}>
        <CardSkeleton of="gauges" />
      </div>
    </div>
  )
}
