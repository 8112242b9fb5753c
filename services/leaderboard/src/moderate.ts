import type { Db } from './database.ts'
import { hideDriver, hideLap, restoreDriver, restoreLap } from './moderation/hide.ts'
import { closeReports, closeReportsBy, listReports } from './moderation/report.repository.ts'
import { runWithStores } from './run-with-stores.ts'

/** Commands that change what boards show. */
const actions = {
  'hide-lap': hideLap,
  'restore-lap': restoreLap,
  'hide-driver': hideDriver,
  'restore-driver': restoreDriver,
} as const

/** Commands that close reports. Each returns their number. */
const closings = {
  'close-reports': closeReports,
  'close-reports-by': closeReportsBy,
  'close-reports-by-network-of': (db: Db, id: string) => closeReportsBy(db, id, { wholeNetwork: true }),
} as const

const MOST_LISTED = 50

await runWithStores(async ({ db, windows }) => {
  const [name = '', id = '', ...rest] = process.argv.slice(2)
  if (name === 'reports' && id === '') {
    for (const report of await listReports(db, MOST_LISTED)) {
      const { lap_id, user_id, display_name, lap, name, networks, first_at, first_by } = report
      const driver = display_name === null ? user_id : `${user_id} "${display_name}"`
      const since = `since ${first_at.toISOString()}, first by ${first_by}`
      console.log(`${lap_id} of ${driver}: lap ${lap}, name ${name}, networks ${networks}, ${since}`)
    }
    return 0
  }
  const isLap = name.endsWith('-lap') || name === 'close-reports'
  const isId = isLap
    ? /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id)
    : /^[\x21-\x7e]{1,200}$/.test(id)
  const isKnown = Object.hasOwn(actions, name) || Object.hasOwn(closings, name)
  if (!isKnown || !isId || rest.length > 0) {
    console.error('node src/moderate.ts hide-lap|restore-lap <lap id>')
    console.error('node src/moderate.ts hide-driver|restore-driver <user id>')
    console.error('node src/moderate.ts reports')
    console.error('node src/moderate.ts close-reports <lap id>')
    console.error('node src/moderate.ts close-reports-by|close-reports-by-network-of <user id>')
    return 2
  }
  const ownId = isLap ? id.toLowerCase() : id
  if (Object.hasOwn(closings, name)) {
    console.log(`closed: ${await closings[name as keyof typeof closings](db, ownId)}`)
    return 0
  }
  const touched = await actions[name as keyof typeof actions](db, ownId)
  await windows.drop(touched)
  const boards = touched.boards.map(({ contextId, board }) => `${contextId} ${board}`)
  console.log(boards.length === 0 ? 'no board changed' : `changed: ${boards.join(', ')}`)
  return 0
})
