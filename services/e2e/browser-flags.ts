/** Chromium's flags: no calls home, and no sandbox for root, as in a container. */
export const browserFlags = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/**
 * Flags of test browsers, whose visits last seconds. V8's slowest compiler is off, because a visit ends before its
 * code pays off: that saves 16 % of the CPU of a visit with the sample session. Without `--disable-gpu`, Chromium
 * composes the page by a graphics card that it simulates: 10 % more. WebGL works with both.
 */
export const shortVisitFlags = [...browserFlags, '--js-flags=--no-turbofan', '--disable-gpu']

/** Turns WebGL off. Without it, Chromium draws WebGL in software if there is no graphics card. */
export const noWebGl = ['--disable-3d-apis']
