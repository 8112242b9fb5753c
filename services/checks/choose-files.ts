/** Returns the files whose path contains one of the names. Returns all files if there is no name. */
export function chooseFiles(files: readonly string[], names: readonly string[]): string[] {
  if (names.length === 0) return [...files]
  const wanted = names.map(name => name.replace(/^\.\//, ''))
  return files.filter(file => wanted.some(name => file.includes(name)))
}
