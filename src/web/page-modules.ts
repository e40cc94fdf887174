import type { ComponentType } from 'preact'

import type { PageName } from '../addresses/page-table.js'

/** What each page module exports: a component that takes the decoded parameters of the address, and what it names. */
export interface PageModule {
  Page: ComponentType<{ params: never; found: never }>
}

const modules = import.meta.glob<PageModule>('./pages/**/page.tsx')

/** What loads the module of a page; undefined if this build has none. */
export function pageModule(name: PageName): (() => Promise<PageModule>) | undefined {
  return modules[`./pages/${name}/page.tsx`]
}
