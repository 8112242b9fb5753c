// Reads channels of an .ibt file with the npm package ibt-telemetry: every sample of every channel.
import { createRequire } from 'node:module'
import { measureCpu } from '../subjects/measure-cpu.ts'

const [path, names, folder] = process.argv.slice(2)
const require = createRequire(`${folder}/`)
// The package is compiled for engines without generators and expects this global.
globalThis.regeneratorRuntime = require('regenerator-runtime')
const { Telemetry } = require('ibt-telemetry')

const columns = new Map(names.split(',').map(name => [name, []]))
const cpuMs = await measureCpu(async () => {
  const telemetry = await Telemetry.fromFile(path)
  for (const sample of telemetry.samples()) {
    for (const [name, values] of columns) values.push(sample.getParam(name).value)
  }
})

const rows = Math.max(...[...columns.values()].map(values => values.length))
console.log(JSON.stringify({ cpuMs, columns: columns.size, rows, values: rows * columns.size }))
