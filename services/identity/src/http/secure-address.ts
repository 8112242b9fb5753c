/**
 * Returns whether an address that an operator configures is https, or http of this machine: there nobody can
 * read or change what it carries.
 */
export function isSecureAddress(address: string): boolean {
  const { protocol, hostname } = URL.parse(address) ?? {}
  return protocol === 'https:' || (protocol === 'http:' && ['localhost', '127.0.0.1'].includes(hostname!))
}
