import type { Facts } from './lapwing.ts'

/** Returns the page for a visitor who has not connected the app. */
export function startPage(): string {
  return page(`
    <p>This small app is not part of Lapwing. It shows what other apps can read, if you let them.</p>
    <p><a class="button" href="/connect">Connect with Lapwing</a></p>`)
}

export function messagePage(sentence: string): string {
  return page(`
    <p role="status">${escapeHtml(sentence)}</p>
    <p><a class="button" href="/connect">Connect with Lapwing</a></p>`)
}

/** Returns the page for a visitor who has connected the app, with what the app has just read. */
export function connectedPage({ email, laps, tracks }: Facts): string {
  const list = (items: readonly string[], empty: string) =>
    items.length === 0
      ? `<p>${empty}</p>`
      : `<ul>${items.map(item => `<li>${escapeHtml(item)}</li>`).join('')}</ul>`
  return page(`
    <p role="status">Connected as <strong>${escapeHtml(email)}</strong>.</p>
    <h2>Your newest laps</h2>
    ${list(
      (laps ?? []).map(({ time_fmt, combination: { track_label, car_label } }) =>
        [time_fmt ?? 'no time', track_label, car_label].join(' · '),
      ),
      'You have saved no lap yet.',
    )}
    <h2>Tracks with a leaderboard</h2>
    ${list(tracks ?? [], 'There is none yet.')}
    <form method="post" action="/disconnect"><button class="button">Disconnect</button></form>`)
}

function page(content: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width">
    <title>Demo app</title>
    <link rel="icon" href="data:,">
    <style>
      :root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
      main { max-width: 34rem; margin: 3rem auto; padding: 0 1rem; }
      .button { display: inline-block; padding: .5rem 1rem; border: 1px solid; border-radius: .4rem;
        background: none; color: inherit; font: inherit; text-decoration: none; cursor: pointer; }
    </style>
  </head>
  <body>
    <main>
      <h1>Demo app</h1>${content}
    </main>
  </body>
</html>`
}

function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
}
