export { type LocalFrame, localFrame } from './local-frame.ts'
export { type Terrain, terrainAround } from './terrain.ts'
export { meanAltitudeM, roadHeights, type TrackSurface, trackSurfaces } from './track-surface.ts'
