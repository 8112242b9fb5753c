/** The outline of a rank, a name and a time. `name` is the name's width, `row` the row's classes. */
export function SkeletonRow({ name, row }: { readonly name: string; readonly row: string }) {
  return (
    <div className={`flex items-center ${row}`}>
      <span className="h-2.5 w-4 rounded-sm bg-raised" />
      <span className={`h-2.5 rounded-sm bg-raised ${name}`} />
      <span className="ml-auto h-2.5 w-14 rounded-sm bg-raised" />
    </div>
  )
}
