import type { Boot } from '../../coordinator/pages/schema.js'

/** What the server said about the session and the address of this page. */
export const boot: Boot = JSON.parse(document.getElementById('boot')?.textContent ?? 'null') as Boot
