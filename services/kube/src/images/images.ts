import type { ImageOptions } from '../options.ts'

/** An image that the chart or the run needs. */
export interface Image {
  /** Name without registry and tag, such as `lapwing/gateway`. */
  readonly name: string
  /** From the root of the repository. */
  readonly dockerfile: string
  readonly buildArgs: Readonly<Record<string, string>>
}

/** The services whose images have the same Dockerfile. */
export const SERVICES = [
  'preview',
  'identity',
  'account',
  'upload',
  'ingest',
  'leaderboard',
  'backup',
] as const

/** All images of the chart. The gateway's is the first, because it takes longest. */
export const images: readonly Image[] = [
  { name: 'lapwing/gateway', dockerfile: 'docker/gateway.Dockerfile', buildArgs: {} },
  ...SERVICES.map(service => ({
    name: `lapwing/${service}`,
    dockerfile: 'docker/service.Dockerfile',
    buildArgs: { SERVICE: service },
  })),
]

/** Replace images of other projects where no registry can be reached; `stand-ins/values.yaml` names them. */
export const standIns: readonly Image[] = ['object-store', 'mail'].map(name => ({
  name: `lapwing/stand-in-${name}`,
  dockerfile: `services/kube/stand-ins/${name}.Dockerfile`,
  buildArgs: {},
}))

/** Returns the whole name of an image. */
export function nameOf(
  { name }: Pick<Image, 'name'>,
  { registry, tag }: Omit<ImageOptions, 'build'>,
): string {
  return `${registry}/${name}:${tag}`
}

/**
 * Returns the command line that builds an image: the template with its parts put in. Names and paths have no
 * character that a shell reads.
 */
export function buildCommand(
  image: Image,
  options: ImageOptions,
  about: Readonly<Record<string, string>>,
): string {
  const { dockerfile, buildArgs } = image
  const args = Object.entries({ ...about, ...buildArgs }).map(
    ([name, value]) => `--build-arg ${name}=${value}`,
  )
  return fill(options.build, {
    dockerfile,
    context: '.',
    image: nameOf(image, options),
    options: args.join(' '),
  })
}

/** Puts values in the place of their names in braces. Unknown names stay. */
export function fill(template: string, parts: Readonly<Record<string, string>>): string {
  return template.replaceAll(/\{([a-z]+)\}/g, (whole, name: string) => parts[name] ?? whole)
}
