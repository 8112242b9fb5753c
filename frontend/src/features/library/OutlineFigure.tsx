import { OUTLINE_SIZE } from '@lapwing/telemetry'

/** A small outline of the track, without a meaning beyond its form. */
export function OutlineFigure({ points }: { readonly points: Int16Array }) {
  return (
    <svg
      aria-hidden="true"
      viewBox={`-50 -50 ${OUTLINE_SIZE + 100} ${OUTLINE_SIZE + 100}`}
      className="library-outline"
    >
      <path d={pathOf(points)} />
    </svg>
  )
}

function pathOf(points: Int16Array): string {
  let path = ''
  for (let i = 0; i + 1 < points.length; i += 2) path += `${i === 0 ? 'M' : 'L'}${points[i]} ${points[i + 1]}`
  return path
}
