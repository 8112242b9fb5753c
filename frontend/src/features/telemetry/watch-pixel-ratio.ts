/**
 * Calls back when the page moves to a screen of another density, or is zoomed. Returns the function that ends
 * this.
 */
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
