import { createLimitedService, type ServiceAddress } from './limited-service.ts'

export type UploadClient = ReturnType<typeof createUploadClient>

export function createUploadClient(address: ServiceAddress) {
  const upload = createLimitedService('upload', address)
  return {
    /** Returns null if the upload is unknown. Throws `ServiceUnavailable`. */
    findSession: (sessionId: string) =>
      upload.find('getUploadSession', client =>
        client.GET('/internal/upload-sessions/{sessionId}', { params: { path: { sessionId } } }),
      ),
  }
}
