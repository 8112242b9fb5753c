/** Variables of social sign-in. */
export const oauthEnv = {}
