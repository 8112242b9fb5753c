import type { LocalFrame } from '@lapwing/lap-map/ground'
import { TilesRenderer } from '3d-tiles-renderer'
import {
  CesiumIonAuthPlugin,
  GLTFExtensionsPlugin,
  GoogleCloudAuthPlugin,
  ImageOverlayPlugin,
  TerrariumMeshPlugin,
  XYZTilesOverlay,
} from '3d-tiles-renderer/plugins'
import { Group, Matrix4, type PerspectiveCamera, Raycaster, Vector3, type WebGLRenderer } from 'three'
import { DRACOLoader } from 'three/addons/loaders/DRACOLoader.js'
import type { MapSources, PhotoSource } from '#shared/config/map-sources.ts'
import { FinalError } from '../../load-once.ts'
import type { ScenePoint } from '../camera-pose.ts'
import type { PhotoCredit } from '../scene-status.ts'
import { loadRoot, type RootTileset } from './fetch-root.ts'

/** Photographed ground from a provider. */
export type PhotoGround = ReturnType<typeof openPhotoGround>

export interface PhotoEvents {
  /** The scene must be drawn again. */
  readonly onChange: () => void
  /** The first tile is there. */
  readonly onShown: () => void
  /** Nothing came. `status` is the HTTP status of a refusal; null without one. */
  readonly onFailed: (status: number | null) => void
  /** The credits of what is visible changed. */
  readonly onCredit: (credit: PhotoCredit | null) => void
}

/** Milliseconds until a source without a tile counts as missing. */
const PATIENCE_MS = 12_000

/** Failed tiles without a good one before, until the source counts as missing. */
const MANY_FAILURES = 3

/** Rays that measure the ground below the lap, and metres from which they fall. */
const RAYS = 48
const RAY_FROM_M = 4000

/** Metres. A smaller change of the level is not worth a jump of the picture. */
const LEVEL_STEP_M = 0.2

/** Pixels that a tile may be off. The plugins ask for more tiles than a screen shows. */
const TERRAIN_ERROR_PX = 6

/**
 * Opens the ground of a source around a place. It levels itself to the lap: the simulator's altitudes and those
 * of the source differ by one height.
 *
 * @param points of the lap on our own ground
 */
export function openPhotoGround(
  source: PhotoSource,
  satellite: MapSources['satellite'],
  frame: LocalFrame,
  points: readonly ScenePoint[],
  renderer: WebGLRenderer,
  events: PhotoEvents,
) {
  const tiles = new TilesRenderer(source.kind === 'tiles' ? source.url : undefined)
  const group = new Group()
  group.add(tiles.group)
  placeTiles(tiles.group, frame)
  const draco = createDracoLoader()
  tiles.registerPlugin(new GLTFExtensionsPlugin({ dracoLoader: draco }))
  tiles.fetchOptions = { credentials: 'omit', referrerPolicy: 'origin' }
  addSource(tiles, source, satellite, renderer)

  let state: 'waiting' | 'shown' | 'failed' = 'waiting'
  let failures = 0
  let credit: string | null = null
  const patience = setTimeout(() => fail(null), PATIENCE_MS)

  function fail(status: number | null) {
    if (state !== 'waiting') return
    state = 'failed'
    clearTimeout(patience)
    events.onFailed(status)
  }

  tiles.addEventListener('load-model', () => {
    if (state === 'waiting') {
      state = 'shown'
      clearTimeout(patience)
      events.onShown()
    }
    events.onChange()
  })
  tiles.addEventListener('load-error', ({ tile, error }) => {
    if (tile === null) fail(statusOf(error))
    else if (++failures >= MANY_FAILURES) fail(null)
  })
  for (const name of ['needs-update', 'load-tileset', 'tile-visibility-change'] as const) {
    tiles.addEventListener(name, events.onChange)
  }
  tiles.addEventListener('tiles-load-end', () => {
    level()
    events.onChange()
  })

  const ray = new Raycaster()

  /** Moves the ground by one height, the median of what rays measure along the lap. */
  function level() {
    group.updateMatrixWorld(true)
    const gaps: number[] = []
    const every = Math.max(1, Math.floor(points.length / RAYS))
    for (let i = 0; i < points.length; i += every) {
      const { x, y, z } = points[i]!
      ray.set(new Vector3(x, RAY_FROM_M, z), new Vector3(0, -1, 0))
      const [hit] = ray.intersectObject(tiles.group, true)
      if (hit) gaps.push(hit.point.y - y)
    }
    if (gaps.length === 0) return
    const gap = gaps.sort((a, b) => a - b)[Math.floor(gaps.length / 2)]!
    if (Math.abs(gap) < LEVEL_STEP_M) return
    group.position.y -= gap
    group.updateMatrixWorld(true)
  }

  return {
    group,
    /** Loads what the camera sees. */
    update(camera: PerspectiveCamera) {
      tiles.setCamera(camera)
      tiles.setResolutionFromRenderer(camera, renderer)
      tiles.update()
      const next = creditOf(tiles, source, satellite)
      if (next === credit) return
      credit = next
      events.onCredit(
        next === null ? null : { isOfGoogle: googlePlugin(tiles) !== null, logo: logoOf(source), text: next },
      )
    },
    /** Metres by which the ground was moved to the lap. */
    levelM: () => group.position.y,
    dispose() {
      clearTimeout(patience)
      state = 'failed'
      group.removeFromParent()
      tiles.dispose()
      draco.dispose()
    },
  }
}

