import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { importRules } from './import-rules.ts'

/** Returns every import that breaks a rule of `import-rules.ts`. Throws if the folders hold no module. */
export async function checkImports(rootDir: string, folders: readonly string[]): Promise<ImportProblem[]> {
  const { output } = await cruise([...folders], {
    baseDir: rootDir,
    ruleSet: { forbidden: importRules.map(rule => ({ ...rule, severity: 'error' })) },
    validate: true,
    outputType: 'json',
    // TypeScript 7 has no API yet, so swc reads the imports.
    parser: 'swc',
    // An `import type` is a dependency too.
    tsPreCompilationDeps: true,
    exclude: { path: '(?:^|/)(?:dist|\\.lapwing)/' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['import', 'node', 'browser', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.js', '.json', '.d.ts'],
    },
  } as Parameters<typeof cruise>[1])
  const result = (typeof output === 'string' ? JSON.parse(output) : output) as ICruiseResult
  if (result.summary.totalCruised === 0) throw new Error('No module was found to check.')
  return result.summary.violations.map(({ rule, from, to, cycle }) => ({
    rule: rule.name,
    text: `${from} → ${cycle ? cycle.map(({ name }) => name).join(' → ') : to}: ${commentOf(rule.name)}`,
  }))
}

export interface ImportProblem {
  readonly rule: string
  readonly text: string
}

function commentOf(name: string): string {
  return importRules.find(rule => rule.name === name)?.comment ?? name
}
