import { boardOf } from './boards/board.ts'
import { runWithStores } from './run-with-stores.ts'
import { listBoards, recount, repair } from './verification/recount.ts'

/**
 * `node src/verify.ts`: counts all live boards again and lists those with wrong counts. Exits with 1 if there
 * are any. With `--repair` it repairs those boards, and exits with 1 only if a repair failed.
 */
await runWithStores(async ({ db, windows }) => {
  const args = process.argv.slice(2)
  if (args.some(arg => arg !== '--repair')) {
    console.error('node src/verify.ts [--repair]')
    return 2
  }
  const boards = await listBoards(db)
  let unrepaired = 0
  for (const board of boards) {
    const { entries, buckets } = await recount(db, board)
    if (entries === 0 && buckets === 0) continue
    const { contextId, board: name } = boardOf(board)
    console.log(`${contextId} ${name}: ${entries} entries and ${buckets} buckets are wrong`)
    if (args.includes('--repair')) {
      await repair(db, board)
      await windows.drop({ boards: [boardOf(board)], catalogue: true })
      const again = await recount(db, board)
      if (again.entries === 0 && again.buckets === 0) {
        console.log(`${contextId} ${name}: repaired`)
        continue
      }
    }
    unrepaired++
  }
  console.log(`${boards.length} boards, ${unrepaired} with drift`)
  return unrepaired === 0 ? 0 : 1
})
