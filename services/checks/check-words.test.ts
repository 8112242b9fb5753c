import assert from 'node:assert/strict'
import { test } from 'node:test'
import { commentsOf, paragraphsOf, problemsOf, testNamesOf } from './check-words.ts'

const long = (words: number) => `${'word '.repeat(words - 1)}word.`
const problems = (text: string) => problemsOf({ line: 1, text })

test('accepts a sentence of 30 words and rejects one of 31', () => {
  assert.deepEqual(problems(long(30)), [])
  assert.equal(problems(long(31)).length, 1)
  assert.deepEqual(problems(`${long(20)} ${long(20)}`), [])
})

test('counts text in backticks as one word', () => {
  assert.deepEqual(problems(`${'word '.repeat(28)} \`${long(20)}\`.`), [])
})

test('rejects a banned turn and names a better word', () => {
  const [problem, ...more] = problems('The driver is told at the end.')
  assert.equal(more.length, 0)
  assert.match(problem!, /"is told".*better/)
  assert.deepEqual(problems('A standing is stored.'), [])
})

test('reads comments and no code, and joins neighbouring comment lines', () => {
  const source = `/** Returns one\n * thing. */\nconst a = 'text'\n  // Two\n  // lines.\n{/* In JSX. */}\n`
  assert.deepEqual(
    commentsOf(source).map(({ line, text }) => [line, text]),
    [
      [1, 'Returns one thing.'],
      [6, 'In JSX.'],
      [4, 'Two lines.'],
    ],
  )
})

test('reads the names of tests, each with its own line', () => {
  const source = `test('rejects a lap', () => {})\ntest.skip("a name", f)\ntest(\n  'on a line of its own',\n)`
  assert.deepEqual(
    testNamesOf(source).map(({ line, text }) => [line, text]),
    [
      [1, 'rejects a lap'],
      [2, 'a name'],
      [4, 'on a line of its own'],
    ],
  )
})

test('reads paragraphs, list items and cells, and skips headings and code', () => {
  const markdown = '# Title\n\nOne\ntwo.\n\n- item\n- other\n\n```\ncode\n```\n\n| a | b |\n'
  assert.deepEqual(
    paragraphsOf(markdown).map(({ text }) => text),
    ['One two.', 'item', 'other', 'a', 'b'],
  )
})
