/** Returns whether an `If-None-Match` names the tag; weak and strong tags count alike (RFC 9110 section 13.1.2). */
export function matchesTag(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false
  if (ifNoneMatch.trim() === '*') return true
  const plain = (entry: string) => entry.trim().replace(/^W\//, '')
  return ifNoneMatch.split(',').some(entry => plain(entry) === plain(tag))
}
