import { globSync } from 'node:fs'
import { basename, join } from 'node:path'
import { checkChartFiles } from './chart-values.ts'
import { chartTools, checkChart, missingSteps } from './check-chart.ts'
import { checkImports } from './check-imports.ts'
import { checkLockfile } from './check-lockfile.ts'
import { checkReadmes } from './check-readmes.ts'
import { checkSubjects } from './check-subjects.ts'
import { checkWords } from './check-words.ts'
import { compareGenerated } from './compare-generated.ts'
import { repositoryFiles } from './repository-files.ts'
import { runProgram } from './run-program.ts'

/** Returns the table of checks. */
export function checks(rootDir: string): Check[] {
  const run = (command: string, ...args: string[]) => runProgram(command, args, rootDir)
  const contracts = globSync('openapi/*.yaml', { cwd: rootDir }).filter(
    file => basename(file) !== 'redocly.yaml',
  )
  const projects = repositoryFiles(rootDir, 'tsconfig*.json').filter(
    file => basename(file) !== 'tsconfig.base.json',
  )
  const tools = chartTools(process.env)
  return [
    { name: 'style', run: () => run('biome', 'ci', '--colors=off', '--diagnostic-level=error', '.') },
    {
      name: 'imports',
      run: () => joinLines(checkImports(rootDir, ['frontend', 'gateway', 'openapi', 'services'])),
    },
    {
      name: 'contracts',
      run: () => run('redocly', 'lint', '--config', 'openapi/redocly.yaml', ...contracts),
    },
    { name: 'messages', run: () => runProgram('buf', ['lint'], `${rootDir}/proto`) },
    { name: 'generated code', run: () => compareGenerated(rootDir) },
    { name: 'chart values', run: async () => checkChartFiles(rootDir) },
    {
      name: 'rendered chart',
      run: () => checkChart(join(rootDir, 'charts/lapwing'), tools),
      skipped: () => missingSteps(tools),
    },
    { name: 'lockfile', run: async () => checkLockfile(rootDir) },
    { name: 'readmes', run: async () => checkReadmes(rootDir) },
    { name: 'words', run: async () => checkWords(rootDir) },
    { name: 'variables', run: () => run(process.execPath, '--test', 'docker/variables.test.ts') },
    { name: 'widget size', run: () => run(process.execPath, 'frontend/widget/build/check-size.ts') },
    { name: 'client size', run: () => run(process.execPath, 'frontend/client/build/check-size.ts') },
    { name: 'k6 scripts', run: () => run(process.execPath, 'services/load/src/k6/main.ts', '--check') },
    { name: 'subjects of commits', run: async () => checkSubjects(rootDir) },
    ...projects.map(file => ({
      name: `types ${file}`,
      run: () => run('tsc', '--pretty', 'false', '-p', file),
    })),
  ]
}

export interface Check {
  readonly name: string
  /** Returns the problems as text, or null if there is none. */
  readonly run: () => Promise<string | null>
  /** Returns the steps that it leaves out because a tool is missing. */
  readonly skipped?: () => readonly string[]
}

async function joinLines(problems: Promise<readonly { readonly text: string }[]>): Promise<string | null> {
  return (await problems).map(({ text }) => text).join('\n') || null
}
