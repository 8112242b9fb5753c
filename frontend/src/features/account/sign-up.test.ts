import assert from 'node:assert/strict'
import { test } from 'node:test'
import { anAccount } from '#testing/an-account.ts'
import { endSignIn } from './end-sign-in.ts'
import { type SignUpFields, signUp, signUpProblem } from './sign-up.ts'

const good: SignUpFields = {
  username: 'apexhunter',
  email: 'new@lapwing.test',
  password: 'correct horse',
  confirmation: 'correct horse',
  agreed: true,
}

test('reports one missing field at a time, in the order of the specification', () => {
  const nothing = { username: '', email: '', password: '', confirmation: 'x', agreed: false }
  const taken = 'Username is already taken'
  const steps: [Partial<SignUpFields>, string | null, string | null][] = [
    [{}, taken, 'Enter email and password'],
    [{ email: '  ', password: 'p' }, taken, 'Enter email and password'],
    [{ email: good.email }, taken, 'Enter email and password'],
    [{ email: good.email, password: 'p' }, taken, 'Enter a username'],
    [{ email: good.email, password: 'p', username: '  ' }, taken, 'Enter a username'],
    [{ email: good.email, password: 'p', username: 'taken-name' }, taken, taken],
    [{ email: good.email, password: 'p', username: 'free' }, null, 'Passwords do not match'],
    [
      { email: good.email, password: 'p', username: 'free', confirmation: 'p' },
      null,
      'Please agree to the terms of service',
    ],
  ]
  for (const [fields, usernameProblem, sentence] of steps) {
    assert.equal(signUpProblem({ ...nothing, ...fields }, usernameProblem), sentence)
  }
  assert.equal(signUpProblem(good, null), null)
})

test('creates the account, signs in, saves the name and remembers that it was chosen', async () => {
  const { account, calls, marks, identity } = anAccount()
  assert.equal(
    await signUp(account, { ...good, email: ' new@lapwing.test ', username: ' apexhunter ' }),
    true,
  )
  assert.deepEqual(identity.calls[0]?.body, {
    email: 'new@lapwing.test',
    password: 'correct horse',
    session_duration_minutes: 60,
  })
  const state = account.session.get()
  assert.ok(state.status === 'signed-in')
  assert.deepEqual(
    calls().map(({ method, path, body }) => [method, path, body]),
    [['POST', '/username', { username: 'apexhunter' }]],
  )
  assert.equal(marks.isChanged(state.session.userId), true)
})

test('saves the name, closes the dialog, then calls the success callback', async () => {
  const { account, calls } = anAccount()
  const steps: string[] = []
  if (await signUp(account, good)) {
    endSignIn({
      onOpenChange: isOpen => steps.push(`${calls().at(-1)?.path} saved, open: ${isOpen}`),
      onSignedIn: () => steps.push('callback'),
    })
  }
  assert.deepEqual(steps, ['/username saved, open: false', 'callback'])
})

test('signs up even if the name cannot be saved, and only logs the failure', async () => {
  const { account, answerNext, notices, warnings, marks } = anAccount()
  answerNext(new Response('', { status: 500 }))
  assert.equal(await signUp(account, good), true)
  const state = account.session.get()
  assert.ok(state.status === 'signed-in')
  assert.equal(marks.isChanged(state.session.userId), false)
  assert.deepEqual(notices, [])
  assert.equal(warnings.length, 1)
})

test('shows that an answer has no session, and tries nothing else', async () => {
  const { account, identity, notices, calls } = anAccount()
  identity.settings.answersNoSession = true
  assert.equal(await signUp(account, good), false)
  assert.deepEqual(notices, ['info: Signed up (no session returned)'])
  assert.equal(calls().length, 0)
})

test("throws the provider's message if it refuses", async () => {
  const { account, identity } = anAccount()
  identity.addUser({ email: good.email })
  await assert.rejects(signUp(account, good), {
    message: 'A user with the specified email already exists for this project.',
  })
})
