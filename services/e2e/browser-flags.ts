/** Chromium's flags: no calls home, and no sandbox for root, as in a container. */
export const browserFlags = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

/** Turns WebGL off. Without it, Chromium draws WebGL in software if there is no graphics card. */
export const noWebGl = ['--disable-3d-apis']
