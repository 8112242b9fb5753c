import type { operations } from '@lapwing/contracts/internal'
import { createLimitedService, type ServiceAddress } from './limited-service.ts'

/** What upload knows about one upload. */
export type UploadSession = operations['getUploadSession']['responses'][200]['content']['application/json']

export interface UploadClient {
  /** Returns null if the upload is unknown. Throws `ServiceUnavailable`. */
  findSession(sessionId: string): Promise<UploadSession | null>
}

export function createUploadClient(address: ServiceAddress): UploadClient {
  const upload = createLimitedService('upload', address)
  return {
    findSession: sessionId =>
      upload.find('getUploadSession', client =>
        client.GET('/internal/upload-sessions/{sessionId}', { params: { path: { sessionId } } }),
      ),
  }
}
