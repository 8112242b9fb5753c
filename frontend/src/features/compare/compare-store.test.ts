import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SessionState } from '@lapwing/identity-client/session-keeper'
import { lapTrack, type Reference } from '@lapwing/telemetry/compare'
import { ApiError } from '#shared/api/problem.ts'
import type { BoardRow } from '#shared/boards/board-row.ts'
import { type Combination, combinationOf } from '#shared/boards/combination.ts'
import { aRow as aBoardRow } from '#testing/a-board.ts'
import { aPreview } from '#testing/a-preview.ts'
import { settle } from '#testing/manual-clock.ts'
import { createCompareStore, type FindLap, NOT_SHARED } from './compare-store.ts'

const preview = aPreview()
const board = combinationOf(preview.meta)!
const otherBoard: Combination = { ...board, car_slug: 'gt4', car_label: 'GT4' }
const track = lapTrack(preview, preview.laps[1]!)!

const aRow = (name: string) =>
  aBoardRow(3, {
    user_id: `user-${name}`,
    lap_id: `lap-of-${name}`,
    display_name: name,
    best_lap_time_ms: track.timeMs,
    delta_ms: -900,
  })

/** A store, the person it is for, and the answers of the service in the order asked. */
function aStore({ user = 'me' as string | null } = {}) {
  const listeners = new Set<() => void>()
  let state = stateOf(user)
  const notices: string[] = []
  const requests: boolean[] = []
  const asked: {
    readonly lapId: string
    answer(combination?: Combination): void
    refuse(error: unknown): void
  }[] = []
  const store = createCompareStore({
    session: {
      get: () => state,
      subscribe(onChange) {
        listeners.add(onChange)
        return () => listeners.delete(onChange)
      },
    },
    fetchReference: lapId =>
      new Promise<Reference>((resolve, reject) => {
        asked.push({
          lapId,
          answer: (combination = board) =>
            resolve({ facts: { lapId, userId: 'user-1', timeSource: 'official', combination }, track }),
          refuse: reject,
        })
      }),
    wantCompare: wanted => void requests.push(wanted),
    notify: {
      success: sentence => void notices.push(sentence),
      info: sentence => void notices.push(sentence),
      error: (sentence, more) => void notices.push([sentence, more?.detail].filter(Boolean).join(' | ')),
    },
  })
  store.setSession(board)
  return {
    store,
    notices,
    requests,
    asked,
    become(next: string | null) {
      state = stateOf(next)
      for (const listener of listeners) listener()
    },
  }
}

function stateOf(userId: string | null): SessionState {
  if (userId === null) return { status: 'signed-out' }
  const session = { userId, sessionId: 'session-1234', startedAtMs: 0, expiresAtMs: 1e12 }
  return { status: 'signed-in', session, user: null }
}

const refusal = (detail: string) =>
  new ApiError(new Response(null, { status: 404 }), { detail, code: 'ingest.lap_not_found' })

const catchAhead = (store: ReturnType<typeof createCompareStore>, find: FindLap) =>
  store.catchLap(find, 'There is no lap ahead of yours to catch.')

test('turns compare mode on and off for a signed-in driver', () => {
  const { store } = aStore()
  assert.equal(store.get().isOn, false)
  assert.equal(store.turnOn(), true)
  assert.equal(store.get().isOn, true)
  store.turnOff()
  assert.equal(store.get().isOn, false)
})

test('a visitor does not turn it on, but has it on once signed in', () => {
  const { store, requests, become } = aStore({ user: null })
  assert.equal(store.turnOn(), false)
  assert.equal(store.get().isOn, false)
  assert.deepEqual(requests, [true])
  become('me')
  assert.equal(store.get().isOn, true)
  assert.deepEqual(requests, [true, false])
})

test('does not turn compare mode on later if the driver closed the dialog', () => {
  const { store, requests, become } = aStore({ user: null })
  store.turnOn()
  store.cancelRequest()
  assert.deepEqual(requests, [true, false])
  become('me')
  assert.equal(store.get().isOn, false)
})

test('signing in for another reason does not turn it on', () => {
  const { store, requests, become } = aStore({ user: null })
  become('me')
  assert.equal(store.get().isOn, false)
  store.cancelRequest()
  assert.deepEqual(requests, [])
})

test('a lap of the board becomes the reference, and compare mode is on', async () => {
  const { store, notices, asked } = aStore()
  const used = store.use(aRow('slipstream'), board, 'board')
  assert.equal(store.get().loading, 'lap-of-slipstream')
  assert.equal(store.get().isOn, false)
  asked[0]!.answer()
  assert.equal(await used, true)
  const { isOn, source, external, loading } = store.get()
  assert.deepEqual([isOn, source, external?.name, loading], [true, 'external', 'slipstream', null])
  assert.equal(external?.timeMs, track.timeMs)
  assert.deepEqual(notices, ['Loaded reference lap from slipstream'])
})

