/** The one client the local providers know. No secret: it opens nothing but this machine's own fakes. */
export const localClient = { id: 'lapwing-local', secret: 'lapwing-local-secret' } as const
