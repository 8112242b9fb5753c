declare global {
  /** Set by `vite.config.ts`. An import behind it is dropped from a build without maps. */
  const __LAPWING_MAPS__: boolean
}

/** Whether this build has the 2D and 3D views. Tests in Node have no build. */
export const HAS_MAPS = typeof __LAPWING_MAPS__ === 'undefined' || __LAPWING_MAPS__
