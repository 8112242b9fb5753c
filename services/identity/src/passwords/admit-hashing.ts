import type { Deps } from '../deps.ts'

/** Wraps handlers that hash: each is refused before it has cost anything when its hash would come too late. */
export function admitHashing<Handlers extends object>(
  { hasher }: Pick<Deps, 'hasher'>,
  handlers: Handlers,
): Handlers {
  return Object.fromEntries(
    Object.entries(handlers).map(([id, handle]) => [
      id,
      (...args: unknown[]) => hasher.admit<unknown>(() => handle(...args)),
    ]),
  ) as Handlers
}
