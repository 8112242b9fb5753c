import { hideDriver, hideLap, restoreDriver, restoreLap } from './moderation/hide.ts'
import { closeReports, listReports } from './moderation/report.repository.ts'
import { runWithStores } from './run-with-stores.ts'

/** `node src/moderate.ts hide-lap|restore-lap <lap id>` or `hide-driver|restore-driver <user id>`. */
const actions = {
  'hide-lap': hideLap,
  'restore-lap': restoreLap,
  'hide-driver': hideDriver,
  'restore-driver': restoreDriver,
} as const

const MOST_LISTED = 50

await runWithStores(async ({ db, windows }) => {
  const [name = '', id = '', ...rest] = process.argv.slice(2)
  if (name === 'reports' && id === '') {
    for (const report of await listReports(db, MOST_LISTED)) {
      const { lap_id, user_id, display_name, lap, name, first_at } = report
      const driver = display_name === null ? user_id : `${user_id} "${display_name}"`
      console.log(`${lap_id} of ${driver}: lap ${lap}, name ${name}, since ${first_at.toISOString()}`)
    }
    return 0
  }
  const isLap = name.endsWith('-lap') || name === 'close-reports'
  const isId = isLap
    ? /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
    : /^[\x21-\x7e]{1,200}$/.test(id)
  const isKnown = Object.hasOwn(actions, name) || name === 'close-reports'
  if (!isKnown || !isId || rest.length > 0) {
    console.error('node src/moderate.ts hide-lap|restore-lap <lap id>')
    console.error('node src/moderate.ts hide-driver|restore-driver <user id>')
    console.error('node src/moderate.ts reports')
    console.error('node src/moderate.ts close-reports <lap id>')
    return 2
  }
  if (name === 'close-reports') {
    console.log(`closed: ${await closeReports(db, id.toLowerCase())}`)
    return 0
  }
  const touched = await actions[name as keyof typeof actions](db, isLap ? id.toLowerCase() : id)
  await windows.drop(touched)
  const boards = touched.boards.map(({ contextId, board }) => `${contextId} ${board}`)
  console.log(boards.length === 0 ? 'no board changed' : `changed: ${boards.join(', ')}`)
  return 0
})
