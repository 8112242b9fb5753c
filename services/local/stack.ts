import { join } from 'node:path'

/**
 * Everything `make run` starts, in the order in which things need each other. A new service, or a
 * real dependency such as a database, is one more row here.
 */
export const stack: readonly Part[] = [
  {
    name: 'preview',
    entry: 'services/preview/src/main.ts',
    needs: [],
    answers: ['/readyz'],
    env: () => ({}),
  },
  {
    name: 'gateway',
    entry: 'gateway/src/main.ts',
    needs: ['preview'],
    // The gateway is Lapwing's one door, so it is up when the page is there too.
    answers: ['/readyz', '/'],
    isPublic: true,
    env: ({ rootDir, urls, publicUrl }) => ({
      PREVIEW_URL: urls.preview,
      FRONTEND_DIR: join(rootDir, 'frontend/dist'),
      PUBLIC_ORIGIN: publicUrl,
    }),
  },
]

/** One process of the stack. */
export interface Part {
  readonly name: string
  /** The file Node runs, from the root of the repository. */
  readonly entry: string
  /** Names of the parts that must be ready before this one starts. */
  readonly needs: readonly string[]
  /** Paths that must all answer 200 before the part counts as ready. */
  readonly answers: readonly string[]
  /** True for the one part a person talks to; every other part listens on a free port of 127.0.0.1. */
  readonly isPublic?: boolean
  /** What the part is told beside HOST, PORT and LOG_LEVEL. */
  readonly env: (place: Place) => Readonly<Record<string, string | undefined>>
}

/** Where the stack runs. */
export interface Place {
  readonly rootDir: string
  /** Folder for everything the stack writes. */
  readonly dataDir: string
  /** Address of each part, by its name. */
  readonly urls: Readonly<Record<string, string>>
  /** Address that a person opens. */
  readonly publicUrl: string
}
