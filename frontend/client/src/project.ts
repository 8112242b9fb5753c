import type { Client } from './client.ts'
import type { Bootstrap, DataOf, Operation } from './contract.ts'
import { createPkceStore, type PkceNamespace } from './pkce.ts'

/** The settings of a project, and what binds links and round trips to this browser. */
type Project = ReturnType<typeof createProject>

const projects = new WeakMap<Client, Project>()

/** Returns the project of a client: its settings and its PKCE pairs, which several products share. */
export function projectOf(client: Client): Project {
  const known = projects.get(client) ?? createProject(client)
  projects.set(client, known)
  return known
}

function createProject(client: Client) {
  const { store, pageOrigin, warn } = client
  const pkce = createPkceStore(store, crypto)
  let loading: Promise<Bootstrap> | null = null

  async function load(): Promise<Bootstrap> {
    const { publicToken } = await client.config()
    const path = `/projects/bootstrap/${encodeURIComponent(publicToken)}`
    const loaded = await client.call<Bootstrap>('GET', path)
    if ((loaded.vertical as string) === 'B2B') {
      warn('This client is for people, but the public token is of a project for organizations.')
    }
    return loaded
  }

  /** Loads the project's settings once. Tries again after a failure. */
  async function settings(): Promise<Bootstrap> {
    loading ??= load()
    try {
      return await loading
    } catch (error) {
      loading = null
      throw error
    }
  }

  /** Does the same, but returns null after a failure, which means the defaults. */
  async function bootstrap(): Promise<Bootstrap | null> {
    try {
      return await settings()
    } catch {
      warn('Unable to retrieve RBAC policy from servers. Assuming caller has no permissions.')
      return null
    }
  }

  /** Returns the member that binds a link or a round trip to this browser; none if the project needs none. */
  async function challenge(namespace: PkceNamespace): Promise<{ readonly code_challenge?: string }> {
    const known = await bootstrap()
    const isRequired = {
      oauth: known?.pkce_required_for_oauth,
      magic_links: known?.pkce_required_for_email_magic_links,
      passwords: known?.pkce_required_for_password_resets,
    }[namespace]
    if (!isRequired) {
      // The provider would refuse a verifier that it does not need.
      pkce.clear(namespace)
      return {}
    }
    // Several mails can share one pair.
    const { codeChallenge } = await pkce.pair(namespace, { isNew: namespace === 'oauth' })
    return { code_challenge: codeChallenge }
  }

  /** Exchanges the token of a link or a round trip for a session. A failed exchange leaves the verifier stored. */
  async function exchange<Id extends Operation>(
    namespace: PkceNamespace,
    path: string,
    body: object,
  ): Promise<DataOf<Id>> {
    const verifier = pkce.verifier(namespace)
    if (namespace === 'oauth' && verifier === null) {
      warn('No code verifier was found for this OAuth sign-in.')
    }
    const answer = await client.call<DataOf<Id>>('POST', path, {
      session_duration_minutes: client.sessionMinutes,
      ...body,
      ...(verifier && { code_verifier: verifier }),
    })
    pkce.clear(namespace)
    return answer
  }

  /** Returns the address that starts a sign-in elsewhere, which comes back to this browser alone. */
  async function startUrl(
    path: string,
    query: Readonly<Record<string, string | undefined>>,
  ): Promise<string> {
    const { baseUrl, publicToken } = await client.config()
    const url = new URL(`${baseUrl || pageOrigin}${path}`)
    const all = { public_token: publicToken, ...(await challenge('oauth')), ...query }
    for (const [name, value] of Object.entries(all)) if (value) url.searchParams.set(name, value)
    return url.href
  }

  return {
    settings,
    bootstrap,
    challenge,
    exchange,
    startUrl,
    hasVerifier: (of: PkceNamespace) => pkce.verifier(of) !== null,
  }
}
