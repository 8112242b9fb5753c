import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { crc32, deflateSync } from 'node:zlib'
import { localFrame } from '@lapwing/lap-map/ground'
import draco3d from 'draco3d'

/** How the server answers requests for tiles. `held`: not before `release`. */
export type TileAnswer =
  | 'picture'
  | 'held'
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
  /** Address of the same tileset, whose tile is compressed with Draco. */
  readonly dracoTileset: string
  /** Address of a 3D tileset: one flat square of 8 km around `ground`, all magenta. */
  readonly tileset: string
  /** The place of the square. */
  ground: { readonly lat: number; readonly lon: number; readonly altM: number }
  /** Paths of all requests so far. */
  readonly requests: string[]
  answer: TileAnswer
  /** Answers all requests that are held, and all later ones, with pictures. */
  release(): void
  close(): Promise<void>
}

export const BLUE = [30, 60, 200] as const
export const GREEN = [40, 120, 60] as const
export const MAGENTA = [255, 0, 255] as const

/** The paths of Google's 3D tiles, and what it asks for in them. */
export const GOOGLE_ROOT = '/v1/3dtiles/root.json'
export const GOOGLE_KEY = 'fake-google-key'
const GOOGLE_TILES = '/v1/3dtiles/datasets'
const GOOGLE_SESSION = 'fake-session'

/** Cesium ion: a tileset of its own, and that of Google. The key of the latter is ion's. */
export const ION_TOKEN = 'fake-ion-token'
export const ION_ASSET = 7
export const ION_GOOGLE_ASSET = 2_275_207
const ION_SESSION = 'fake-ion-session'

