import { ArrowDown, ArrowUp } from 'lucide-react'
import type { Order } from './lap-rows.ts'

interface SortHeadProps<Column> {
  readonly by: Column
  readonly label: string
  readonly unit?: string
  readonly order: Order<Column>
  readonly onOrder: (by: Column) => void
}

/** The head of a column; a press sorts by it. */
export function SortHead<Column>({ by, label, unit, order, onOrder }: SortHeadProps<Column>) {
  const isSorted = order.by === by
  const Arrow = order.isDescending ? ArrowDown : ArrowUp
  return (
    <th scope="col" aria-sort={isSorted ? (order.isDescending ? 'descending' : 'ascending') : undefined}>
      <button type="button" onClick={() => onOrder(by)} className="study-sort">
        {isSorted && <Arrow size={10} aria-hidden />}
        {label}
        {unit && <span className="study-unit">{unit}</span>}
      </button>
    </th>
  )
}
