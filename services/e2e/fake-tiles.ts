import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32, deflateSync } from 'node:zlib'
import { localFrame } from '@lapwing/lap-map/ground'

/** How the server answers requests for tiles. */
export type TileAnswer =
  | 'picture'
  | 'absent'
  | 'page'
  | 'silence'
  | 'huge'
  | 'refused'
  | 'limited'
  | 'truncated'

/** A server of map pictures on a free port: raster tiles, a vector style and its tiles, 3D tiles. */
export interface FakeTiles {
  readonly url: string
  /** Address of a vector style, whose tiles are one green area. */
  readonly style: string
  /** Address of raster tiles, all blue. */
  readonly raster: string
  /** Address of heights in the format Terrarium, all of them that of `ground`. */
  readonly terrain: string
  /** Address of a 3D tileset: one flat square of 8 km around `ground`, all magenta. */
  readonly tileset: string
  /** The place of the square. */
  ground: { readonly lat: number; readonly lon: number; readonly altM: number }
  /** Paths of all requests so far. */
  readonly requests: string[]
  answer: TileAnswer
  close(): Promise<void>
}

export const BLUE = [30, 60, 200] as const
export const GREEN = [40, 120, 60] as const
export const MAGENTA = [255, 0, 255] as const

/** The paths of Google's 3D tiles, and what it asks for in them. */
export const GOOGLE_ROOT = '/v1/3dtiles/root.json'
export const GOOGLE_KEY = 'fake-google-key'
const GOOGLE_TILE = '/v1/3dtiles/datasets/ground.glb'
const GOOGLE_SESSION = 'fake-session'

/** Starts the server. It answers every origin, as public tile servers do. */
export async function startFakeTiles(): Promise<FakeTiles> {
  const server = createServer(handle)
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const fake: FakeTiles = {
    url,
    style: `${url}/style.json`,
    raster: `${url}/raster/{z}/{x}/{y}.png`,
    terrain: `${url}/terrain/{z}/{x}/{y}.png`,
    tileset: `${url}/3d/tileset.json`,
    ground: { lat: 0, lon: 0, altM: 0 },
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
    const asked = new URL(path, url)
    const isOfGoogle = asked.pathname.startsWith('/v1/3dtiles/')
    if (isOfGoogle && asked.searchParams.get('key') !== GOOGLE_KEY) {
      response.writeHead(403).end('{"error":{"status":"PERMISSION_DENIED"}}')
      return
    }
    switch (fake.answer) {
      case 'limited':
        response.writeHead(429).end('{}')
        return
      case 'truncated':
        response.writeHead(200, { 'content-type': 'application/json' }).end('{"asset":{"version":"1.0"},"ro')
        return
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
        if (asked.pathname === GOOGLE_ROOT) {
          return sendJson(response, tilesetOf(fake.ground, `${GOOGLE_TILE}?session=${GOOGLE_SESSION}`))
        }
        if (path === '/3d/tileset.json') return sendJson(response, tilesetOf(fake.ground, 'ground.glb'))
        if (asked.pathname.endsWith('/ground.glb')) {
          if (isOfGoogle && asked.searchParams.get('session') !== GOOGLE_SESSION) {
            response.writeHead(400).end('{}')
          } else response.writeHead(200, { 'content-type': 'model/gltf-binary' }).end(GROUND_GLB)
          return
        }
        if (path.startsWith('/raster/'))
          response.writeHead(200, { 'content-type': 'image/png' }).end(BLUE_PNG)
        else if (path.startsWith('/terrain/'))
          response
            .writeHead(200, { 'content-type': 'image/png' })
            .end(png(256, heightColour(fake.ground.altM)))
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

function tilesetOf({ lat, lon, altM }: FakeTiles['ground'], uri: string) {
  const frame = localFrame(lat, lon, altM)
  const origin = frame.fromLocal(0, 0, 0)
  // East, north and up of the place, in metres from the middle of the Earth.
  const axes = [
    [1, 0, 0],
    [0, 0, -1],
    [0, 1, 0],
  ].map(([x, y, z]) => frame.fromLocal(x!, y!, z!).map((value, i) => value - origin[i]!))
  return {
    asset: { version: '1.0' },
    geometricError: 500,
    root: {
      transform: [...axes.flatMap(axis => [...axis, 0]), ...origin, 1],
      boundingVolume: { box: [0, 0, 0, HALF_M, 0, 0, 0, HALF_M, 0, 0, 0, 100] },
      geometricError: 0,
      refine: 'REPLACE',
      content: { uri },
    },
  }
}

const HALF_M = 4000

/** A flat magenta square as binary glTF, whose `y` is up. */
const GROUND_GLB = glb()

function glb(): Buffer {
  const corners = Float32Array.of(
    -HALF_M,
    0,
    -HALF_M,
    HALF_M,
    0,
    -HALF_M,
    -HALF_M,
    0,
    HALF_M,
    HALF_M,
    0,
    HALF_M,
  )
  const data = Buffer.concat([
    Buffer.from(corners.buffer),
    Buffer.from(Uint16Array.of(0, 2, 1, 1, 2, 3).buffer),
  ])
  const text = JSON.stringify({
    asset: { version: '2.0', copyright: 'Fake Survey;Other Survey' },
    extensionsUsed: ['KHR_materials_unlit'],
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [{ primitives: [{ attributes: { POSITION: 0 }, indices: 1, material: 0 }] }],
    materials: [
      {
        pbrMetallicRoughness: { baseColorFactor: [1, 0, 1, 1] },
        extensions: { KHR_materials_unlit: {} },
        doubleSided: true,
      },
    ],
    accessors: [
      {
        bufferView: 0,
        componentType: 5126,
        count: 4,
        type: 'VEC3',
        min: [-HALF_M, 0, -HALF_M],
        max: [HALF_M, 0, HALF_M],
      },
      { bufferView: 1, componentType: 5123, count: 6, type: 'SCALAR' },
    ],
    bufferViews: [
      { buffer: 0, byteOffset: 0, byteLength: 48 },
      { buffer: 0, byteOffset: 48, byteLength: 12 },
    ],
    buffers: [{ byteLength: 60 }],
  })
  const json = Buffer.from(text.padEnd(Math.ceil(text.length / 4) * 4))
  const words = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer)
  return Buffer.concat([
    words(0x46546c67, 2, 12 + 8 + json.length + 8 + data.length),
    words(json.length, 0x4e4f534a),
    json,
    words(data.length, 0x004e4942),
    data,
  ])
}

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

/** Terrarium: metres above -32,768 as a number of 16 bits, and 256ths of a metre. */
function heightColour(heightM: number): readonly [number, number, number] {
  const above = heightM + 32_768
  return [Math.floor(above / 256), Math.floor(above) % 256, Math.floor((above % 1) * 256)]
}

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