/** Starts the server. It answers every origin, as public tile servers do. */
export async function startFakeTiles(): Promise<FakeTiles> {
  const server = createServer(handle)
  const held: (readonly [IncomingMessage, ServerResponse])[] = []
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const fake: FakeTiles = {
    url,
    style: `${url}/style.json`,
    raster: `${url}/raster/{z}/{x}/{y}.png`,
    terrain: `${url}/terrain/{z}/{x}/{y}.png`,
    tileset: `${url}/3d/tileset.json`,
    dracoTileset: `${url}/3d/draco/tileset.json`,
    ground: { lat: 0, lon: 0, altM: 0 },
    requests: [],
    answer: 'picture',
    release() {
      fake.answer = 'picture'
      for (const [request, response] of held.splice(0)) answer(request, response)
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }

  function handle(request: IncomingMessage, response: ServerResponse) {
    fake.requests.push(request.url!)
    response.setHeader('access-control-allow-origin', '*')
    answer(request, response)
  }

  function answer(request: IncomingMessage, response: ServerResponse) {
    const { url: path = '', headers } = request
    if (path === '/style.json') return sendJson(response, styleOf(url))
    if (path.startsWith('/street')) return sendJson(response, { street: path })
    const asked = new URL(path, url)
    const isOfGoogle = asked.pathname.startsWith('/v1/3dtiles/')
    if (isOfGoogle && asked.searchParams.get('key') !== GOOGLE_KEY) {
      response.writeHead(403).end('{"error":{"status":"PERMISSION_DENIED"}}')
      return
    }
    const ionAsset = /^\/v1\/assets\/(\d+)\/endpoint$/.exec(asked.pathname)?.[1]
    if (ionAsset && asked.searchParams.get('access_token') !== ION_TOKEN) {
      response.writeHead(401).end('{"code":"InvalidCredentials"}')
      return
    }
    switch (fake.answer) {
      case 'limited':
        response.writeHead(429).end('{}')
        return
      case 'held':
        held.push([request, response])
        return
      case 'truncated':
        if (path.startsWith('/raster/')) {
          response.writeHead(200, { 'content-type': 'image/png', 'content-length': BLUE_PNG.length })
          response.write(BLUE_PNG.subarray(0, BLUE_PNG.length / 2), () => response.destroy())
        } else {
          response
            .writeHead(200, { 'content-type': 'application/json' })
            .end('{"asset":{"version":"1.0"},"ro')
        }
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
          const tiles = ['ground.glb', 'other.glb'].map(
            name => `${GOOGLE_TILES}/${name}?session=${GOOGLE_SESSION}`,
          )
          return sendJson(response, tilesetOf(fake.ground, tiles))
        }
        if (ionAsset) return sendJson(response, ionEndpoint(Number(ionAsset)))
        if (asked.pathname === ION_TILESET && headers.authorization !== `Bearer ${ION_SESSION}`) {
          response.writeHead(401).end('{"code":"InvalidCredentials"}')
          return
        }
        if (asked.pathname.endsWith('/tileset.json')) {
          return sendJson(response, tilesetOf(fake.ground, ['ground.glb']))
        }
        if (asked.pathname.endsWith('.glb')) {
          if (isOfGoogle && asked.searchParams.get('session') !== GOOGLE_SESSION) {
            response.writeHead(400).end('{}')
          } else response.writeHead(200, { 'content-type': 'model/gltf-binary' }).end(glbAt(asked.pathname))
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

const ION_TILESET = `/${ION_ASSET}/tileset.json`

function ionEndpoint(asset: number) {
  return asset === ION_GOOGLE_ASSET
    ? {
        type: '3DTILES',
        externalType: '3DTILES',
        options: { url: `https://tile.googleapis.com${GOOGLE_ROOT}?key=${GOOGLE_KEY}` },
      }
    : {
        type: '3DTILES',
        url: `https://assets.ion.cesium.com${ION_TILESET}?v=3`,
        accessToken: ION_SESSION,
        attributions: [
          { html: '<a href="/"><img alt="Ion Survey" src="/logo.png"></a>', collapsible: false },
        ],
      }
}

/** A tileset of tiles that all lie on the same square. */
function tilesetOf({ lat, lon, altM }: FakeTiles['ground'], uris: readonly string[]) {
  const frame = localFrame(lat, lon, altM)
  const origin = frame.fromLocal(0, 0, 0)
  // East, north and up of the place, in metres from the middle of the Earth.
  const axes = [
    [1, 0, 0],
    [0, 0, -1],
    [0, 1, 0],
  ].map(([x, y, z]) => frame.fromLocal(x!, y!, z!).map((value, i) => value - origin[i]!))
  const boundingVolume = { box: [0, 0, 0, HALF_M, 0, 0, 0, HALF_M, 0, 0, 0, 100] }
  return {
    asset: { version: '1.0' },
    geometricError: 500,
    root: {
      transform: [...axes.flatMap(axis => [...axis, 0]), ...origin, 1],
      boundingVolume,
      geometricError: 500,
      refine: 'ADD',
      children: uris.map(uri => ({ boundingVolume, geometricError: 0, content: { uri } })),
    },
  }
}

const HALF_M = 4000

/** The corners of a flat square, whose `y` is up, and its two triangles. */
const CORNERS = Float32Array.from([-1, 0, -1, 1, 0, -1, -1, 0, 1, 1, 0, 1], at => at * HALF_M)
const TRIANGLES = Uint16Array.of(0, 2, 1, 1, 2, 3)

/** The square with Draco, which is 100 bytes. */
const DRACO_SQUARE = await encodeDraco()

/** Returns the tile of this address: a magenta square. */
function glbAt(path: string): Buffer {
  if (path.endsWith('/other.glb')) return glb('Other Survey', false)
  return glb('Fake Survey;Other Survey', path.includes('/draco/'))
}

/** Returns binary glTF. Only its credit, and whether it is compressed, differ. */
function glb(copyright: string, isDraco: boolean): Buffer {
  const parts = isDraco ? [DRACO_SQUARE] : [Buffer.from(CORNERS.buffer), Buffer.from(TRIANGLES.buffer)]
  const data = padded(Buffer.concat(parts), 0)
  const views = parts.map(({ length }, i) => ({
    buffer: 0,
    byteOffset: i * parts[0]!.length,
    byteLength: length,
  }))
  const compression = { KHR_draco_mesh_compression: { bufferView: 0, attributes: { POSITION: 0 } } }
  const text = JSON.stringify({
    asset: { version: '2.0', copyright },
    extensionsUsed: ['KHR_materials_unlit', ...(isDraco ? ['KHR_draco_mesh_compression'] : [])],
    scene: 0,
    scenes: [{ nodes: [0] }],
    nodes: [{ mesh: 0 }],
    meshes: [
      {
        primitives: [
          {
            attributes: { POSITION: 0 },
            indices: 1,
            material: 0,
            ...(isDraco && { extensions: compression }),
          },
        ],
      },
    ],
    materials: [
      {
        pbrMetallicRoughness: { baseColorFactor: [1, 0, 1, 1] },
        extensions: { KHR_materials_unlit: {} },
        doubleSided: true,
      },
    ],
    accessors: [
      {
        ...(!isDraco && { bufferView: 0 }),
        componentType: 5126,
        count: 4,
        type: 'VEC3',
        min: [-HALF_M, 0, -HALF_M],
        max: [HALF_M, 0, HALF_M],
      },
      { ...(!isDraco && { bufferView: 1 }), componentType: 5123, count: 6, type: 'SCALAR' },
    ],
    bufferViews: views,
    buffers: [{ byteLength: data.length }],
  })
  const json = padded(Buffer.from(text), 0x20)
  const words = (...values: number[]) => Buffer.from(Uint32Array.from(values).buffer)
  return Buffer.concat([
    words(0x46546c67, 2, 12 + 8 + json.length + 8 + data.length),
    words(json.length, 0x4e4f534a),
    json,
    words(data.length, 0x004e4942),
    data,
  ])
}

/** Chunks of binary glTF are whole words. */
function padded(bytes: Buffer, filler: number): Buffer {
  return Buffer.concat([bytes, Buffer.alloc(-bytes.length & 3, filler)])
}

async function encodeDraco(): Promise<Buffer> {
  const draco = await draco3d.createEncoderModule({})
  const [encoder, builder, mesh] = [new draco.Encoder(), new draco.MeshBuilder(), new draco.Mesh()]
  builder.AddFacesToMesh(mesh, TRIANGLES.length / 3, TRIANGLES)
  builder.AddFloatAttribute(mesh, draco.POSITION, CORNERS.length / 3, 3, CORNERS)
  const encoded = new draco.DracoInt8Array()
  const length = encoder.EncodeMeshToDracoBuffer(mesh, encoded)
  return Buffer.from(Array.from({ length }, (_, i) => encoded.GetValue(i)))
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
