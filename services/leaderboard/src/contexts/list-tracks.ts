import type { Handlers } from '@lapwing/contracts/bind'
import type { operations } from '@lapwing/contracts/leaderboard'
import type { Deps } from '../deps.ts'
import { findTracks } from './catalogue.repository.ts'

export function listTracks({
  db,
  requirePrincipal,
  windows,
}: Pick<Deps, 'db' | 'requirePrincipal' | 'windows'>): Handlers<operations>['listTracks'] {
  return async request => {
    await requirePrincipal(request)
    const [tracks] = await windows.read('catalogue', [{ key: 'tracks', load: () => findTracks(db) }])
    return { ok: true, tracks: [...tracks] }
  }
}
