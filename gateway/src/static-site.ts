import { existsSync } from 'node:fs'
import { readdir, readFile } from 'node:fs/promises'
import { dirname, join, relative, sep } from 'node:path'
import fastifyStatic from '@fastify/static'
import { AppError } from '@lapwing/http'
import type { FastifyInstance, FastifyReply } from 'fastify'
import { contentTag, replyNotModified } from './entity-tag.ts'
import type { GatewayCode } from './errors.ts'

/**
 * Serves the built page. Its files are listed once when the process starts, so no address can reach another
 * file. Every other address is a route of the page and gets `index.html`. An address that looks like a file
 * of an older build gets 404, because a browser must not read HTML as a script.
 */
export async function staticSite(app: FastifyInstance, { folder }: { folder: string }): Promise<void> {
  const files = await listFiles(folder)
  const page = files.get(`/${PAGE_NAME}`)

  app.addHook('onRequest', async (request, reply) => {
    const path = request.raw.url!.split('?', 1)[0]!
    const route = request.routeOptions.url ?? ''
    const file =
      files.get(route === dirname(DEMO_PAGE) ? DEMO_PAGE : route) ?? (isFilePath(path) ? undefined : page)
    if (file === undefined) throw new AppError<GatewayCode>('gateway.not_found')
    reply.headers({ etag: file.tag, 'cache-control': file.cacheControl, vary: 'accept-encoding' })
    if (WIDGET_CODE.test(path)) reply.headers(forOtherPages)
    if (path === FRAME_PAGE) allowFrames(reply)
    if (replyNotModified(request, reply, file.tag)) return reply
  })

  // Their names change with each build, so each file as a route of its own would fill the metrics.
  app.addHook('onRoute', route => {
    const folder = HASHED_FOLDERS.find(hashed => route.url.startsWith(hashed))
    if (folder !== undefined) route.config = { ...route.config, countedAs: `${folder}*` }
  })
  if (page !== undefined) {
    await app.register(fastifyStatic, {
      root: folder,
      wildcard: false,
      index: false,
      globIgnore: ['**/*.br', '**/*.gz'],
      preCompressed: true,
      // The hook above sets these. The plugin's tags and dates depend on the clock of the image's build.
      etag: false,
      lastModified: false,
      cacheControl: false,
      acceptRanges: false,
    })
  }
  if (files.has(DEMO_PAGE)) {
    app.get(dirname(DEMO_PAGE), async (_request, reply) => reply.sendFile(DEMO_PAGE.slice(1)))
  }
  app.get('/*', async (_request, reply) => reply.sendFile(PAGE_NAME))
}

/** Returns whether the folder holds a page. A gateway without one serves only the API and is not ready. */
export function hasPage(folder: string): boolean {
  return existsSync(join(folder, PAGE_NAME))
}

const PAGE_NAME = 'index.html'
/** Vite puts the content's hash into the name of every file here. */
const HASHED_FOLDERS = [
  '/assets/',
  '/widget/assets/',
  '/widget/demo/assets/',
  '/clientside-services/assets/',
] as const
/** The page on which developers try the sign-in widget. Its address is that of its folder. */
const DEMO_PAGE = '/widget/demo/index.html'
/** The code of the sign-in widget, which pages of any origin load. It holds nothing about a person. */
const WIDGET_CODE = /^\/widget\/(?:v1\.js|assets\/[^/]+)$/
const forOtherPages = {
  'access-control-allow-origin': '*',
  'cross-origin-resource-policy': 'cross-origin',
}

/** The page that the provider's own widget puts into a frame, to read phone numbers. It is at its address there. */
const FRAME_PAGE = '/clientside-services/index.html'

/** Lets pages of every origin show a page in a frame. It must hold nothing about a person. */
function allowFrames(reply: FastifyReply): void {
  const policy = String(reply.getHeader('content-security-policy'))
  reply.header('content-security-policy', policy.replace(/frame-ancestors [^;]+/, 'frame-ancestors *'))
  reply.header('cross-origin-resource-policy', 'cross-origin')
  reply.removeHeader('x-frame-options')
}

interface SiteFile {
  readonly tag: string
  readonly cacheControl: string
}

/** Lists all files by their address. */
async function listFiles(folder: string): Promise<ReadonlyMap<string, SiteFile>> {
  const files = new Map<string, SiteFile>()
  if (!hasPage(folder)) return files
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || /\.(br|gz)$/.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    const address = `/${relative(folder, path).split(sep).join('/')}`
    files.set(address, {
      tag: contentTag(await readFile(path)),
      cacheControl: isHashed(address) ? 'public, max-age=31536000, immutable' : 'no-cache',
    })
  }
  return files
}

function isFilePath(path: string): boolean {
  return isHashed(path) || fileExtensions.test(path)
}

function isHashed(address: string): boolean {
  return HASHED_FOLDERS.some(folder => address.startsWith(folder))
}

const fileExtensions =
  /\.(?:avif|css|gif|html?|ico|jpe?g|js|json|map|mjs|png|svg|txt|wasm|webmanifest|webp|woff2?|xml)$/i