test('a lap is asked for once while it is remembered', async () => {
  const { store, asked } = aStore()
  for (let time = 0; time < 2; time++) {
    const used = store.use(aRow('slipstream'), board, 'board')
    asked[0]!.answer()
    assert.equal(await used, true)
  }
  assert.equal(asked.length, 1)
})

test('of two laps asked for the second becomes the reference, whichever comes first', async () => {
  const { store, notices, asked } = aStore()
  const first = store.use(aRow('slipstream'), board, 'board')
  const second = store.use(aRow('kerbrider'), board, 'board')
  asked[1]!.answer()
  assert.equal(await second, true)
  asked[0]!.answer()
  assert.equal(await first, false)
  assert.equal(store.get().external?.name, 'kerbrider')
  assert.deepEqual(notices, ['Loaded reference lap from kerbrider'])
})

test('clearing goes back to the session, and what is under way does not come after it', async () => {
  const { store, notices, asked } = aStore()
  const used = store.use(aRow('slipstream'), board, 'board')
  asked[0]!.answer()
  await used
  const late = store.use(aRow('kerbrider'), board, 'board')
  store.clear()
  asked[1]!.answer()
  assert.equal(await late, false)
  const { isOn, source, external, loading } = store.get()
  assert.deepEqual([isOn, source, external, loading], [true, 'session', null, null])
  assert.deepEqual(notices.slice(1), ['Reference lap cleared'])
})

test('signing out turns compare mode off, forgets the references and lets nothing come after it', async () => {
  const { store, notices, asked, become } = aStore()
  const used = store.use(aRow('slipstream'), board, 'board')
  asked[0]!.answer()
  await used
  store.chooseSessionLap(42)
  const late = store.use(aRow('kerbrider'), board, 'board')
  become(null)
  asked[1]!.answer()
  assert.equal(await late, false)
  assert.deepEqual(store.get(), {
    isOn: false,
    source: 'session',
    sessionRow: null,
    external: null,
    loading: null,
    isCatching: false,
    problem: null,
    refused: new Set(),
  })
  assert.deepEqual(notices, ['Loaded reference lap from slipstream'])
  become('me')
  assert.equal(store.get().isOn, false)
  void store.use(aRow('slipstream'), board, 'board')
  assert.equal(asked.length, 3)
})

test('another person in the place of the first finds nothing of theirs', async () => {
  const { store, asked, become } = aStore()
  const used = store.use(aRow('slipstream'), board, 'board')
  asked[0]!.answer()
  await used
  become('somebody else')
  assert.equal(store.get().external, null)
  assert.equal(store.get().isOn, false)
})

test('a session token that is renewed changes nothing', async () => {
  const { store, become } = aStore()
  store.turnOn()
  become('me')
  assert.equal(store.get().isOn, true)
})

test('only laps of the session’s own board can be used', async () => {
  const { store, asked } = aStore()
  assert.equal(store.canUse(board), true)
  assert.equal(store.canUse({ ...board, track_label: 'renamed' }), true)
  assert.equal(store.canUse(otherBoard), false)
  assert.equal(await store.use(aRow('slipstream'), otherBoard, 'board'), false)
  assert.equal(asked.length, 0)
  store.setSession(null)
  assert.equal(store.canUse(board), false)
})

test('a lap that turns out to be of another board is refused', async () => {
  const { store, notices, asked } = aStore()
  const used = store.use(aRow('slipstream'), board, 'board')
  asked[0]!.answer(otherBoard)
  assert.equal(await used, false)
  assert.equal(store.get().external, null)
  assert.deepEqual(notices, ['Failed to load reference lap.'])
})

test('another file of the same board keeps the reference, one of another board does not', async () => {
  const { store, asked } = aStore()
  const used = store.use(aRow('slipstream'), board, 'board')
  asked[0]!.answer()
  await used
  store.chooseSessionLap(99)
  store.setSession({ ...board })
  assert.deepEqual(
    [store.get().external?.name, store.get().source, store.get().sessionRow],
    ['slipstream', 'external', null],
  )
  store.setSession(otherBoard)
  assert.deepEqual([store.get().external, store.get().source, store.get().isOn], [null, 'session', true])
})

test('a lap that arrives for a file that is gone is dropped', async () => {
  const { store, notices, asked } = aStore()
  const used = store.use(aRow('slipstream'), board, 'board')
  store.setSession(otherBoard)
  asked[0]!.answer()
  assert.equal(await used, false)
  assert.equal(store.get().external, null)
  assert.deepEqual(notices, [])
})

