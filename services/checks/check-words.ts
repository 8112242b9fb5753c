/**
 * Reports hard sentences in comments, test names and READMEs: those with over 30 words and those with a turn
 * of phrase from `banned-turns.ts`. As a command its arguments are folders, all of them without one:
 * `node services/checks/check-words.ts services/upload`.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BANNED_TURNS } from './banned-turns.ts'
import { repositoryFiles } from './repository-files.ts'

/** Words of a sentence; the aim is 20. */
const MAX_WORDS = 30

/** Returns a line for each problem, or null if there is none. `folders` limits the files. */
export function checkWords(rootDir: string, folders: readonly string[] = []): string | null {
  const problems = repositoryFiles(rootDir, '*')
    .filter(file => folders.length === 0 || folders.some(folder => file.startsWith(folder)))
    .flatMap(file => {
      const find = finderOf(file)
      if (find === null) return []
      return find(readFileSync(join(rootDir, file), 'utf8')).flatMap(text =>
        problemsOf(text).map(problem => `${file}:${text.line}: ${problem}`),
      )
    })
  return problems.join('\n') || null
}

/** A text for people: a comment, a paragraph or the name of a test. */
export interface Prose {
  /** Line of the file, from 1. */
  readonly line: number
  readonly text: string
}

export function problemsOf({ text }: Prose): readonly string[] {
  const plain = text.replace(/`[^`]*`/g, 'code').replace(/\]\([^)]*\)/g, ']')
  return sentencesOf(plain).flatMap(sentence => {
    const words = sentence.split(/\s+/).filter(word => /\w/.test(word)).length
    const long = words > MAX_WORDS ? [`${words} words in one sentence: "${start(sentence)}"`] : []
    const turns = BANNED_TURNS.flatMap(({ pattern, better }) => {
      const match = pattern.exec(sentence)
      return match === null ? [] : [`"${match[0]}" in "${start(sentence)}"; better: ${better}`]
    })
    return [...long, ...turns]
  })
}

const start = (sentence: string) => (sentence.length > 70 ? `${sentence.slice(0, 70)}…` : sentence)

/** Splits a text into sentences. The full stop of an abbreviation ends none. */
const sentencesOf = (text: string) =>
  text.split(/(?<!\b(?:e\.g|i\.e|etc|vs|cf|No))[.!?]["')\]]*(?:\s+|$)/).filter(sentence => sentence !== '')

function finderOf(file: string): ((source: string) => readonly Prose[]) | null {
  if (/(?:^|\/)gen\//.test(file) || file.endsWith('CHANGELOG.md')) return null
  if (/\.test\.tsx?$/.test(file)) return source => [...commentsOf(source), ...testNamesOf(source)]
  if (/\.tsx?$/.test(file)) return commentsOf
  if (/\.md$/.test(file)) return paragraphsOf
  if (/\.(?:ya?ml|sh)$|(?:^|\/)(?:Makefile|Dockerfile)$/.test(file)) return hashCommentsOf
  return null
}

export function testNamesOf(source: string): readonly Prose[] {
  return [...source.matchAll(/^\s*(?:test|describe|it)(?:\.\w+)?\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/gm)].map(
    match => ({
      line: lineAt(source, match.index + match[0].lastIndexOf(match[1]! + match[2]!)),
      text: match[2]!.replace(/\$\{[^}]*\}/g, 'code'),
    }),
  )
}

/** Returns the comments that begin a line, also in JSX. Joins neighbouring `//` lines. */
export function commentsOf(source: string): readonly Prose[] {
  const blocks = [...source.matchAll(/^[ \t]*\{?\/\*+([\s\S]*?)\*\//gm)].map(match => ({
    line: lineAt(source, match.index),
    text: match[1]!.replace(/^[ \t]*\*[ \t]?/gm, ''),
  }))
  const lines = [...source.matchAll(/(?:^[ \t]*\/\/.*\n?)+/gm)].map(match => ({
    line: lineAt(source, match.index),
    text: match[0].replace(/^[ \t]*\/\/+[ \t]?/gm, ''),
  }))
  return [...blocks, ...lines].flatMap(({ line, text }) => paragraphsOf(text, line))
}

function hashCommentsOf(source: string): readonly Prose[] {
  return [...source.matchAll(/(?:^[ \t]*#.*\n?)+/gm)].flatMap(match =>
    paragraphsOf(match[0].replace(/^[ \t]*#+[ \t]?(?:--)?/gm, ''), lineAt(source, match.index)),
  )
}

/** Returns the paragraphs, list items and table cells. Skips code. */
export function paragraphsOf(markdown: string, firstLine = 1): readonly Prose[] {
  const found: Prose[] = []
  let open: { line: number; lines: string[] } | null = null
  let isCode = false
  const close = () => {
    if (open !== null) found.push({ line: open.line, text: open.lines.join(' ') })
    open = null
  }
  for (const [index, raw] of markdown.split('\n').entries()) {
    const line = raw.trim()
    if (line.startsWith('```')) isCode = !isCode
    const isIndentedCode = open === null && raw.startsWith('    ') && !/^[-*\d]/.test(line)
    if (isCode || line === '' || line.startsWith('```') || line.startsWith('#') || isIndentedCode) close()
    else if (line.startsWith('|')) {
      close()
      for (const cell of line.split(/(?<!\\)\|/)) found.push({ line: firstLine + index, text: cell.trim() })
    } else {
      if (/^(?:[-*]|\d+\.|@\w+) /.test(line)) close()
      open ??= { line: firstLine + index, lines: [] }
      open.lines.push(line.replace(/^(?:[-*]|\d+\.) /, ''))
    }
  }
  close()
  return found.filter(({ text }) => text !== '')
}

const lineAt = (source: string, index: number) => source.slice(0, index).split('\n').length

if (import.meta.main) {
  const problems = checkWords(join(import.meta.dirname, '../..'), process.argv.slice(2))
  if (problems !== null) console.log(problems)
  process.exitCode = problems === null ? 0 : 1
}
