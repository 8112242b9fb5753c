import type { Deps, HandlerOf } from '../deps.ts'
import { findCars } from './catalogue.repository.ts'
import { isSlug } from './combination.ts'

export function listCars({ db, requirePrincipal, windows }: Deps): HandlerOf<'listCars'> {
  return async request => {
    await requirePrincipal(request, 'leaderboard:read')
    const { layout = null, sim = null } = request.query
    const slug = request.params.track
    // A name that is no slug matches nothing, and is not safe as the key of a window.
    if (![slug, layout, sim].every(name => name === null || isSlug(name))) return { ok: true, cars: [] }
    const [cars] = await windows.read('catalogue', [
      {
        key: `cars:${slug}:${layout ?? '*'}:${sim ?? '*'}`,
        load: () => findCars(db, { slug, layout, sim }),
      },
    ])
    return { ok: true, cars: [...cars] }
  }
}
