import { readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { Plugin } from 'vite'
import { inFullBuild } from './in-full-build.ts'

/**
 * Writes a Brotli and a gzip form beside each text file of the finished build. The gateway sends them to
 * browsers that accept them. This runs once at the highest level, which would cost too much for each request.
 */
export function precompress(): Plugin {
  return {
    name: 'precompress',
    apply: inFullBuild,
    // By now the files of `public` are in the folder, too.
    writeBundle: {
      order: 'post',
      sequential: true,
      handler: ({ dir }) => compressFolder(dir!),
    },
  }
}

/** Compresses the files of a folder. Deletes a form of an earlier build that is not smaller than its file. */
export async function compressFolder(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !compressible.test(entry.name)) continue
    const path = join(entry.parentPath, entry.name)
    const content = await readFile(path)
    for (const { extension, compress } of forms) {
      const compressed = await compress(content)
      if (compressed.length < content.length) await writeFile(`${path}${extension}`, compressed)
      else await rm(`${path}${extension}`, { force: true })
    }
  }
}

/** Files to compress; pictures and fonts are compressed already. */
const compressible = /\.(?:css|html|js|json|map|mjs|svg|txt|wasm|webmanifest|xml)$/

const forms = [
  {
    extension: '.br',
    compress: (content: Buffer) =>
      promisify(brotliCompress)(content, {
        params: {
          [constants.BROTLI_PARAM_QUALITY]: constants.BROTLI_MAX_QUALITY,
          [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
        },
      }),
  },
  {
    extension: '.gz',
    compress: (content: Buffer) => promisify(gzip)(content, { level: constants.Z_BEST_COMPRESSION }),
  },
] as const
