// Stands for src/coordinator/pages/page-files.ts in the bundle of `npm run dev`: pages are read from their sources.
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { PACKAGE_FOLDER } from '../../../src/lib/package-folder.js'
import { PAGES_BASE } from '../pages-base.mjs'

/** Has the icon of the site. There are no built files. */
export const WEB_FOLDER = fileURLToPath(new URL('.switchyard/dev/web', PACKAGE_FOLDER))

const PAGES = fileURLToPath(new URL('src/web/pages', PACKAGE_FOLDER))

/** Styles and further modules are imported by the entry. @type {import('../../../src/coordinator/pages/page-files.js').PageFiles} */
const ENTRY = { entry: `${PAGES_BASE}main.tsx`, styles: [], modules: [] }

/** @type {typeof import('../../../src/coordinator/pages/page-files.js').readWebBuild} */
export const readWebBuild = () => ({
  id: 'dev',
  frame: ENTRY,
  // At each request: a page that has just been added is there.
  filesOf: (page) => (existsSync(`${PAGES}/${page}/page.tsx`) ? ENTRY : undefined),
})
