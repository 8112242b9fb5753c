import type { ScenarioName } from '@lapwing/load/scenarios'

/**
 * What the client in the cluster can do. Each call is one line of JSON to its standard input, each result one line
 * from its standard output, in the same order.
 */
export interface ClientCalls {
  /**
   * Signs drivers up, puts laps on boards, and compares the boards with them. `sendsAgain`: as the option of
   * `createClients`.
   */
  readonly setUp: (args: { scenario: LoadName; sendsAgain?: boolean }) => {
    drivers: number
    laps: number
    rows: number
  }
  /** Begins to load the gateway, until `end`. */
  readonly begin: (args: { scenario: LoadName; rate: number }) => null
  /** Starts no more journeys, and waits for the rest. */
  readonly end: (args: { scenario: LoadName }) => LoadFigures
  /** Waits until a worker has a file to judge. */
  readonly untilJudging: (args: { scenario: LoadName }) => null
  /** Waits until the boards have each acknowledged lap once. Returns how many. */
  readonly verify: (args: { scenario: LoadName }) => { rows: number }
  /** Reads each row of the boards of the drivers, as they see it. */
  readonly readBoards: () => BoardsRead
  /** Renews each driver's session by its token. Returns how many. */
  readonly renewSessions: () => { sessions: number }
  /** Requests a mail for one driver. */
  readonly requestMail: () => null
  /** Returns mails that the pods of identity sent, and those that wait. */
  readonly countMails: () => { sent: number; waiting: number }
  /** Returns the drivers with their sessions, for `adopt`. */
  readonly world: () => unknown
  /** Continues as these drivers. */
  readonly adopt: (args: { world: unknown }) => null
}

/** The mix of all journeys, and uploads alone. */
export type LoadName = Extract<ScenarioName, 'mixed' | 'ingest'>

export interface BoardsRead {
  readonly boards: number
  readonly rows: number
  readonly sha256: string
}

export interface LoadFigures {
  readonly seconds: number
  readonly journeys: number
  /** Requests of all journeys. */
  readonly requests: number
  readonly refused: number
  readonly failed: number
  readonly dropped: number
  /** Of journeys, ms. */
  readonly slowestMs: number
  /** Age of the oldest file that waited or was judged, s; null if no pod showed it. */
  readonly oldestFileS: number | null
  /** Answers by call and status that are no success. */
  readonly otherAnswers: Readonly<Record<string, number>>
  /** The first failures, in words. */
  readonly failures: readonly string[]
}

export type ClientName = keyof ClientCalls

/** One line to the client. */
export interface ClientRequest {
  readonly call: ClientName
  readonly args: unknown
}

/** One line back. */
export type ClientReply = { readonly result: unknown } | { readonly error: string }
