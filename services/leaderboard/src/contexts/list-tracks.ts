import type { Deps, HandlerOf } from '../deps.ts'
import { findTracks } from './catalogue.repository.ts'

export function listTracks({ db, requirePrincipal, windows }: Deps): HandlerOf<'listTracks'> {
  return async request => {
    await requirePrincipal(request, 'leaderboard:read')
    const [tracks] = await windows.read('catalogue', [{ key: 'tracks', load: () => findTracks(db) }])
    return { ok: true, tracks: [...tracks] }
  }
}
