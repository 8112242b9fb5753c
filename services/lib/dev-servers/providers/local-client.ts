/** The only client of the local providers. Its secret is public: it opens only the fakes of this machine. */
export const localClient = { id: 'lapwing-local', secret: 'lapwing-local-secret' } as const
