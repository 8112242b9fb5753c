/**
 * A worker that reads a file in the slices of the page's reader and drops them. It receives the file and
 * sends a message after the last slice.
 */
const SLICE_BYTES = 4 * 1024 * 1024

addEventListener('message', async ({ data: file }) => {
  let bytes = 0
  for (let offset = 0; offset < file.size; offset += SLICE_BYTES) {
    const slice = await file.slice(offset, Math.min(offset + SLICE_BYTES, file.size)).arrayBuffer()
    bytes += slice.byteLength
  }
  postMessage({ bytes })
})
postMessage('ready')
