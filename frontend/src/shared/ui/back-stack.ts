interface BackStackDeps {
  readonly history: Pick<History, 'state' | 'pushState' | 'replaceState' | 'go'>
  /** Calls back when the browser has moved to another entry of this page. */
  readonly onPop: (callback: () => void) => void
}

/** Layers over the page, such as dialogs. Back closes the top one instead of leaving the page. */
export type BackStack = ReturnType<typeof createBackStack>

const KEY = 'lapwing.layers'

/** Creates one history entry for each open layer, beside what the router writes into the entry. */
export function createBackStack({ history, onPop }: BackStackDeps) {
  const layers: { readonly close: () => void }[] = []
  /** The browser is moving to an entry, and `history.state` is not that entry's yet. */
  let isMoving = false
  let isDue = false

  const depth = () => depthOf(history.state)
  const withDepth = (layer: number) => ({ ...(history.state as object | null), [KEY]: layer })
  // A reload closes all layers. Going back here could leave the page.
  if (depth() > 0) history.replaceState(withDepth(0), '')

  function settle(): void {
    isDue = false
    if (isMoving) return
    for (let layer = depth() + 1; layer <= layers.length; layer++) history.pushState(withDepth(layer), '')
    const delta = layers.length - depth()
    if (delta === 0) return
    isMoving = true
    history.go(delta)
  }

  /** Updates the history once for changes at the same time, such as one dialog that follows another. */
  function settleSoon(): void {
    if (isDue) return
    isDue = true
    queueMicrotask(settle)
  }

  onPop(() => {
    // Otherwise the driver went back, or forward to the entry of a closed layer.
    if (!isMoving) for (const layer of layers.splice(depth()).reverse()) layer.close()
    isMoving = false
    settleSoon()
  })

  return {
    /** Adds a layer on top. Call the returned function when the layer closes in another way. */
    add(close: () => void) {
      const layer = { close }
      layers.push(layer)
      settleSoon()
      return () => {
        const index = layers.indexOf(layer)
        if (index === -1) return
        layers.splice(index, 1)
        settleSoon()
      }
    },
  }
}

function depthOf(state: unknown): number {
  const depth = (state as Record<string, unknown> | null)?.[KEY]
  return typeof depth === 'number' && depth > 0 ? depth : 0
}
