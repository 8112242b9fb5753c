/** Copies the selection with its unit, if it is a number that has one. */
export function copyWithUnit(event: { clipboardData: DataTransfer; preventDefault(): void }) {
  const selection = document.getSelection()
  if (!selection) return
  const start = numberOf(selection.anchorNode)
  const isOneNumber = start !== null && start === numberOf(selection.focusNode)
  const copied = withUnit({ text: `${selection}`, unit: isOneNumber ? start.dataset.unit : null })
  if (copied === null) return
  event.clipboardData.setData('text/plain', copied)
  event.preventDefault()
}

/** Returns "112 km/h" or "−10°"; null if the copy should stay unchanged. */
export function withUnit({ text, unit }: { text: string; unit: string | null | undefined }): string | null {
  const number = text.trim()
  if (!unit || !/\d$/.test(number)) return null
  return unit === '°' ? `${number}°` : `${number} ${unit}`
}

function numberOf(node: Node | null): HTMLElement | null {
  const element = node instanceof HTMLElement ? node : node?.parentElement
  return element?.closest<HTMLElement>('[data-unit]') ?? null
}
