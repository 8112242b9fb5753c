import { type SessionSummary, summariseSession } from '@lapwing/telemetry'
import { blobSource } from '#shared/files/blob-source.ts'
import { serveReader } from '#shared/files/serve-reader.ts'

serveReader<Blob, SessionSummary>(file => summariseSession(blobSource(file)))
