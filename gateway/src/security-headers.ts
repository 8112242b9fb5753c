type Directive = keyof typeof contentSecurityPolicy

/**
 * Returns the headers that the gateway sets on every answer, its own or a service's. The page has no inline
 * script, inline style or `data:` worker, so the policy allows none (goal C-7).
 *
 * @param extraSources sources that the policy allows beside the page's own origin
 */
export function securityHeaders(
  publicOrigin: URL,
  extraSources: Readonly<Partial<Record<Directive, readonly string[]>>> = {},
): Readonly<Record<string, string>> {
  const policy = Object.entries(contentSecurityPolicy).map(([directive, sources]) =>
    [directive, ...sources, ...(extraSources[directive as Directive] ?? [])].join(' '),
  )
  return {
    'content-security-policy': policy.join('; '),
    // Wallets in extensions open windows of their own, so this cuts none off.
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'permissions-policy': REFUSED_FEATURES.map(feature => `${feature}=()`).join(', '),
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
    // For browsers that do not know `frame-ancestors`.
    'x-frame-options': 'DENY',
    // On a plain http origin it would lock people out.
    ...(publicOrigin.protocol === 'https:' && { 'strict-transport-security': 'max-age=31536000' }),
  }
}

const contentSecurityPolicy = {
  'default-src': ["'self'"],
  'script-src': ["'self'"],
  'style-src': ["'self'"],
  'img-src': ["'self'", 'data:', 'blob:'],
  'font-src': ["'self'"],
  'connect-src': ["'self'"],
  'worker-src': ["'self'"],
  'object-src': ["'none'"],
  'base-uri': ["'none'"],
  'form-action': ["'self'"],
  'frame-ancestors': ["'none'"],
} as const satisfies Record<string, readonly string[]>

/** Features that the page never uses. Only those that Chromium knows: it logs a warning about others. */
const REFUSED_FEATURES = [
  'accelerometer',
  'browsing-topics',
  'camera',
  'display-capture',
  'geolocation',
  'gyroscope',
  'hid',
  'idle-detection',
  'local-fonts',
  'magnetometer',
  'microphone',
  'midi',
  'payment',
  'screen-wake-lock',
  'serial',
  'usb',
  'xr-spatial-tracking',
] as const