function addSource(
  tiles: TilesRenderer,
  source: PhotoSource,
  satellite: MapSources['satellite'],
  renderer: WebGLRenderer,
) {
  switch (source.kind) {
    case 'google': {
      const google = new GoogleCloudAuthPlugin({ apiToken: source.key, autoRefreshToken: true })
      tiles.registerPlugin(rootPlugin(() => loadGoogleRoot(google)))
      tiles.registerPlugin(google)
      return
    }
    case 'ion': {
      const ion = new CesiumIonAuthPlugin({
        apiToken: source.token,
        assetId: String(source.assetId),
        autoRefreshToken: true,
      })
      loadEndpointOnce(ion, source)
      // Cesium ion can name the tiles of Google, and then adds the plugin for them.
      tiles.registerPlugin(
        rootPlugin(() => {
          const google = googlePlugin(tiles)
          return google && loadGoogleRoot(google)
        }),
      )
      tiles.registerPlugin(ion)
      return
    }
    case 'tiles':
      tiles.registerPlugin(rootPlugin(() => loadRoot.tiles({ url: source.url })))
      return
    case 'terrain': {
      const { terrain } = source
      const heights = new TerrariumMeshPlugin({
        url: terrain.tiles,
        tileDimension: terrain.tileSize,
        maxZoom: terrain.maxZoom,
        // Photographs have their own light.
        unlit: true,
      })
      // Only names a tile: the heights come from `terrain.tiles`. The library fails for a name without a suffix.
      heights.getUrl = (x, y, level) => `${new URL(terrain.tiles).origin}/${level}/${x}/${y}.heights`
      tiles.registerPlugin(heights)
      tiles.errorTarget = TERRAIN_ERROR_PX
      const pictures = new XYZTilesOverlay({
        url: satellite!.tiles,
        levels: satellite!.maxZoom + 1,
        tileDimension: satellite!.tileSize,
      })
      tiles.registerPlugin(new ImageOverlayPlugin({ renderer, overlays: [pictures] }))
    }
  }
}

/** Answers the first request, which is that of the root. If `load` returns null, another plugin answers it. */
function rootPlugin(load: () => Promise<RootTileset> | null) {
  let isFirst = true
  return {
    name: 'LAPWING_ROOT',
    priority: -100,
    fetchData() {
      if (!isFirst) return null
      isFirst = false
      return load()
    },
  }
}

