import './search-field.css'
import { Search } from 'lucide-react'
import type { ComponentProps } from 'react'

/** A field to search in a list. Needs an `aria-label`. */
export function SearchField(input: ComponentProps<'input'>) {
  return (
    <label className="search-field">
      <Search size={14} aria-hidden className="shrink-0 text-muted" />
      <input type="search" {...input} />
    </label>
  )
}
