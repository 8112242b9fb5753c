import { spawnSync } from 'node:child_process'
import { globSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { runProgram } from './run-program.ts'

/** Checks of kube-score that the chart does not meet, each with the reason. */
const SCORE_EXCEPTIONS: Readonly<Record<string, string>> = {
  'container-image-pull-policy':
    'A tag is a version, and a digest pins it. Always would need the registry at each start.',
  'container-security-context-user-group-id':
    'The images run as the user 1000 of their base; `podSecurity` changes it.',
  'deployment-has-host-podantiaffinity': 'Topology spread does the same, and knows zones.',
}
/** The same for single files of values. */
const SCORE_EXCEPTIONS_OF: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'values-try-out.yaml': { 'deployment-replicas': 'One pod of each is enough to look at it.' },
}
/** Checks of checkov that the chart does not meet, each with the reason. */
const CHECKOV_EXCEPTIONS: Readonly<Record<string, string>> = {
  CKV_K8S_8: 'The release test ends by itself, and bundled servers must not be killed while they recover.',
  CKV_K8S_9:
    'The release test serves nothing. `docker/chart.test.ts` requires the probes of all that serves.',
  CKV_K8S_11: 'See `NO_CPU_LIMIT`.',
  CKV_K8S_15: 'See `container-image-pull-policy` of kube-score.',
  CKV_K8S_21: 'The command of Helm names the namespace, not a template.',
  CKV_K8S_35:
    'Node reads them from its environment, and a file of the same container is no better protected.',
  CKV_K8S_40: 'See `container-security-context-user-group-id` of kube-score.',
  CKV_K8S_43: 'A tag is a version, and `image.digest` pins it.',
}
/** A limit of CPU slows a pod down although the node has CPU to spare. */
const NO_CPU_LIMIT = '--ignore-container-cpu-limit'

/** Kinds of other projects, whose schemas are not part of Kubernetes. */
const FOREIGN_KINDS = ['HTTPRoute', 'PrometheusRule', 'ScaledObject', 'ServiceMonitor']
const KUBERNETES_VERSION = '1.33.0'

export interface ChartTools {
  readonly helm: string
  readonly kubeconform: string
  readonly kubeScore: string
  readonly checkov: string
  /** Where kubeconform finds schemas of Kubernetes, as its option; without it the step is skipped. */
  readonly schemas: string | undefined
}

/** Returns the tools by the variables HELM, KUBECONFORM, KUBE_SCORE, CHECKOV and KUBE_SCHEMAS, or by their names. */
export function chartTools(env: NodeJS.ProcessEnv): ChartTools {
  return {
    helm: env.HELM ?? 'helm',
    kubeconform: env.KUBECONFORM ?? 'kubeconform',
    kubeScore: env.KUBE_SCORE ?? 'kube-score',
    checkov: env.CHECKOV ?? 'checkov',
    schemas: env.KUBE_SCHEMAS,
  }
}

/** Returns the steps that the check leaves out because their tool is not on this machine. */
export function missingSteps({ helm, kubeconform, kubeScore, checkov, schemas }: ChartTools): string[] {
  if (!canRun(helm, 'version')) return ['chart: Helm is not on this machine']
  return [
    ...(schemas === undefined ? ['kubeconform: KUBE_SCHEMAS names no schemas'] : []),
    ...(canRun(kubeconform, '-v') ? [] : ['kubeconform: it is not on this machine']),
    ...(canRun(kubeScore, 'version') ? [] : ['kube-score: it is not on this machine']),
    ...(canRun(checkov, '--version') ? [] : ['checkov: it is not on this machine']),
  ]
}

/**
 * Lints the chart with each of its values files, compares what it renders with the schemas of Kubernetes, and
 * scores it with kube-score and checkov. Leaves out steps whose tool is missing. Returns the problems, or null.
 */
export async function checkChart(chartDir: string, tools: ChartTools): Promise<string | null> {
  const missing = missingSteps(tools).join('\n')
  if (missing.startsWith('chart')) return null
  const folder = mkdtempSync(join(tmpdir(), 'lapwing-chart-'))
  try {
    const problems: string[] = []
    const files = globSync(['values-*.yaml', 'ci/*-values.yaml'], { cwd: chartDir }).sort()
    for (const file of files) {
      for (const problem of await checkValues(join(chartDir, file))) problems.push(`${file}: ${problem}`)
    }
    const weak = missing.includes('checkov') ? null : await checkWeakness()
    if (weak !== null) problems.push(weak)
    return problems.join('\n') || null
  } finally {
    rmSync(folder, { recursive: true })
  }

  /** Checks all files in one run, because checkov needs seconds to start. It names the file of each problem. */
  function checkWeakness(): Promise<string | null> {
    const skipped = `--skip-check=${Object.keys(CHECKOV_EXCEPTIONS)}`
    const args = [
      '--directory=.',
      '--framework=kubernetes',
      '--compact',
      '--quiet',
      '--skip-download',
      skipped,
    ]
    return runProgram(tools.checkov, args, folder)
  }

  async function checkValues(values: string): Promise<(string | null)[]> {
    const lint = ['lint', '--strict', '--quiet', `--kube-version=${KUBERNETES_VERSION}`, `--values=${values}`]
    const linted = await runProgram(tools.helm, [...lint, chartDir], chartDir)
    if (linted !== null) return [linted]
    const template = ['template', 'lapwing', chartDir, `--kube-version=${KUBERNETES_VERSION}`]
    const { status, stdout, stderr } = spawnSync(tools.helm, [...template, `--values=${values}`], {
      encoding: 'utf8',
      timeout: 60_000,
    })
    // The tools below accept a file without any object.
    if (status !== 0) return [stderr]
    const rendered = join(folder, basename(values))
    writeFileSync(rendered, stdout)
    const steps = [
      missing.includes('kubeconform')
        ? null
        : runProgram(
            tools.kubeconform,
            ['-strict', `-skip=${FOREIGN_KINDS}`, `-schema-location=${tools.schemas}`, rendered],
            chartDir,
          ),
      missing.includes('kube-score')
        ? null
        : runProgram(
            tools.kubeScore,
            [
              'score',
              `--kubernetes-version=v${KUBERNETES_VERSION.replace(/\.\d+$/, '')}`,
              '--output-format=ci',
              '--exit-one-on-warning',
              NO_CPU_LIMIT,
              ...Object.keys({ ...SCORE_EXCEPTIONS, ...SCORE_EXCEPTIONS_OF[basename(values)] }).map(
                name => `--ignore-test=${name}`,
              ),
              rendered,
            ],
            chartDir,
          ).then(output => output?.replace(/^\[(OK|SKIPPED)\].*\n?/gm, '') ?? null),
    ]
    return (await Promise.all(steps)).filter(problem => problem !== null)
  }
}

function canRun(command: string, argument: string): boolean {
  return spawnSync(command, [argument], { stdio: 'ignore' }).status === 0
}
