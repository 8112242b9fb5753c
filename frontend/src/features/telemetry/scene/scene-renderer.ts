import {
  AmbientLight,
  Color,
  DirectionalLight,
  GreaterDepth,
  type Mesh,
  PerspectiveCamera,
  Scene,
  WebGLRenderer,
} from 'three'
import { LineMaterial } from 'three/addons/lines/LineMaterial.js'
import { LineSegments2 } from 'three/addons/lines/LineSegments2.js'
import { LineSegmentsGeometry } from 'three/addons/lines/LineSegmentsGeometry.js'
import type { DrawingTokens } from '#shared/drawing/read-tokens.ts'
import {
  type CameraPose,
  cameraAxes,
  cameraPosition,
  FIELD_OF_VIEW_DEG,
  halfTangents,
} from './camera-pose.ts'
import { disposeMesh, groundUniforms, landMesh, roadMesh, setLight, skyMesh } from './ground-mesh.ts'
import { LINE_WIDTH, lineWidth } from './line-width.ts'
import { openContext } from './open-context.ts'
import type { PhotoGround } from './photo/photo-ground.ts'
import type { SceneDrawing, SceneSite } from './scene-drawing.ts'
import type { SkyLight } from './sky-light.ts'

/** Draws ground and laps in 3D. It draws only when its owner calls `draw`. */
export type SceneRenderer = ReturnType<typeof createSceneRenderer>

/** Pixels of the lines between both laps. */
const CONNECTOR_WIDTH = 2

/**
 * Steps of depth by which lines are nearer than they are: a photographed ground is only as even as its triangles. From
 * far away two laps share their pixels, and then the driver's is to be seen.
 */
const NEARER_STEPS = 40
const NEARER_STEPS_OF_LAP = 4000

/** Share of its colour's light that a line keeps where photographed ground hides it. */
const HIDDEN_LIGHT = 0.4
/** Steps of the drawing order between a line and its hidden parts: more than there are kinds of lines. */
const HIDDEN_BEFORE = 4

/** The drawing order of the lap's line, after ground, reference and connectors. */
const LAP_ORDER = 7

/** Metres of a dash and of a gap in the colour-blind palette. */
const DASH_M = 9
const GAP_M = 6

/** Metres that are drawn at most, and the nearest share of the range. */
const FAR_M = 120_000
const NEAR_SHARE = 0.08

