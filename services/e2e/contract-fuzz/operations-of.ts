import { resolveRefs } from '@lapwing/contracts/resolve-refs'

/** One operation of a contract, with the parts of its requests. */
export interface Operation {
  readonly id: string
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** With `{names}` of its parameters. */
  readonly path: string
  readonly parameters: readonly Parameter[]
  /** Schema of its JSON body; null if it has none. */
  readonly body: Schema | null
}

export interface Parameter {
  readonly name: string
  readonly in: 'path' | 'query' | 'header' | 'cookie'
  readonly required?: boolean
  readonly schema: Schema
}

/** The part of a JSON schema that the generator uses. */
export interface Schema {
  readonly type?: string | readonly string[]
  readonly enum?: readonly unknown[]
  readonly maxLength?: number
  readonly maxItems?: number
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
}

export function operationsOf(contract: object): readonly Operation[] {
  const { paths, servers } = resolveRefs(contract) as Contract
  const base = servers?.[0]?.url.replace(/\/$/, '') ?? ''
  return Object.entries(paths).flatMap(([path, item]) =>
    methods.flatMap(method => {
      const operation = item[method] as RawOperation | undefined
      if (operation === undefined) return []
      const schema = operation.requestBody?.content?.['application/json']?.schema
      return {
        id: operation.operationId,
        method: method.toUpperCase() as Operation['method'],
        path: base + path,
        parameters: [...((item.parameters as Parameter[]) ?? []), ...(operation.parameters ?? [])],
        body: schema ?? null,
      }
    }),
  )
}

const methods = ['get', 'post', 'put', 'patch', 'delete'] as const

interface Contract {
  readonly paths: Readonly<Record<string, Readonly<Record<string, unknown>>>>
  readonly servers?: readonly { readonly url: string }[]
}

interface RawOperation {
  readonly operationId: string
  readonly parameters?: readonly Parameter[]
  readonly requestBody?: { readonly content?: Readonly<Record<string, { readonly schema?: Schema }>> }
}
