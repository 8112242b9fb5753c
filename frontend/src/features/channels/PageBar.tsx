import { BookOpen, Plus } from 'lucide-react'
import { Popover } from 'radix-ui'
import { useRef, useState } from 'react'
import { saveTextFile } from '#shared/files/save-text-file.ts'
import { Button } from '#shared/ui/Button.tsx'
import { MenuPanel } from '#shared/ui/MenuPanel.tsx'
import { NativeSelect } from '#shared/ui/NativeSelect.tsx'
import { TextField } from '#shared/ui/TextField.tsx'
import {
  type ChartPage,
  formatPages,
  freeName,
  MAX_NAME,
  MAX_PAGES,
  pageName,
  parsePages,
} from './chart-pages.ts'

interface PageBarProps {
  readonly pages: readonly ChartPage[]
  readonly shown: number
  /** Whether these are the pages that a driver starts with. */
  readonly isDefault: boolean
  readonly onShow: (at: number) => void
  /** Stores the pages, and shows the one at `at`. */
  readonly onChange: (pages: readonly ChartPage[], at: number) => void
  readonly onReset: () => void
  /** Adds a chart to the page; null if it is full. */
  readonly onAdd: (() => void) | null
}

/** The choice of the page, and the menu with which pages are made, named, saved as a file and read from one. */
export function PageBar({ pages, shown, isDefault, onShow, onChange, onReset, onAdd }: PageBarProps) {
  const [isOpen, setOpen] = useState(false)
  /** What the last action did, or why it did nothing. */
  const [note, setNote] = useState('')
  const file = useRef<HTMLInputElement>(null)
  const isFull = pages.length >= MAX_PAGES

  async function read(chosen: File) {
    const found = chosen.size <= MOST_FILE_BYTES ? parsePages(await chosen.text().catch(() => '')) : null
    if (!found) return setNote('This file has no chart pages of Lapwing.')
    if (pages.length + found.length > MAX_PAGES) {
      return setNote(`There can be ${MAX_PAGES} pages. Delete some, then import the file again.`)
    }
    const all = [...pages]
    for (const page of found) all.push({ ...page, name: freeName(all, page.name) })
    onChange(all, pages.length)
    setNote(found.length === 1 ? 'Imported 1 page.' : `Imported ${found.length} pages.`)
  }

  return (
    <div className="channels-bar">
      <NativeSelect
        label="Page"
        value={String(shown)}
        onValueChange={value => onShow(Number(value))}
        options={pages.map(({ name }, at) => ({ value: String(at), label: name }))}
      />
      <Popover.Root
        open={isOpen}
        onOpenChange={open => {
          setOpen(open)
          setNote('')
        }}
      >
        <Popover.Trigger asChild>
          <Button>
            <BookOpen size={14} aria-hidden />
            Pages
          </Button>
        </Popover.Trigger>
        <MenuPanel label="Pages" className="channels-pages">
          <Button
            size="wide"
            isBlocked={isFull}
            onClick={() =>
              onChange([...pages, { name: freeName(pages, 'New page'), charts: [] }], pages.length)
            }
          >
            New page
          </Button>
          <Delete
            key={`delete ${pages[shown]!.name}`}
            isBlocked={pages.length === 1}
            onDelete={() => onChange(pages.toSpliced(shown, 1), Math.max(0, shown - 1))}
          />
          <Button
            size="wide"
            onClick={() =>
              saveTextFile('lapwing-chart-pages.json', `${formatPages(pages, 2)}\n`, 'application/json')
            }
          >
            Export all pages
          </Button>
          <Button size="wide" onClick={() => file.current!.click()}>
            Import pages
          </Button>
          <Button size="wide" isBlocked={isDefault} onClick={onReset}>
            Back to the first pages
          </Button>
          <Rename
            // So that the field starts with the name of each page.
            key={pages[shown]!.name}
            pages={pages}
            shown={shown}
            onRename={name => onChange(pages.with(shown, { ...pages[shown]!, name }), shown)}
          />
          <p role="status" className="text-muted text-xs">
            {note}
          </p>
        </MenuPanel>
      </Popover.Root>
      <Button variant="primary" isBlocked={onAdd === null} onClick={onAdd ?? undefined}>
        <Plus size={14} aria-hidden />
        Add a chart
      </Button>
      <input
        ref={file}
        type="file"
        accept=".json,application/json"
        aria-label="File of chart pages"
        hidden
        onChange={event => {
          const [chosen] = event.target.files ?? []
          // So that the same file can be chosen again.
          event.target.value = ''
          if (chosen) void read(chosen)
        }}
      />
    </div>
  )
}

/** All pages that there can be take a fraction of it. */
const MOST_FILE_BYTES = 1024 * 1024

interface RenameProps {
  readonly pages: readonly ChartPage[]
  readonly shown: number
  readonly onRename: (name: string) => void
}

function Rename({ pages, shown, onRename }: RenameProps) {
  const { name } = pages[shown]!
  const [text, setText] = useState(name)
  const next = pageName(pages, shown, text)
  return (
    <form
      onSubmit={event => {
        event.preventDefault()
        if (next !== null && next !== name) onRename(next)
      }}
    >
      <TextField
        label="Name of the page"
        value={text}
        maxLength={MAX_NAME}
        autoComplete="off"
        onChange={event => setText(event.target.value)}
        problem={
          next === null ? (text.trim() === '' ? 'A page needs a name.' : 'Another page has this name.') : null
        }
      />
      <Button
        type="submit"
        size="wide"
        isBlocked={next === null || next === name}
        className="channels-rename"
      >
        Rename
      </Button>
    </form>
  )
}

/** Deletes with the second press, because nothing brings a page back. */
function Delete({ isBlocked, onDelete }: { readonly isBlocked: boolean; readonly onDelete: () => void }) {
  const [isSure, setSure] = useState(false)
  return (
    <Button
      size="wide"
      variant={isSure ? 'danger' : 'secondary'}
      isBlocked={isBlocked}
      onClick={() => (isSure ? onDelete() : setSure(true))}
      onBlur={() => setSure(false)}
    >
      {isSure ? 'Press again to delete it' : 'Delete the page'}
    </Button>
  )
}
