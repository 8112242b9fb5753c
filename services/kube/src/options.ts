import { ConfigError, flag, integer, optional, readEnv, text } from '@lapwing/config'

export interface KubeOptions {
  /** Command that starts an empty cluster and prints `export` lines for a shell; null to use `KUBECONFIG`. */
  readonly up: string | null
  /** Command that removes the cluster; null to leave it. */
  readonly down: string | null
  /** Command that makes the images known to the cluster, with `{image}`; null if building them is enough. */
  readonly load: string | null
  readonly images: ImageOptions
  /** Files of values for the chart, after those of this folder. */
  readonly values: readonly string[]
  /** Whether images of this folder replace those of the object store and of the mailbox. */
  readonly standIns: boolean
  /** Arrivals a second during a disturbance. */
  readonly rate: number
  /** Names of the only steps to run; null for all. */
  readonly steps: readonly string[] | null
}

export interface ImageOptions {
  /** Command that builds one image, with `{dockerfile}`, `{context}`, `{image}` and `{options}`. */
  readonly build: string
  readonly registry: string
  readonly tag: string
}

const imageVariables = {
  build: text('IMAGE_BUILD', {
    about: 'Command that builds one image, with {dockerfile}, {context}, {image} and {options}.',
    fallback: 'docker build --file {dockerfile} --tag {image} {options} {context}',
  }),
  registry: text('IMAGE_REGISTRY', { about: 'Registry in the names of the images.', fallback: 'localhost' }),
  tag: text('IMAGE_TAG', { about: 'Tag of the images; not `latest`.', fallback: 'e2e' }),
}

/** Reads the variables of `make images`. Throws a `ConfigError` with all problems. */
export function readImageOptions(env: Readonly<Record<string, string | undefined>>): ImageOptions {
  return checked(readEnv(imageVariables, env))
}

/** Reads the variables of `make kube-e2e`. Throws a `ConfigError` with all problems. */
export function readOptions(env: Readonly<Record<string, string | undefined>>): KubeOptions {
  const { build, registry, tag, values, steps, ...rest } = readEnv(
    {
      ...imageVariables,
      up: optional(
        text('KUBE_UP', {
          about: 'Command that starts an empty cluster and prints `export` lines.',
          example: 'my-cluster up',
        }),
      ),
      down: optional(
        text('KUBE_DOWN', { about: 'Command that removes the cluster.', example: 'my-cluster down' }),
      ),
      load: optional(
        text('IMAGE_LOAD', {
          about: 'Command that brings {image} to the cluster.',
          example: 'kind load docker-image {image}',
        }),
      ),
      values: optional(
        text('KUBE_VALUES', { about: 'Further files of values, separated by commas.', example: 'mine.yaml' }),
      ),
      standIns: flag('KUBE_STAND_INS', {
        about: 'Whether own images replace those of the object store and the mailbox.',
        fallback: false,
      }),
      rate: integer('RATE', {
        min: 1,
        max: 100,
        about: 'Arrivals a second during a disturbance.',
        fallback: 2,
      }),
      steps: optional(
        text('STEPS', { about: 'The only steps to run, separated by commas.', example: 'up,images,install' }),
      ),
    },
    env,
  )
  return {
    ...rest,
    images: checked({ build, registry, tag }),
    values: listOf(values) ?? [],
    steps: listOf(steps),
  }
}

/** A cluster without a registry pulls the tag `latest` at each start, which fails. */
function checked(images: ImageOptions): ImageOptions {
  const missing = ['{dockerfile}', '{context}', '{image}', '{options}'].filter(
    part => !images.build.includes(part),
  )
  const problems = [
    ...(missing.length === 0 ? [] : [`IMAGE_BUILD must contain ${missing.join(', ')}.`]),
    ...(images.tag === 'latest' ? ['IMAGE_TAG must not be latest: pods would pull it at each start.'] : []),
  ]
  if (problems.length > 0) throw new ConfigError(problems)
  return images
}

function listOf(names: string | null): readonly string[] | null {
  return names?.split(',').filter(name => name !== '') ?? null
}
