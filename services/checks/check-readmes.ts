import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { repositoryFiles } from './repository-files.ts'

/**
 * Checks that every file, folder and `make` command that a Markdown file names exists. Returns the
 * problems, one a line, or null.
 */
export function checkReadmes(rootDir: string): string | null {
  const commands = makeTargets(readFileSync(join(rootDir, 'Makefile'), 'utf8'))
  const files = repositoryFiles(rootDir, '*')
  const isFound = (path: string, readme: string) =>
    [dirname(readme), '.'].some(folder => existsSync(join(rootDir, folder, path))) ||
    // A README may name a file by the end of its path.
    files.some(file => file.endsWith(`/${path}`))
  const problems = files
    .filter(file => file.endsWith('.md'))
    .flatMap(readme => {
      const { paths, targets } = namesIn(readFileSync(join(rootDir, readme), 'utf8'))
      return [
        ...paths
          .filter(path => !isFound(path, readme))
          .map(path => `${readme} names ${path}, which does not exist`),
        ...targets
          .filter(name => !commands.has(name))
          .map(name => `${readme} names make ${name}, which does not exist`),
      ]
    })
  return problems.join('\n') || null
}

export function makeTargets(makefile: string): Set<string> {
  return new Set([...makefile.matchAll(/^([a-z][\w-]*):/gm)].map(match => match[1]!))
}

/** Returns the names in backticks and the targets of relative links. Skips patterns and placeholders. */
export function namesIn(markdown: string): { paths: string[]; targets: string[] } {
  const spans = [...markdown.matchAll(/`([^`\n]+)`/g)].map(match => match[1]!)
  const links = [...markdown.matchAll(/\]\(([^)\s#]+)(?:#[^)]*)?\)/g)].map(match => match[1]!)
  const isRelative = (link: string) => !/^[a-z]+:/.test(link)
  return {
    paths: [...spans.filter(span => pathLike.test(span)), ...links.filter(isRelative)],
    targets: spans.flatMap(span =>
      [...span.matchAll(/(?:^|&& |; )make ([a-z][\w-]*)/g)].map(match => match[1]!),
    ),
  }
}

/** Matches a path from the root of the repository, or the name of a source file. */
const pathLike =
  /^(?:(?:services|gateway|frontend|openapi|proto|charts|docker)\/[\w@./-]*|(?:[\w@.-]+\/)*[\w@.-]+\.(?:tsx?|ya?ml|sh|proto|md))$/
