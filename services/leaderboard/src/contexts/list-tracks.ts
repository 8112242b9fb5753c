import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/leaderboard'
import type { Deps } from '../deps.ts'
import { findTracks } from './catalogue.repository.ts'

export function listTracks({
  db,
  caller,
  windows,
}: Pick<Deps, 'db' | 'caller' | 'windows'>): Handlers<operations>['listTracks'] {
  return async request => {
    await caller(request)
    const [tracks] = await windows.read('catalogue', [{ key: 'tracks', load: () => findTracks(db) }])
    return { ok: true, tracks: [...tracks] }
  }
}
