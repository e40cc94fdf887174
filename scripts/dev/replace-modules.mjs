import { dirname, join, resolve } from 'node:path'

import { root } from '../setup/root.mjs'

const HERE = join(root, 'scripts/dev/replaced')
const PAGES = join(root, 'src/coordinator/pages')

/** Modules as the server imports them, and what the bundle of `npm run dev` has instead. */
const REPLACED = new Map([
  [join(PAGES, 'page-files.js'), join(HERE, 'page-files.mjs')],
  [join(PAGES, 'shell.js'), join(HERE, 'shell.mjs')],
])

/**
 * What development needs in the server is in these modules, so that production has nothing of it.
 * @returns {import('rolldown').Plugin}
 */
export function replaceModules() {
  return {
    name: 'replace-modules',
    resolveId: {
      filter: { id: /\/(?:page-files|shell)\.js$/ },
      handler: (id, importer) => {
        if (importer === undefined || importer.startsWith(HERE)) return null
        return REPLACED.get(resolve(dirname(importer), id)) ?? null
      },
    },
  }
}
