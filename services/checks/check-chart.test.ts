import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { chartTools, checkChart, missingSteps } from './check-chart.ts'

const chartDir = join(import.meta.dirname, '../../charts/lapwing')
const tools = chartTools(process.env)
const none = {
  helm: '/nowhere/helm',
  kubeconform: '/nowhere/k',
  kubeScore: '/nowhere/s',
  checkov: '/nowhere/c',
  schemas: undefined,
}

test('names the steps that it leaves out for want of a tool', async () => {
  assert.deepEqual(missingSteps(none), ['chart: Helm is not on this machine'])
  assert.equal(await checkChart(chartDir, none), null)
})

const hasHelm = missingSteps(tools)[0]?.startsWith('chart') !== true

test('reports the values file and the mistake of a template', {
  skip: hasHelm ? false : 'Helm is not on this machine',
}, async t => {
  const copy = mkdtempSync(join(tmpdir(), 'lapwing-chart-'))
  t.after(() => rmSync(copy, { recursive: true }))
  cpSync(chartDir, copy, { recursive: true })
  const file = join(copy, 'templates/identity.yaml')
  writeFileSync(file, readFileSync(file, 'utf8').replace('"lapwing.projectEnv"', '"lapwing.projectsEnv"'))
  const problem = await checkChart(copy, { ...none, helm: tools.helm })
  assert.match(problem!, /^ci\/accounts-values\.yaml: .*projectsEnv/s)
  assert.doesNotMatch(problem!, /default-values/)
})
