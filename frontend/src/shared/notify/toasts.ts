import { toast } from 'sonner'
import type { Notify } from './notify.ts'

/** Shows messages as toasts; `Providers` places them on the page. */
export const toasts: Notify = {
  success: message => toast.success(message),
  info: message => toast.info(message),
  error: (message, { detail, onRetry } = {}) =>
    toast.error(message, {
      ...(detail && { description: detail }),
      ...(onRetry && { action: { label: 'Retry', onClick: onRetry } }),
    }),
}
