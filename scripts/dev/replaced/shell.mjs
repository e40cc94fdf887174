// Stands for src/coordinator/pages/shell.ts in the bundle of `npm run dev`.
import { shellOf as productionShellOf } from '../../../src/coordinator/pages/shell.js'

/**
 * Names the nonce that Vite sets on the style elements that it adds: pages have the policy of production.
 * @type {typeof productionShellOf}
 */
export function shellOf(shell) {
  const nonce = `<meta property="csp-nonce" nonce="${shell.boot.style_nonce}">`
  return productionShellOf(shell).replace('<meta charset="utf-8">', `$&\n    ${nonce}`)
}
