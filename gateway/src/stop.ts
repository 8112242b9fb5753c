import { EventEmitter } from 'node:events'

/**
 * Stops one exchange with a service. undici accepts it as a signal, and hears its event `abort`. An `AbortSignal` would
 * do the same, but costs several times as much, on every request.
 */
export class Stop extends EventEmitter<{ abort: [] }> {
  /** What `abort` was called with; undefined before. */
  reason: Error | undefined

  /** The first call counts. */
  abort(reason: Error): void {
    if (this.reason !== undefined) return
    this.reason = reason
    this.emit('abort')
  }
}
