import type { components, operations } from '@lapwing/contracts/identity'

type Schemas = components['schemas']
export type Authenticated = Schemas['AuthenticatedData']
export type IdentityUser = Schemas['User']
export type NewTotp = Schemas['TotpCreatedData']
export type PasswordStrength = Schemas['PasswordStrengthData']
export type ListedSession = Schemas['SessionsData']['sessions'][number]
export type ConnectedApp = Schemas['ConnectedAppsData']['connected_apps'][number]
export type Organization = Schemas['Organization']
export type Bootstrap = Schemas['BootstrapData']
export type AuthorizeRequest = Schemas['AuthorizeRequest']
export type AuthorizeStarted = Schemas['AuthorizeStartedData']
export type LogoutStarted = Schemas['LogoutStartedData']
/** The parameters of a request of an app to sign a person out. */
export type LogoutRequest = BodyOf<'startOAuthLogout'>
/** The channels that carry codes to phones, and the countries whose numbers get them. */
export type PhoneCodes = Bootstrap['phone_codes']
export type PhoneChannel = PhoneCodes['channels'][number]
/** Kinds of wallets that identity knows. */
export type WalletType = NonNullable<Bootstrap['wallet_types']>[number]

/** The `operationId` of a call in the contract. */
export type Operation = keyof operations

type Json<Content> = Content extends { readonly content: { readonly 'application/json': infer Body } }
  ? Body
  : never

/** The JSON body that a call sends. */
export type BodyOf<Id extends Operation> = Json<NonNullable<operations[Id]['requestBody']>>

/** The `data` that a call answers. */
export type DataOf<Id extends Operation> = operations[Id]['responses'] extends { readonly 200: infer Answer }
  ? Json<Answer> extends { readonly data: infer Data }
    ? Data
    : never
  : never

/** A body in which the client fills some members if they are left out. */
export type Filled<Body, Names extends keyof Body> = Omit<Body, Names> & Partial<Pick<Body, Names>>
