/** 3d-tiles-renderer 0.5.3 has this plugin, but no type for it. */
declare module '3d-tiles-renderer/plugins' {
  export class TerrariumMeshPlugin {
    constructor(options: { url: string; tileDimension: number; maxZoom: number; unlit: boolean })
    getUrl: (x: number, y: number, level: number) => string
  }
}

export {}
