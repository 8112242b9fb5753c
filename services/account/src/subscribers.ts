/** Which services are told of what. Each has an address in the configuration. */
export const subscribersOf = {
  usernameChanged: [],
  consentChanged: ['identity'],
  accountDeleted: ['identity'],
} as const satisfies Readonly<Record<string, readonly 'identity'[]>>
