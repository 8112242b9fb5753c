import { join } from 'node:path'
import { flag, networks, oneOf, optional, readEnv, text, url } from '@lapwing/config'
import { listenEnv } from '@lapwing/http'

export type Config = ReturnType<typeof loadConfig>

export function loadConfig(env: Readonly<Record<string, string | undefined>>) {
  return readEnv(spec, env)
}

export const spec = {
  ...listenEnv(8080),
  previewUrl: url('PREVIEW_URL', {
    schemes: ['http:', 'https:'],
    about: 'Where the preview service answers.',
    example: 'http://preview:8081',
    fallback: new URL('http://127.0.0.1:8081'),
  }),
  accountUrl: optional(
    url('ACCOUNT_URL', {
      schemes: ['http:', 'https:'],
      about: 'Where the account service answers; without it there are no accounts.',
      example: 'http://account:8085',
    }),
  ),
  identityUrl: optional(
    url('IDENTITY_URL', {
      schemes: ['http:', 'https:'],
      about: 'Where the identity service answers; without it there are no accounts.',
      example: 'http://identity:8086',
    }),
  ),
  identityPublicUrl: optional(
    url('IDENTITY_PUBLIC_URL', {
      schemes: ['http:', 'https:'],
      about: 'Where the page reaches identity, if not on its own origin.',
      example: 'https://id.lapwing.example',
    }),
  ),
  publicToken: text('PUBLIC_TOKEN', {
    about: 'What the page names the project by to identity; no secret.',
    example: 'public-token-live-lapwing',
    fallback: 'public-token-live-lapwing',
  }),
  frontendDir: text('FRONTEND_DIR', {
    about: 'Folder of the built page.',
    example: '/app/frontend/dist',
    fallback: join(import.meta.dirname, '../../frontend/dist'),
  }),
  publicOrigin: url('PUBLIC_ORIGIN', {
    schemes: ['http:', 'https:'],
    about: 'The address drivers see, told to the services; https turns on HSTS.',
    example: 'https://lapwing.example',
    fallback: new URL('http://localhost:8080'),
  }),
  trustedProxies: networks('TRUSTED_PROXIES', {
    about: 'Proxies in front whose X-Forwarded-For is believed, separated by commas.',
    example: '10.0.0.0/8,fd00::/8',
    fallback: [],
  }),
  pagePreview: oneOf('PAGE_PREVIEW', {
    choices: ['browser', 'server'],
    about: 'Where a dropped file is read (D-23).',
    example: 'browser',
    fallback: 'browser',
  }),
  pageMaps: flag('PAGE_MAPS', {
    about: 'Whether the page offers the 2D and 3D views.',
    example: 'true',
    fallback: false,
  }),
  version: text('VERSION', {
    about: 'Of this deployment, shown to people who report a problem.',
    example: '1.4.0',
    fallback: 'development',
  }),
}
