import type { Map as MapLibre, MapSourceDataEvent } from 'maplibre-gl'
import { type BaseSource, loadBase } from './base-layers.ts'
import { type BaseState, createBaseWatch } from './base-watch.ts'
import { FIRST_LAYER, GROUND_LAYERS } from './map-style.ts'

/** Milliseconds between two looks at whether a map still loads, and until it counts as missing. */
const LOOK_MS = 400
const PATIENCE_MS = 6000

/** What a base added to the map. It stays there when another base is shown. */
interface AddedBase {
  /** Layers that the base shows; its style hides others. */
  readonly visible: readonly string[]
  readonly layers: readonly string[]
  readonly sources: readonly string[]
}

/**
 * Puts bases below the lap. A hidden base loads nothing. Our own ground covers a base until its first picture
 * arrives. `whenReady` calls back when the map accepts layers.
 */
export function createMapBases(
  map: MapLibre,
  whenReady: (work: () => void) => void,
  onBase: (state: BaseState) => void,
) {
  const added = new Map<BaseSource, AddedBase>()
  let shown: BaseSource | null = null
  let watch = createBaseWatch(onChange)
  let stop = new AbortController()

  const isShown = (sourceId: string | undefined) =>
    shown !== null && sourceId !== undefined && (added.get(shown)?.sources.includes(sourceId) ?? false)

  map.on('sourcedata', ({ sourceId, tile }: MapSourceDataEvent) => {
    if (!tile || !isShown(sourceId)) return
    // MapLibre counts absent tiles as loaded. One of 204 is a clear pixel, a vector tile of 404 holds nothing.
    if (tile.texture?.size[0] === 1) watch.tileFailed()
    else if (tile.texture || tile.latestFeatureIndex) watch.tileLoaded()
  })
  // With a listener, MapLibre does not write the errors of tiles to the console.
  map.on('error', event => {
    if (isShown((event as { sourceId?: string }).sourceId)) watch.tileFailed()
  })

  function onChange(state: BaseState) {
    const isCovered = state === 'waiting' || state === 'missing'
    whenReady(() => setVisible(GROUND_LAYERS, isCovered))
    onBase(state)
  }

  function setVisible(layers: readonly string[], isVisible: boolean) {
    for (const id of layers) map.setLayoutProperty(id, 'visibility', isVisible ? 'visible' : 'none')
  }

  async function put(base: BaseSource, signal: AbortSignal): Promise<void> {
    const parts = added.get(base)
    if (parts) return whenReady(() => setVisible(parts.visible, true))
    const { sources, layers, glyphs, sprite } = await loadBase(base, signal)
    await new Promise<void>(resolve => whenReady(resolve))
    if (signal.aborted) return
    if (glyphs) map.setGlyphs(glyphs)
    if (sprite) map.setSprite(sprite)
    for (const [id, source] of sources) map.addSource(id, source)
    for (const layer of layers) map.addLayer(layer, FIRST_LAYER)
    added.set(base, {
      visible: layers.filter(({ layout }) => layout?.visibility !== 'none').map(({ id }) => id),
      layers: layers.map(({ id }) => id),
      sources: sources.map(([id]) => id),
    })
  }

  /** A tile that is absent (404) causes no event, nor does a silent server. So look until a picture arrives. */
  async function look(base: BaseSource, signal: AbortSignal): Promise<void> {
    const start = performance.now()
    while (!signal.aborted && watch.get() === 'waiting') {
      await new Promise(resolve => setTimeout(resolve, LOOK_MS))
      if (signal.aborted) return
      whenReady(() => {
        const isIdle = added.get(base)?.sources.every(id => map.isSourceLoaded(id))
        if (isIdle || performance.now() - start > PATIENCE_MS) watch.settle()
      })
    }
  }

  function show(base: BaseSource | null) {
    stop.abort()
    stop = new AbortController()
    const { signal } = stop
    const before = shown && added.get(shown)
    if (before) whenReady(() => setVisible(before.visible, false))
    shown = base
    watch = createBaseWatch(onChange)
    onChange('waiting')
    if (base === null) return
    put(base, signal).then(
      () => look(base, signal),
      () => {
        if (!signal.aborted) watch.settle()
      },
    )
  }

  return {
    /** Shows a base, or only our own ground. */
    show,
    /** Asks for pictures that were missing again. */
    retry() {
      if (shown === null || (watch.get() !== 'missing' && watch.get() !== 'broken')) return
      const parts = added.get(shown)
      const base = shown
      whenReady(() => {
        for (const id of parts?.layers ?? []) map.removeLayer(id)
        for (const id of parts?.sources ?? []) map.removeSource(id)
        added.delete(base)
        shown = null
        show(base)
      })
    },
    destroy: () => stop.abort(),
  }
}
