/** Shows the list of mails, refreshes it, and opens the mail that the address names after its #. */

const element = id => document.getElementById(id)
const list = element('mails')
const search = element('search')
let shownList = ''
let openedId = null

async function call(path, method = 'GET', body) {
  const json = body && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }
  const answer = await fetch(path, { method, ...json })
  if (answer.status === 404) return null
  if (!answer.ok) {
    const { detail } = await answer.json().catch(() => ({}))
    throw new MailboxError(detail ?? `The mailbox answered ${answer.status}.`)
  }
  return answer.status === 204 ? null : answer.json()
}

/** An error with a sentence for the reader. */
class MailboxError extends Error {}

async function refresh() {
  const { messages } = await call(`/api/messages?q=${encodeURIComponent(search.value.trim())}`)
  const newList = JSON.stringify([messages.map(({ id }) => id), openedId])
  // Redrawn only after a change, so that focus and selection stay.
  if (newList === shownList) return
  shownList = newList
  const focused = document.activeElement?.getAttribute('href')
  list.replaceChildren(...messages.map(row))
  if (focused?.startsWith('#')) list.querySelector(`a[href="${CSS.escape(focused)}"]`)?.focus()
  element('empty').hidden = messages.length > 0
  element('empty').textContent =
    search.value.trim() === '' ? 'No mail has arrived yet.' : 'No mail has these words.'
}

function row({ id, subject, to, receivedAt, preview }) {
  const link = document.createElement('a')
  link.href = `#${id}`
  if (id === openedId) link.setAttribute('aria-current', 'true')
  link.append(
    text('span', 'subject', subject || '(no subject)'),
    time(receivedAt),
    text('span', 'muted wide', to.join(', ')),
    text('span', 'muted wide', preview),
  )
  const item = document.createElement('li')
  item.append(link)
  return item
}

function text(tag, className, content) {
  const made = document.createElement(tag)
  made.className = className
  made.textContent = content
  return made
}

function time(iso, options = { hour: '2-digit', minute: '2-digit', second: '2-digit' }) {
  const made = text('time', 'muted', new Date(iso).toLocaleString([], options))
  made.dateTime = iso
  return made
}

async function open() {
  const id = decodeURIComponent(location.hash.slice(1))
  const mail = id === '' ? null : await call(`/api/messages/${encodeURIComponent(id)}`)
  openedId = mail?.id ?? null
  element('nothing').hidden = mail !== null
  element('nothing').textContent = id === '' ? 'Choose a mail to read it.' : 'This mail is gone.'
  element('open').hidden = mail === null
  element('answered').hidden = true
  if (mail !== null) {
    for (const button of ['stop', 'start']) element(button).hidden = mail.channel === undefined
    element('subject').textContent = mail.subject || '(no subject)'
    element('from').textContent = mail.from
    element('to').textContent = mail.to.join(', ')
    element('received').replaceChildren(time(mail.receivedAt, { dateStyle: 'medium', timeStyle: 'medium' }))
    element('attachments').textContent = mail.attachments.map(({ name }) => name).join(', ')
    element('attachments-name').hidden = mail.attachments.length === 0
    element('text').textContent = mail.text
    element('html-part').hidden = mail.html === null
    element('html').src = mail.html === null ? 'about:blank' : `/messages/${encodeURIComponent(id)}/html`
    element('subject').focus({ preventScroll: true })
  }
  await refresh()
}

/** Runs the work. If it fails, shows a message until it works again. */
async function attempt(work) {
  const problem = element('problem')
  try {
    await work()
    problem.hidden = true
  } catch (error) {
    problem.textContent =
      error instanceof MailboxError ? error.message : 'The mailbox does not answer. Is Lapwing still running?'
    problem.hidden = false
  }
}

search.addEventListener('input', () => attempt(refresh))
addEventListener('hashchange', () => attempt(open))
element('delete').addEventListener('click', () =>
  attempt(async () => {
    await call(`/api/messages/${encodeURIComponent(openedId)}`, 'DELETE')
    location.hash = ''
  }),
)
for (const [button, words] of [
  ['stop', 'STOP'],
  ['start', 'START'],
]) {
  element(button).addEventListener('click', () =>
    attempt(async () => {
      await call(`/api/messages/${encodeURIComponent(openedId)}/replies`, 'POST', { words })
      element('answered').textContent = `Lapwing received ${words}.`
      element('answered').hidden = false
    }),
  )
}
element('delete-all').addEventListener('click', () =>
  attempt(async () => {
    await call('/api/messages', 'DELETE')
    location.hash = ''
    await refresh()
  }),
)
setInterval(() => {
  if (!document.hidden) attempt(refresh)
}, 1500)
attempt(open)
