import { FileUp } from 'lucide-react'

/** Highlights the whole window while another file is dragged over a loaded session. */
export function DropHint() {
  return (
    <div className="layer-in pointer-events-none fixed inset-2 z-50 grid place-items-center rounded-card border-2 border-dashed border-accent bg-scrim">
      <p className="flex items-center gap-2 rounded-card border border-line bg-card px-5 py-3 text-base font-semibold">
        <FileUp size={20} className="text-accent" aria-hidden />
        Let go to read this file instead
      </p>
    </div>
  )
}
