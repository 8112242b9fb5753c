import { statfs } from 'node:fs/promises'
import type { Level } from '@lapwing/metrics'

/** Returns the levels of the disk that holds this folder of files in use. */
export function diskLevels(folder: string): readonly Level[] {
  return [
    {
      name: 'lapwing_temporary_disk_bytes',
      help: 'Space of the disk with the files in use: free for this process, and in total.',
      labels: ['state'],
      async read() {
        const { bsize, bavail, blocks } = await statfs(folder)
        return [
          { labels: { state: 'free' }, value: bsize * bavail },
          { labels: { state: 'total' }, value: bsize * blocks },
        ]
      },
    },
  ]
}