test('shows a failure at the place of the request: a toast for the board, an alert for the card', async () => {
  const { store, notices, asked } = aStore()
  const fromBoard = store.use(aRow('slipstream'), board, 'board')
  asked[0]!.refuse(refusal('There is no such lap.'))
  assert.equal(await fromBoard, false)
  assert.deepEqual(notices, [`Failed to load reference lap. | ${NOT_SHARED}`])
  assert.equal(store.get().problem, null)

  const fromCard = store.use(aRow('slipstream'), board, 'card')
  asked[1]!.refuse(new TypeError('fetch failed'))
  assert.equal(await fromCard, false)
  assert.equal(notices.length, 1)
  assert.equal(store.get().problem, 'Could not load reference lap.')
  assert.equal(store.get().loading, null)
  store.dismissProblem()
  assert.equal(store.get().problem, null)
})

test('a lap that is not given out is known as such until another file is shown; one that did not arrive is not', async () => {
  const { store, asked } = aStore()
  const refused = store.use(aRow('slipstream'), board, 'board')
  asked[0]!.refuse(refusal('There is no such lap.'))
  await refused
  const broken = store.use(aRow('kerbrider'), board, 'board')
  asked[1]!.refuse(new TypeError('fetch failed'))
  await broken
  assert.deepEqual([...store.get().refused], ['lap-of-slipstream'])
  store.setSession(board)
  assert.deepEqual([...store.get().refused], [])
})

test('the driver ahead is looked for, loaded, and compared with', async () => {
  const { store, notices, asked } = aStore()
  const caught = catchAhead(store, async () => aRow('kerbrider'))
  assert.equal(store.get().isCatching, true)
  await settle()
  assert.equal(store.get().loading, 'lap-of-kerbrider')
  asked[0]!.answer()
  await caught
  const { isOn, isCatching, external } = store.get()
  assert.deepEqual([isOn, isCatching, external?.name], [true, false, 'kerbrider'])
  assert.deepEqual(notices, ['Loaded reference lap from kerbrider'])
})

test('where the lap ahead is not given out the next one is caught, and after four that is said', async () => {
  const { store, notices, asked } = aStore()
  const ahead = ['a', 'b', 'c', 'd', 'e', 'f'].map(name => aRow(name))
  const findAhead: FindLap = async refused => ahead.find(row => !refused.has(row.lap_id)) ?? null
  const caught = catchAhead(store, findAhead)
  await settle()
  asked[0]!.refuse(refusal('There is no such lap.'))
  await settle()
  assert.deepEqual([store.get().loading, store.get().problem], ['lap-of-b', null])
  asked[1]!.answer()
  await caught
  assert.deepEqual(notices, ['Loaded reference lap from b'])

  const never = catchAhead(store, async refused => findAhead(new Set([...refused, 'lap-of-b'])))
  for (const index of [2, 3, 4, 5]) {
    await settle()
    asked[index]!.refuse(refusal('There is no such lap.'))
  }
  await never
  assert.deepEqual([asked.length, store.get().loading, store.get().isCatching], [6, null, false])
  const problem = `Could not load reference lap. ${NOT_SHARED}`
  assert.equal(store.get().problem, problem)

  await catchAhead(store, async () => null)
  assert.equal(store.get().problem, problem)
  assert.equal(notices.length, 1)
})

test('shows that no driver is ahead, or that the board could not be loaded', async () => {
  const { store, notices } = aStore()
  await catchAhead(store, async () => null)
  assert.deepEqual(notices, ['There is no lap ahead of yours to catch.'])
  assert.deepEqual([store.get().isCatching, store.get().isOn], [false, false])
  await catchAhead(store, async () => {
    throw refusal('The boards are being looked after.')
  })
  assert.deepEqual(
    [store.get().isCatching, store.get().problem],
    [false, 'Could not load reference lap. The boards are being looked after.'],
  )
})

test('uses another lap that is chosen while the driver ahead is looked up', async () => {
  const { store, asked } = aStore()
  let answer = (_row: BoardRow) => {}
  const caught = catchAhead(store, () => new Promise(resolve => (answer = resolve)))
  const used = store.use(aRow('slipstream'), board, 'board')
  answer(aRow('kerbrider'))
  await caught
  asked[0]!.answer()
  assert.equal(await used, true)
  assert.deepEqual(
    [store.get().external?.name, store.get().isCatching, asked.length],
    ['slipstream', false, 1],
  )
})

test('turning compare mode off gives up what is under way, and keeps the reference that is there', async () => {
  const { store, asked } = aStore()
  const used = store.use(aRow('slipstream'), board, 'board')
  asked[0]!.answer()
  await used
  const late = store.use(aRow('kerbrider'), board, 'card')
  store.turnOff()
  asked[1]!.answer()
  assert.equal(await late, false)
  assert.deepEqual(
    [store.get().isOn, store.get().external?.name, store.get().loading],
    [false, 'slipstream', null],
  )
})

test('the source can be switched while a reference is loaded, and it stays', async () => {
  const { store, asked } = aStore()
  const used = store.use(aRow('slipstream'), board, 'board')
  asked[0]!.answer()
  await used
  store.chooseSource('session')
  assert.deepEqual([store.get().source, store.get().external?.name], ['session', 'slipstream'])
  store.chooseSource('external')
  assert.equal(store.get().source, 'external')
})
