/** Calls back when the density of the screen or the zoom changes. Returns the function that ends this. */
export function watchPixelRatio(onChange: () => void): () => void {
  const stop = new AbortController()
  function wait() {
    // The query names the current density, so it fires only once, when that changes.
    matchMedia(`(resolution: ${devicePixelRatio}dppx)`).addEventListener(
      'change',
      () => {
        onChange()
        wait()
      },
      { once: true, signal: stop.signal },
    )
  }
  wait()
  return () => stop.abort()
}
