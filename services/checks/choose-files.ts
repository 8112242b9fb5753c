/** The files that any of the arguments names, be it the path, a folder or a part of either; all without an argument. */
export function chooseFiles(files: readonly string[], names: readonly string[]): string[] {
  if (names.length === 0) return [...files]
  const wanted = names.map(name => name.replace(/^\.\//, ''))
  return files.filter(file => wanted.some(name => file.includes(name)))
}
