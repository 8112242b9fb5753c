/** Saves a text as a file, like a link that the driver pressed. */
export function saveTextFile(name: string, text: string, type = 'text/plain'): void {
  const link = document.createElement('a')
  link.download = name
  link.href = URL.createObjectURL(new Blob([text], { type }))
  link.click()
  URL.revokeObjectURL(link.href)
}