/** Starts a renderer. Throws if the browser has no WebGL 2. */
export function createSceneRenderer(canvas: HTMLCanvasElement, onContext: (isLost: boolean) => void) {
  const context = openContext(canvas)
  const renderer = new WebGLRenderer({ canvas, context })
  const scene = new Scene()
  const camera = new PerspectiveCamera(FIELD_OF_VIEW_DEG, 1, 1, FAR_M)
  const uniforms = groundUniforms()
  const sky = skyMesh(uniforms)
  scene.add(sky)
  // For tiles without light of their own. Our ground has its own.
  const sunlight = new DirectionalLight('#ffffff', 1.5)
  scene.add(new AmbientLight('#ffffff', 1.2), sunlight)
  let ground: Mesh[] = []
  let photo: PhotoGround | null = null
  let isOwnGround = true
  let lines: LineSegments2[] = []
  /** The same lines where the ground of a source hides them: its hills are not those of the simulator. */
  let hiddenLines: LineSegments2[] = []
  let offsetM = 0
  let size = { width: 1, height: 1 }

  // three.js prepares the context again by itself.
  const onLost = () => onContext(true)
  const onRestored = () => onContext(false)
  canvas.addEventListener('webglcontextlost', onLost)
  canvas.addEventListener('webglcontextrestored', onRestored)

  function replaceGround(site: SceneSite) {
    for (const mesh of ground) {
      scene.remove(mesh)
      disposeMesh(mesh)
    }
    ground = [
      ...(site.terrain ? [landMesh(site.terrain, uniforms)] : []),
      ...site.surfaces.map(surface => roadMesh(surface, uniforms)),
    ]
    scene.add(...ground)
    showOwnGround(isOwnGround)
  }

  function showOwnGround(isShown: boolean) {
    isOwnGround = isShown
    for (const mesh of ground) mesh.visible = isShown
    for (const line of hiddenLines) line.visible = !isShown
  }

  function clearLines() {
    for (const line of [...lines, ...hiddenLines]) {
      scene.remove(line)
      line.geometry.dispose()
      line.material.dispose()
    }
    lines = []
    hiddenLines = []
  }

  function addLine(segments: Float32Array, colour: string, width: number, order: number, isDashed = false) {
    if (segments.length === 0) return
    const geometry = new LineSegmentsGeometry()
    geometry.setPositions(segments)
    const material = new LineMaterial({
      color: new Color(colour),
      linewidth: width,
      dashed: isDashed,
      dashSize: DASH_M,
      gapSize: GAP_M,
      polygonOffset: true,
      polygonOffsetFactor: -2,
      polygonOffsetUnits: order === LAP_ORDER ? -NEARER_STEPS_OF_LAP : -NEARER_STEPS,
    })
    lines.push(shown(new LineSegments2(geometry, material), order, isDashed))
    const behind = material.clone()
    behind.color.multiplyScalar(HIDDEN_LIGHT)
    behind.depthFunc = GreaterDepth
    behind.depthWrite = false
    // Before all lines, which would otherwise count as ground.
    const hidden = shown(new LineSegments2(geometry, behind), order - HIDDEN_BEFORE, false)
    hidden.visible = !isOwnGround
    hiddenLines.push(hidden)
  }

  function shown(line: LineSegments2, order: number, isDashed: boolean): LineSegments2 {
    if (isDashed) line.computeLineDistances()
    line.renderOrder = order
    line.frustumCulled = false
    line.position.y = offsetM
    scene.add(line)
    return line
  }

  let shownSite: SceneSite | null = null
  return {
    setDrawing(drawing: SceneDrawing, tokens: Pick<DrawingTokens, 'reference' | 'isColourBlind'>) {
      if (shownSite !== drawing.site) replaceGround(drawing.site)
      shownSite = drawing.site
      clearLines()
      addLine(drawing.referenceLine, tokens.reference, LINE_WIDTH, LAP_ORDER - 2, tokens.isColourBlind)
      addLine(drawing.connectors, '#ffffff', CONNECTOR_WIDTH, LAP_ORDER - 1)
      for (const { segments, colour, style } of drawing.lapLines) {
        addLine(segments, colour, lineWidth(style, tokens.isColourBlind), LAP_ORDER)
      }
    },
    setLight(light: SkyLight) {
      setLight(uniforms, light)
      sunlight.position.set(...light.sun)
    },
    /** For the ground of a source, which draws pictures of its own. */
    webGl: renderer,
    /** Adds photographed ground; null removes it. Our own ground stays until `showOwnGround`. */
    setPhoto(next: PhotoGround | null) {
      photo?.dispose()
      photo = next
      if (next) scene.add(next.group)
    },
    showOwnGround,
    /** Lifts the lines above the ground, in metres. */
    setOffset(metres: number) {
      offsetM = metres
      for (const line of [...lines, ...hiddenLines]) line.position.y = metres
    },
    setSize(width: number, height: number, pixelRatio: number) {
      size = { width: Math.max(1, width), height: Math.max(1, height) }
      renderer.setPixelRatio(pixelRatio)
      renderer.setSize(size.width, size.height, false)
      camera.aspect = size.width / size.height
    },
    /** Draws the scene from a pose. */
    draw(pose: CameraPose) {
      const { up, forward } = cameraAxes(pose)
      const eye = cameraPosition(pose)
      camera.position.set(eye.x, eye.y, eye.z)
      camera.up.set(up.x, up.y, up.z)
      camera.lookAt(eye.x + forward.x, eye.y + forward.y, eye.z + forward.z)
      camera.near = Math.max(0.5, pose.rangeM * NEAR_SHARE)
      camera.updateProjectionMatrix()
      camera.updateMatrixWorld()
      uniforms.focalPx.value = size.height / (2 * halfTangents(size)[1])
      uniforms.hazeFrom.value = 1.25 * pose.rangeM
      uniforms.hazeFade.value = 2500 + 1.5 * pose.rangeM
      uniforms.fromClip.value.copy(camera.matrixWorld).multiply(camera.projectionMatrixInverse)
      photo?.update(camera)
      renderer.render(scene, camera)
    },
    destroy() {
      canvas.removeEventListener('webglcontextlost', onLost)
      canvas.removeEventListener('webglcontextrestored', onRestored)
      photo?.dispose()
      clearLines()
      for (const mesh of [...ground, sky]) disposeMesh(mesh)
      renderer.dispose()
      // A browser keeps only a few contexts, so this one is released immediately.
      renderer.forceContextLoss()
    },
  }
}
