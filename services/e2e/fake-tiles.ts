import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32, deflateSync } from 'node:zlib'

/** How the server answers requests for tiles. */
export type TileAnswer = 'picture' | 'absent' | 'page' | 'silence' | 'huge' | 'refused'

/** A server of map pictures on a free port: raster tiles, a vector style and its tiles. */
export interface FakeTiles {
  readonly url: string
  /** Address of a vector style, whose tiles are one green area. */
  readonly style: string
  /** Address of raster tiles, all blue. */
  readonly raster: string
  /** Paths of all requests so far. */
  readonly requests: string[]
  answer: TileAnswer
  close(): Promise<void>
}

export const BLUE = [30, 60, 200] as const
export const GREEN = [40, 120, 60] as const

/** Starts the server. It answers every origin, as public tile servers do. */
export async function startFakeTiles(): Promise<FakeTiles> {
  const server = createServer(handle)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const fake: FakeTiles = {
    url,
    style: `${url}/style.json`,
    raster: `${url}/raster/{z}/{x}/{y}.png`,
    requests: [],
    answer: 'picture',
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }

  function handle({ url: path = '' }: IncomingMessage, response: ServerResponse) {
    fake.requests.push(path)
    response.setHeader('access-control-allow-origin', '*')
    if (path === '/style.json') return sendJson(response, styleOf(url))
    if (path.startsWith('/street')) return sendJson(response, { street: path })
    switch (fake.answer) {
      case 'silence':
        return
      case 'absent':
        response.writeHead(404).end()
        return
      case 'refused':
        response.writeHead(403).end('The key is not valid.')
        return
      case 'page':
        response
          .writeHead(200, { 'content-type': 'text/html' })
          .end('<!doctype html><p>Sign in to the network</p>')
        return
      case 'huge':
        response.writeHead(200, { 'content-type': 'image/png' }).end(Buffer.alloc(10 * 1024 * 1024, 7))
        return
      case 'picture':
        if (path.startsWith('/raster/'))
          response.writeHead(200, { 'content-type': 'image/png' }).end(BLUE_PNG)
        else response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end(AREA_TILE)
    }
  }

  return fake
}

function sendJson(response: ServerResponse, body: unknown) {
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
}

const styleOf = (url: string) => ({
  version: 8,
  sources: {
    land: {
      type: 'vector',
      tiles: [`${url}/vector/{z}/{x}/{y}.pbf`],
      maxzoom: 14,
      attribution: '<a href="https://maps.example/">© Fake Streets</a>',
    },
  },
  layers: [
    { id: 'background', type: 'background', paint: { 'background-color': '#000000' } },
    {
      id: 'area',
      type: 'fill',
      source: 'land',
      'source-layer': 'area',
      paint: { 'fill-color': `rgb(${GREEN.join(' ')})` },
    },
  ],
})

/** A vector tile with one polygon that covers it (Mapbox Vector Tile 2.1). */
const AREA_TILE = message(
  3,
  Buffer.concat([
    message(1, Buffer.from('area')),
    message(
      2,
      Buffer.concat([
        varintField(3, 3),
        // Move to a corner outside, three lines, close; steps in zigzag of 4,224.
        message(
          4,
          Buffer.from([
            9,
            ...zigzag(-64),
            ...zigzag(-64),
            26,
            ...zigzag(4224),
            ...zigzag(0),
            ...zigzag(0),
            ...zigzag(4224),
            ...zigzag(-4224),
            ...zigzag(0),
            15,
          ]),
        ),
      ]),
    ),
    varintField(5, 4096),
    varintField(15, 2),
  ]),
)

function message(field: number, bytes: Buffer): Buffer {
  return Buffer.concat([Buffer.from([(field << 3) | 2, ...varint(bytes.length)]), bytes])
}

function varintField(field: number, value: number): Buffer {
  return Buffer.from([field << 3, ...varint(value)])
}

function varint(value: number): number[] {
  return value < 128 ? [value] : [(value & 127) | 128, ...varint(value >>> 7)]
}

function zigzag(value: number): number[] {
  return varint((value << 1) ^ (value >> 31))
}

/** A picture of 256 × 256 blue pixels. */
const BLUE_PNG = png(256, BLUE)

function png(size: number, [red, green, blue]: readonly [number, number, number]): Buffer {
  const row = Buffer.concat([
    Buffer.from([0]),
    Buffer.concat(Array(size).fill(Buffer.from([red, green, blue]))),
  ])
  const header = Buffer.alloc(13)
  header.writeUInt32BE(size, 0)
  header.writeUInt32BE(size, 4)
  header.set([8, 2, 0, 0, 0], 8)
  return Buffer.concat([
    Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(Buffer.concat(Array(size).fill(row)))),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data])
  const length = Buffer.alloc(4)
  length.writeUInt32BE(data.length)
  const check = Buffer.alloc(4)
  check.writeUInt32BE(crc32(body))
  return Buffer.concat([length, body, check])
}
