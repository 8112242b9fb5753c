import type { Plugin } from 'vite'

/**
 * Lets the browser fetch the code after the style sheet. On a slow network they would share it, and the page
 * of `index.html` would be painted seconds later.
 */
export function pageBeforeCode(): Plugin {
  return {
    name: 'page-before-code',
    apply: 'build',
    transformIndexHtml: {
      order: 'post',
      handler: html =>
        html.replaceAll(/<(?:script type="module"|link rel="modulepreload")/g, '$& fetchpriority="low"'),
    },
  }
}
