/** Loads the simulator of the sample session. */
export function loadSample() {
  return import('@lapwing/simulator/sample')
}

/** Makes the sample session as a file: half a second of work, so only workers call this. */
export async function sampleFile(): Promise<Blob> {
  const { makeSampleSession } = await loadSample()
  // Its bytes are never in shared memory, which Blob requires and the type does not say.
  return new Blob([makeSampleSession() as Uint8Array<ArrayBuffer>])
}
