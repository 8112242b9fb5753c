/**
 * Returns a contract with every `$ref` replaced by its target. Targets are shared, not copied, so that one
 * error answer in sixty operations exists once.
 *
 * @throws if a reference has no target, or refers to itself
 */
export function resolveRefs<Document extends object>(document: Document): Document {
  let resolved = cache.get(document)
  if (resolved === undefined) {
    resolved = resolve(document, document, new Map(), []) as object
    cache.set(document, resolved)
  }
  return resolved as Document
}

const cache = new WeakMap<object, object>()

function resolve(node: unknown, root: object, done: Map<string, unknown>, path: readonly string[]): unknown {
  if (Array.isArray(node)) return node.map(item => resolve(item, root, done, path))
  if (typeof node !== 'object' || node === null) return node
  if ('$ref' in node && typeof node.$ref === 'string') {
    const ref = node.$ref
    if (path.includes(ref)) throw new Error(`the contract refers to itself at ${ref}`)
    if (!done.has(ref)) done.set(ref, resolve(find(root, ref), root, done, [...path, ref]))
    return done.get(ref)
  }
  return Object.fromEntries(
    Object.entries(node).map(([key, value]) => [key, resolve(value, root, done, path)]),
  )
}

function find(root: object, ref: string): unknown {
  let found: unknown = root
  for (const key of ref.replace(/^#\//, '').split('/')) {
    const name = decodeURIComponent(key).replaceAll('~1', '/').replaceAll('~0', '~')
    found = (found as Record<string, unknown> | undefined)?.[name]
  }
  if (found === undefined) throw new Error(`the contract has nothing at ${ref}`)
  return found
}
