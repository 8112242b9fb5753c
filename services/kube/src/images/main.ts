/** `make images`: builds all images of the chart. */
import { join } from 'node:path'
import { stopOnSignal } from '@lapwing/local/stop-on-signal'
import { readImageOptions } from '../options.ts'
import { buildImages } from './build-images.ts'
import { images } from './images.ts'

const signal = stopOnSignal(process, code => process.exit(code))

try {
  await buildImages(images, readImageOptions(process.env), {
    rootDir: join(import.meta.dirname, '../../../..'),
    load: null,
    say: line => console.log(line.trim()),
    signal,
  })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exitCode = 1
}
