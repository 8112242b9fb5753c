/**
 * Opens a context that smooths edges, if a graphics card draws. In software, smoothing takes most of a frame.
 * Throws if the browser has no WebGL 2.
 */
export function openContext(canvas: HTMLCanvasElement): WebGL2RenderingContext {
  isSoftware ??= drawsInSoftware()
  const context = canvas.getContext('webgl2', { alpha: false, antialias: !isSoftware })
  if (!context) throw new Error('The browser has no WebGL 2.')
  return context
}

/** The same for all scenes of the page. */
let isSoftware: boolean | null = null

function drawsInSoftware(): boolean {
  const probe = new OffscreenCanvas(1, 1).getContext('webgl2')
  const names = probe?.getExtension('WEBGL_debug_renderer_info')
  const name = names ? String(probe!.getParameter(names.UNMASKED_RENDERER_WEBGL)) : ''
  // A browser keeps only a few contexts.
  probe?.getExtension('WEBGL_lose_context')?.loseContext()
  return /swiftshader|llvmpipe|software|basic render/i.test(name)
}
