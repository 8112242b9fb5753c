/** The shape of a place and four rows, so that nothing jumps when they come. */
export function CardSkeletonRows() {
  return (
    <div aria-hidden="true" className="h-[246px] motion-safe:animate-pulse">
      <div className="flex justify-between py-1.5">
        <span className="h-8 w-16 rounded-md bg-raised" />
        <span className="h-5 w-20 rounded-md bg-raised" />
      </div>
      {['w-24', 'w-16', 'w-28', 'w-20'].map(width => (
        <div key={width} className="flex h-7 items-center gap-3">
          <span className="h-2.5 w-4 rounded-sm bg-raised" />
          <span className={`h-2.5 rounded-sm bg-raised ${width}`} />
          <span className="ml-auto h-2.5 w-14 rounded-sm bg-raised" />
        </div>
      ))}
      <div className="mt-3 h-8 rounded-control bg-raised" />
    </div>
  )
}
