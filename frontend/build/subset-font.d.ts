/** The package has no types of its own. */
declare module 'subset-font' {
  interface Options {
    /** Then `text` is empty. */
    readonly keepAllGlyphs?: boolean
    readonly targetFormat?: 'truetype' | 'woff' | 'woff2'
    readonly variationAxes?: Readonly<Record<string, { readonly min: number; readonly max: number }>>
  }
  export default function subsetFont(font: Buffer, text: string, options?: Options): Promise<Buffer>
}
