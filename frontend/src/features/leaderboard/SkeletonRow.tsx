/**
 * The outline of a rank, a name and a time. `name` is the width of the name, `row` the classes of the row.
 */
export function SkeletonRow({ name, row }: { readonly name: string; readonly row: string }) {
  return (
    <div className={`flex items-center ${row}`}>
      <span className="h-2.5 w-4 rounded-sm bg-raised" />
      <span className={`h-2.5 rounded-sm bg-raised ${name}`} />
      <span className="ml-auto h-2.5 w-14 rounded-sm bg-raised" />
    </div>
  )
}