async function loadGoogleRoot(google: GoogleCloudAuthPlugin): Promise<RootTileset> {
  const { apiToken, auth } = google as unknown as {
    readonly apiToken: string
    readonly auth: { sessionToken: string | null }
  }
  const { root, session } = await loadRoot.google({ key: apiToken })
  // The plugin sends it with each tile; its type does not mention it.
  auth.sessionToken = session
  return root
}

/** Lets the plugin use the endpoint that the page has loaded. It asks for a newer token itself. */
function loadEndpointOnce(ion: CesiumIonAuthPlugin, { token, assetId }: PhotoSource & { kind: 'ion' }): void {
  const { auth } = ion as unknown as { readonly auth: IonAuth }
  const refresh = auth.refreshToken.bind(auth)
  let isFirst = true
  auth.refreshToken = async options => {
    if (!isFirst) return refresh(options)
    isFirst = false
    const endpoint = await loadRoot.ion({ token, assetId })
    if (endpoint.accessToken && endpoint.url) {
      auth._bearerToken = `Bearer ${endpoint.accessToken}`
      auth._bearerHostname = new URL(endpoint.url).host
    }
    return endpoint
  }
}

/** The part of the plugin that its types do not mention. */
interface IonAuth {
  refreshToken: (options?: unknown) => Promise<unknown>
  _bearerToken: string | null
  _bearerHostname: string | null
}

/** Puts the place of the frame at the origin: east along x, up along y, south along z. */
function placeTiles(group: Group, frame: LocalFrame) {
  const origin = new Vector3(...frame.fromLocal(0, 0, 0))
  const axis = (x: number, y: number, z: number) => new Vector3(...frame.fromLocal(x, y, z)).sub(origin)
  const toEarth = new Matrix4().makeBasis(axis(1, 0, 0), axis(0, 1, 0), axis(0, 0, 1)).setPosition(origin)
  toEarth.invert().decompose(group.position, group.quaternion, group.scale)
}

function createDracoLoader() {
  const loader = new DRACOLoader()
  loader.setWorkerLimit(2)
  return loader
}

/** Returns the HTTP status of a refusal; null if it is unknown. */
function statusOf(error: unknown): number | null {
  if (error instanceof FinalError) return error.status
  // The libraries say it in words only.
  const status = /\b(40[13])\b/.exec(String((error as Error)?.message))?.[1]
  return status ? Number(status) : null
}

/** Returns the credits of the visible tiles as text; null without tiles. */
function creditOf(
  tiles: TilesRenderer,
  source: PhotoSource,
  satellite: MapSources['satellite'],
): string | null {
  if (source.kind === 'tiles') return source.attribution
  if (source.kind === 'terrain')
    return [satellite!.attribution, source.terrain.attribution].map(plain).join(', ')
  const visible = tiles
    .getAttributions()
    .filter(({ type }) => type !== 'image')
    .map(({ value }) => plain(String(value)))
  if (tiles.visibleTiles.size === 0) return null
  return [...visible, ...(source.kind === 'ion' ? ['Cesium ion'] : [])].filter(Boolean).join(', ')
}

/** Returns the plugin for tiles of Google, which Cesium ion can add, too; null without one. */
function googlePlugin(tiles: TilesRenderer): GoogleCloudAuthPlugin | null {
  return tiles.getPluginByName('GOOGLE_CLOUD_AUTH_PLUGIN') as GoogleCloudAuthPlugin | null
}

const logoOf = (source: PhotoSource) => ('logo' in source ? (source.logo ?? null) : null)

/** Returns the text of HTML, with the words for its pictures. */
function plain(html: string): string {
  const { body } = new DOMParser().parseFromString(html, 'text/html')
  for (const picture of body.querySelectorAll('img')) picture.replaceWith(picture.alt)
  return body.textContent.trim()
}
