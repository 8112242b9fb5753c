/** Calls back when the page moves to a screen of another density, or is zoomed; answers the function that ends it. */
export function watchPixelRatio(onChange: () => void): () => void {
  const stop = new AbortController()
  function wait() {
    // The query names today's density, so it can only tell that this one has gone.
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
