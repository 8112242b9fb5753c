import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { buildPackage } from './build-package.ts'
import { entries } from './vite-options.ts'

const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')

/** Uses each module once, and makes mistakes that types must find. */
const MORE = `
import { createOAuth } from '@lapwing/identity-client/oauth'
import { type IdentityClient, createIdentityClient } from '@lapwing/identity-client'
${entries
  .filter(name => name !== 'index')
  .map((name, index) => `import * as part${index} from '@lapwing/identity-client/${name}'\nvoid part${index}`)
  .join('\n')}
declare const identity: IdentityClient
const url: Promise<string> = createOAuth(identity).startUrl('google')
void url
// @ts-expect-error A member has a wrong type.
void identity.passwords.create({ email: 'a@b.test', password: 'a', session_duration_minutes: '60' })
// @ts-expect-error A member is missing.
void identity.passwords.create({ email: 'a@b.test' })
// @ts-expect-error The token is missing.
void createIdentityClient({})
`

const readme = await readFile(join(import.meta.dirname, '../README.md'), 'utf8')
const example = /```ts\n([\s\S]+?)```/.exec(readme)?.[1]

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lapwing-client-'))
  await buildPackage(join(folder, 'node_modules/@lapwing/identity-client'))
  await mkdir(join(folder, 'src'))
  await writeFile(join(folder, 'package.json'), '{ "type": "module" }')
  await writeFile(join(folder, 'src/example.ts'), example ?? '')
  await writeFile(join(folder, 'src/more.ts'), MORE)
})
after(() => rm(folder, { recursive: true, force: true }))

for (const moduleResolution of ['bundler', 'nodenext']) {
  test(`the README’s example compiles against the built package (${moduleResolution})`, async () => {
    assert.ok(example)
    const compilerOptions = {
      module: moduleResolution === 'bundler' ? 'esnext' : 'nodenext',
      moduleResolution,
      target: 'es2023',
      lib: ['es2023', 'dom', 'dom.iterable'],
      types: [],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
    }
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['src'] }))
    const run = promisify(execFile)(process.execPath, [compiler, '--pretty', 'false', '-p', folder])
    await run.catch((error: { readonly stdout: string }) => assert.fail(error.stdout))
  })
}
