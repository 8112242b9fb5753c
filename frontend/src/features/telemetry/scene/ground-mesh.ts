import type { Terrain, TrackSurface } from '@lapwing/lap-map/ground'
import {
  BufferAttribute,
  BufferGeometry,
  DoubleSide,
  type IUniform,
  Matrix4,
  Mesh,
  type Object3D,
  ShaderMaterial,
  Vector3,
} from 'three'
import {
  LAND_FRAGMENT,
  LAND_VERTEX,
  ROAD_FRAGMENT,
  ROAD_VERTEX,
  SKY_FRAGMENT,
  SKY_VERTEX,
} from './scene-shaders.ts'
import type { Rgb, SkyLight } from './sky-light.ts'

/** Pixels of the road, at least; about as on the flat map. */
const LEAST_ROAD_PX = 14

/** Laps that lie this far apart have a kerb beside them, in metres. */
const KERB_FROM_M = 1.2

/** Metres between two lines of equal height: so that the land has about this many. */
const CONTOURS = 14

/** Values that land, road and sky read in their shaders. */
export type GroundUniforms = ReturnType<typeof groundUniforms>

export function groundUniforms() {
  const value = <T>(of: T): IUniform<T> => ({ value: of })
  return {
    sun: value(new Vector3(0, 1, 0)),
    sunColour: value(new Vector3()),
    fromSky: value(new Vector3()),
    fromGround: value(new Vector3()),
    zenith: value(new Vector3()),
    horizon: value(new Vector3()),
    clouds: value(0),
    landLow: value(new Vector3()),
    landHigh: value(new Vector3()),
    roadColour: value(new Vector3()),
    paint: value(1),
    hazeFrom: value(1000),
    hazeFade: value(4000),
    /** Pixels of one metre at a distance of one metre. */
    focalPx: value(1000),
    fromClip: value(new Matrix4()),
  }
}

export function setLight(uniforms: GroundUniforms, light: SkyLight): void {
  const put = (target: IUniform<Vector3>, [r, g, b]: Rgb) => target.value.set(r, g, b)
  put(uniforms.sun, light.sun)
  put(uniforms.sunColour, light.sunColour)
  put(uniforms.fromSky, light.fromSky)
  put(uniforms.fromGround, light.fromGround)
  put(uniforms.zenith, light.zenith)
  put(uniforms.horizon, light.horizon)
  put(uniforms.landLow, light.land[0])
  put(uniforms.landHigh, light.land[1])
  put(uniforms.roadColour, light.road)
  uniforms.paint.value = light.paint
  uniforms.clouds.value = light.clouds
}

/** Creates the sky: one triangle behind everything. */
export function skyMesh(uniforms: GroundUniforms): Mesh {
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(Float32Array.of(-1, -1, 0, 3, -1, 0, -1, 3, 0), 3))
  const material = new ShaderMaterial({
    uniforms,
    vertexShader: SKY_VERTEX,
    fragmentShader: SKY_FRAGMENT,
    depthWrite: false,
  })
  return drawn(new Mesh(geometry, material), 3)
}

/** Creates the land around the road. */
export function landMesh({ side, points, toRoad }: Terrain, uniforms: GroundUniforms): Mesh {
  const geometry = new BufferGeometry()
  geometry.setAttribute('position', new BufferAttribute(points, 3))
  geometry.setAttribute('toRoad', new BufferAttribute(toRoad, 1))
  const corners: number[] = []
  for (let row = 0; row + 1 < side; row++) {
    for (let column = 0; column + 1 < side; column++) {
      const at = row * side + column
      corners.push(at, at + side, at + 1, at + 1, at + side, at + side + 1)
    }
  }
  geometry.setIndex(corners)
  geometry.computeVertexNormals()
  const heights = points.filter((_, i) => i % 3 === 1)
  const relief = heights.reduce((most, y) => Math.max(most, y), 0) - heights.reduce((a, b) => Math.min(a, b))
  const material = new ShaderMaterial({
    uniforms: { ...uniforms, contourM: { value: contourSpacing(relief) } },
    vertexShader: LAND_VERTEX,
    fragmentShader: LAND_FRAGMENT,
  })
  return drawn(new Mesh(geometry, material), 0)
}

/** Returns the next larger 1, 2 or 5 times a power of ten. */
function contourSpacing(relief: number): number {
  const wanted = Math.max(0.5, relief / CONTOURS)
  const power = 10 ** Math.floor(Math.log10(wanted))
  return power * ([1, 2, 5].find(times => times * power >= wanted) ?? 10)
}

/** Creates a piece of the road. Its shader draws the edges, the kerbs and the start line. */
export function roadMesh(surface: TrackSurface, uniforms: GroundUniforms): Mesh {
  const { x, y, z, leftX, leftZ, toLeft, toRight, spread, stepM, isClosed } = surface
  const count = x.length
  const rows = isClosed ? count + 1 : count
  const position = new Float32Array(rows * 6)
  const normal = new Float32Array(rows * 6)
  const left = new Float32Array(rows * 4)
  const edges = new Float32Array(rows * 4)
  const side = new Float32Array(rows * 2)
  const kerb = new Float32Array(rows * 2)
  const along = new Float32Array(rows * 2)
  const corners: number[] = []
  for (let row = 0; row < rows; row++) {
    const i = row % count
    const next = Math.min(count - 1, i + 1)
    const before = Math.max(0, i - 1)
    const slope = (y[next]! - y[before]!) / (stepM * Math.max(1, next - before))
    // The driving direction is a quarter turn to the right of `left`.
    const up = [leftZ[i]! * slope, 1, -leftX[i]! * slope]
    for (const [half, sign] of [1, -1].entries()) {
      const at = 2 * row + half
      position.set([x[i]!, y[i]!, z[i]!], 3 * at)
      normal.set(up, 3 * at)
      left.set([leftX[i]!, leftZ[i]!], 2 * at)
      edges.set([toLeft[i]!, toRight[i]!], 2 * at)
      side[at] = sign
      kerb[at] = spread[i]! >= KERB_FROM_M ? 1 : 0
      along[at] = row * stepM
    }
    if (row > 0) {
      const at = 2 * row
      corners.push(at - 2, at - 1, at, at, at - 1, at + 1)
    }
  }
  const geometry = new BufferGeometry()
  const put = (name: string, values: Float32Array, size: number) =>
    geometry.setAttribute(name, new BufferAttribute(values, size))
  put('position', position, 3)
  put('normal', normal, 3)
  put('left', left, 2)
  put('edges', edges, 2)
  put('side', side, 1)
  put('kerb', kerb, 1)
  put('along', along, 1)
  geometry.setIndex(corners)
  const material = new ShaderMaterial({
    uniforms: {
      ...uniforms,
      leastPx: { value: LEAST_ROAD_PX },
      lengthM: { value: (rows - 1) * stepM },
      isClosed: { value: Number(isClosed) },
    },
    vertexShader: ROAD_VERTEX,
    fragmentShader: ROAD_FRAGMENT,
    transparent: true,
    side: DoubleSide,
  })
  return drawn(new Mesh(geometry, material), 4)
}

/** The shaders move points, so three.js cannot know what is out of sight. */
function drawn<T extends Object3D>(object: T, order: number): T {
  object.frustumCulled = false
  object.renderOrder = order
  object.matrixAutoUpdate = false
  return object
}

/** Frees what a mesh holds on the graphics card. */
export function disposeMesh({ geometry, material }: Mesh): void {
  geometry.dispose()
  if (!Array.isArray(material)) material.dispose()
}
