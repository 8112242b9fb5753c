/** Returns the page on which a person types an email address; hidden fields carry the request. */
export function authorisePage(title: string, query: AuthoriseQuery, problem = ''): string {
  const hidden = Object.entries(query)
    .map(
      ([name, value]) =>
        `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(String(value))}">`,
    )
    .join('\n        ')
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>${escapeHtml(title)}</title>
    <link rel="icon" href="data:,">
    <style>${STYLES}</style>
  </head>
  <body>
    <main>
      <h1>${escapeHtml(title)}</h1>
      <p>A stand-in for trying Lapwing on this machine. Type any address; no mail is sent to it.</p>
      <form method="post">
        ${hidden}
        <label for="email">Email</label>
        <input id="email" name="email" type="email" autocomplete="email" autofocus value="${escapeHtml(String(query.login_hint ?? ''))}">
        <p class="problem" role="alert">${escapeHtml(problem)}</p>
        <label class="check"><input type="checkbox" name="unverified" value="yes"> Not verified</label>
        <div class="buttons">
          <button name="decision" value="allow" class="first">Continue</button>
          <button name="decision" value="deny" formnovalidate>Deny</button>
        </div>
      </form>
    </main>
  </body>
</html>
`
}

/** The parameters of a client, all of it untrusted text. */
export interface AuthoriseQuery {
  readonly client_id?: string
  readonly redirect_uri?: string
  readonly response_type?: string
  readonly scope?: string
  readonly state?: string
  readonly nonce?: string
  readonly code_challenge?: string
  readonly code_challenge_method?: string
  readonly login_hint?: string
}

/**
 * Returns the page's content security policy. It has no `form-action`: a browser would apply that to every
 * redirect of the form's answer, and those are the client's URLs.
 */
export function pagePolicy(nonce: string): string {
  return `default-src 'none'; style-src 'nonce-${nonce}'; img-src data:; base-uri 'none'; frame-ancestors 'none'`
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)
}

/* The values are those of frontend/src/styles/tokens.css. */
const STYLES = `
  :root { --bg: #0b0e13; --card: #12161d; --raised: #1a202a; --line: #262d39; --text: #e8ecf3;
    --muted: #98a3b3; --accent: #2dd4bf; --on-accent: #04211d; --loss: #f87171; color-scheme: dark; }
  @media (prefers-color-scheme: light) {
    :root { --bg: #f4f6f9; --card: #ffffff; --raised: #eef1f5; --line: #dce1e9; --text: #131820;
      --muted: #566173; --accent: #0f766e; --on-accent: #ffffff; --loss: #dc2626; color-scheme: light; }
  }
  * { box-sizing: border-box; }
  body { display: grid; place-items: center; min-height: 100dvh; margin: 0; padding: 12px;
    background: var(--bg); color: var(--text); font: 13px / 1.45 "Inter Variable", Inter, system-ui, sans-serif; }
  main { width: min(100%, 360px); padding: 20px; border: 1px solid var(--line); border-radius: 12px;
    background: var(--card); }
  h1 { margin: 0; font-size: 18px; font-weight: 600; }
  p { margin: 4px 0 16px; color: var(--muted); }
  label { display: block; margin-bottom: 4px; }
  input[type="email"], button { width: 100%; height: 40px; padding: 0 10px; border: 1px solid var(--line);
    border-radius: 8px; background: var(--raised); color: inherit; font: inherit; }
  .check { display: flex; gap: 8px; align-items: center; margin: 12px 0 16px; }
  .problem { margin: 4px 0 0; color: var(--loss); }
  .buttons { display: flex; gap: 8px; }
  button { cursor: pointer; }
  .first { border-color: var(--accent); background: var(--accent); color: var(--on-accent); font-weight: 600; }
  :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
`
