import { columns } from './columns.ts'

const card = 'rounded-card border border-line bg-card'

/** The shape of a session while the code that draws it is on its way. */
export function SessionSkeleton() {
  return (
    <div className={columns.grid} aria-hidden="true">
      <div className={columns.left}>
        <div className={`${card} h-16`} />
        <div className={`${card} h-64`} />
        <div className={`${card} h-40`} />
      </div>
      <div className={columns.middle}>
        <div className={`${card} h-[480px]`} />
        <div className={`${card} h-[370px]`} />
      </div>
      <div className={columns.right}>
        <div className={`${card} h-[195px]`} />
      </div>
    </div>
  )
}
