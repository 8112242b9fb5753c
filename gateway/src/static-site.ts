import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import { AppError } from '@lapwing/http'
import type { FastifyInstance } from 'fastify'
import type { GatewayCode } from './errors.ts'
import { answerFresh, contentTag } from './fresh.ts'

/**
 * Serves the built page. Its files are listed once when the process starts, so no address can name
 * anything else. Every other address is the app's own to show, and gets `index.html`; one that
 * looks like a file of an older build gets 404, because HTML in place of a script helps nobody.
 */
export async function staticSite(app: FastifyInstance, { folder }: { folder: string }): Promise<void> {
  const files = await listFiles(folder)
  const page = files.get(`/${PAGE_NAME}`)

  app.addHook('onRequest', async (request, reply) => {
    const path = request.raw.url!.split('?', 1)[0]!
    const file = files.get(request.routeOptions.url ?? '') ?? (isFilePath(path) ? undefined : page)
    if (file === undefined) throw new AppError<GatewayCode>('gateway.not_found')
    reply.headers({ etag: file.tag, 'cache-control': file.cacheControl, vary: 'accept-encoding' })
    if (answerFresh(request, reply, file.tag)) return reply
  })

  if (page !== undefined) {
    await app.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      globIgnore: ['**/*.br', '**/*.gz'],
      preCompressed: true,
      // Ours are better: its tags and dates follow the clock of whoever built the image.
      etag: false,
      lastModified: false,
      cacheControl: false,
      acceptRanges: false,
    })
  }
  app.get('/*', async (_request, reply) => reply.sendFile(PAGE_NAME))
}

/** Whether the folder holds a page; a gateway without one serves the API alone and is not ready. */
export function hasPage(folder: string): boolean {
  return existsSync(join(folder, PAGE_NAME))
}

const PAGE_NAME = 'index.html'
/** Vite writes the content's hash into the name of everything here. */
const HASHED_FOLDER = '/assets/'

interface SiteFile {
  readonly tag: string
  readonly cacheControl: string
}

/** Every file by the address it is served at. */
async function listFiles(folder: string): Promise<ReadonlyMap<string, SiteFile>> {
  const files = new Map<string, SiteFile>()
  if (!hasPage(folder)) return files
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /\.(br|gz)$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    const address = `/${relative(folder, path).split(sep).join('/')}`
    files.set(address, {
      tag: contentTag(await readFile(path)),
      cacheControl: address.startsWith(HASHED_FOLDER) ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
  }
  return files
}

function isFilePath(path: string): boolean {
  return path.startsWith(HASHED_FOLDER) || fileExtensions.test(path)
}

const fileExtensions =
  /\.(?:avif|css|gif|html?|ico|jpe?g|js|json|map|mjs|png|svg|txt|wasm|webmanifest|webp|woff2?|xml)$/i
