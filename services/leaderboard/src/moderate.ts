import { hideDriver, hideLap, restoreDriver, restoreLap } from './moderation/hide.ts'
import { runWithStores } from './run-with-stores.ts'

/** `node src/moderate.ts hide-lap|restore-lap <lap id>` or `hide-driver|restore-driver <user id>`. */
const actions = {
  'hide-lap': hideLap,
  'restore-lap': restoreLap,
  'hide-driver': hideDriver,
  'restore-driver': restoreDriver,
} as const

await runWithStores(async ({ db, windows }) => {
  const [name = '', id = '', ...rest] = process.argv.slice(2)
  const isLap = name.endsWith('-lap')
  const isId = isLap
    ? /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
    : /^[\x21-\x7e]{1,200}$/.test(id)
  if (!Object.hasOwn(actions, name) || !isId || rest.length > 0) {
    console.error('node src/moderate.ts hide-lap|restore-lap <lap id>')
    console.error('node src/moderate.ts hide-driver|restore-driver <user id>')
    return 2
  }
  const touched = await actions[name as keyof typeof actions](db, isLap ? id.toLowerCase() : id)
  await windows.drop(touched)
  const boards = touched.boards.map(({ contextId, board }) => `${contextId} ${board}`)
  console.log(boards.length === 0 ? 'no board changed' : `changed: ${boards.join(', ')}`)
  return 0
})
