import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { checkSubjects } from './check-subjects.ts'

test('accepts subjects of 72 characters, and longer ones up to the first checked commit', t => {
  const { folder, ids } = repository(t, ['a'.repeat(100), 'b'.repeat(73), 'ü'.repeat(72)])
  assert.equal(checkSubjects(folder, ids[1]), null)
})

test('reports each longer subject', t => {
  const { folder, ids } = repository(t, ['first', 'c'.repeat(73), 'short', 'ü'.repeat(80)])
  const problems = checkSubjects(folder, ids[0])!.split('\n')
  assert.equal(problems.length, 2)
  assert.match(problems[0]!, /has a subject over 72 characters: ü{80}$/)
  assert.match(problems[1]!, /has a subject over 72 characters: c{73}$/)
})

test('accepts a shallow clone and a folder outside of git', t => {
  const { folder, ids } = repository(t, ['first', 'd'.repeat(73), 'third'])
  const clone = temporary(t)
  git(clone, 'clone', '--quiet', '--depth=1', `file://${folder}`, '.')
  assert.equal(checkSubjects(clone, ids[0]), null)
  assert.equal(checkSubjects(temporary(t), ids[0]), null)
})

/** A repository with one commit for each subject. */
function repository(t: TestContext, subjects: readonly string[]): { folder: string; ids: string[] } {
  const folder = temporary(t)
  git(folder, 'init', '--quiet')
  const ids = subjects.map(subject => {
    git(
      folder,
      '-c',
      'user.name=a',
      '-c',
      'user.email=a@example.com',
      '-c',
      'commit.gpgsign=false',
      'commit',
      '--quiet',
      '--allow-empty',
      '-m',
      subject,
    )
    return git(folder, 'rev-parse', 'HEAD').trim()
  })
  return { folder, ids }
}

function git(cwd: string, ...args: string[]): string {
  return execFileSync('git', args, { cwd, encoding: 'utf8' })
}

function temporary(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-subjects-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
