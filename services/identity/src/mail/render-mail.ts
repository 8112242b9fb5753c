/** The content of a mail, without its layout. */
export interface MailText {
  readonly subject: string
  readonly title: string
  readonly lines: readonly string[]
  readonly button?: MailButton
  /** Shown smaller, below the first. */
  readonly otherButton?: MailButton
  /** Shown large, for typing. */
  readonly code?: string
  /** Shown small at the end: what to do if the mail was not expected. */
  readonly note: string
}

interface MailButton {
  readonly label: string
  readonly url: string
}

export interface RenderedMail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

/**
 * Renders a mail as plain text and as HTML with the same words. The HTML has one column and loads
 * nothing. Styles are inline, because many mail readers drop style sheets. Readers with a dark mode
 * get the product's dark colours.
 */
export function renderMail(productName: string, mail: MailText): RenderedMail {
  const { subject, title, lines, button, otherButton, code, note } = mail
  const text = [
    title,
    ...lines,
    ...(code === undefined ? [] : [code]),
    ...[button, otherButton].flatMap(link => (link === undefined ? [] : [`${link.label}:\n${link.url}`])),
    note,
    productName,
  ].join('\n\n')
  const paragraph = (line: string) => `<p style="margin:0 0 12px">${escapeHtml(line)}</p>`
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<title>${escapeHtml(subject)}</title>
<style>
@media (prefers-color-scheme: dark) {
  .page { background: #0b0e13 !important; color: #e8ecf3 !important }
  .card { background: #12161d !important; border-color: #262d39 !important }
  .muted { color: #98a3b3 !important }
  .button { background: #2dd4bf !important; color: #04211d !important }
  .link { color: #2dd4bf !important }
}
</style>
</head>
<body class="page" style="margin:0;padding:24px 12px;background:#f4f6f9;color:#131820;font:15px/1.5 Inter,-apple-system,'Segoe UI',sans-serif">
<div class="card" role="article" aria-label="${escapeHtml(subject)}" style="max-width:440px;margin:0 auto;padding:24px;background:#ffffff;border:1px solid #dce1e9;border-radius:12px">
<p class="muted" style="margin:0 0 16px;color:#566173;font-size:13px;font-weight:600">${escapeHtml(productName)}</p>
<h1 style="margin:0 0 12px;font-size:20px;line-height:1.3">${escapeHtml(title)}</h1>
${lines.map(paragraph).join('\n')}
${code === undefined ? '' : `<p style="margin:20px 0;font:600 30px/1 ui-monospace,Consolas,monospace;letter-spacing:6px">${escapeHtml(code)}</p>`}
${
  button === undefined
    ? ''
    : `<p style="margin:20px 0"><a class="button" href="${escapeHtml(button.url)}" style="display:inline-block;padding:12px 20px;background:#0f766e;color:#ffffff;border-radius:8px;font-weight:600;text-decoration:none">${escapeHtml(button.label)}</a></p>
<p class="muted" style="margin:0 0 12px;color:#566173;font-size:13px;word-break:break-all">Or open this address: <a class="link" href="${escapeHtml(button.url)}" style="color:#0f766e">${escapeHtml(button.url)}</a></p>`
}
${
  otherButton === undefined
    ? ''
    : `<p style="margin:20px 0 12px"><a class="link" href="${escapeHtml(otherButton.url)}" style="color:#0f766e;font-weight:600">${escapeHtml(otherButton.label)}</a></p>`
}
<p class="muted" style="margin:16px 0 0;color:#566173;font-size:13px">${escapeHtml(note)}</p>
</div>
</body>
</html>
`
  return { subject, text: `${text}\n`, html }
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, character => entities[character]!)
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}
