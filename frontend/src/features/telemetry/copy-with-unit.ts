/** The selection, as a copy handler needs it. */
interface CopiedText {
  readonly text: string
  /** Unit of the number that the selection is in; null if it is in none or in several. */
  readonly unit: string | null
}

/** Copies the selection with its unit, if it is a number that has one. */
export function copyWithUnit(event: { clipboardData: DataTransfer; preventDefault(): void }) {
  const selection = document.getSelection()
  if (!selection) return
  const start = numberOf(selection.anchorNode)
  const copied = withUnit({
    text: selection.toString(),
    unit: start && start === numberOf(selection.focusNode) ? (start.dataset.unit ?? null) : null,
  })
  if (copied === null) return
  event.clipboardData.setData('text/plain', copied)
  event.preventDefault()
}

/** Returns "112 km/h" or "−10°"; null if the copy should stay unchanged. */
export function withUnit({ text, unit }: CopiedText): string | null {
  const number = text.trim()
  if (!unit || !/\d$/.test(number)) return null
  return unit === '°' ? `${number}°` : `${number} ${unit}`
}

function numberOf(node: Node | null): HTMLElement | null {
  const element = node instanceof HTMLElement ? node : node?.parentElement
  return element?.closest<HTMLElement>('[data-unit]') ?? null
}
