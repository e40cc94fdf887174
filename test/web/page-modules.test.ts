import { existsSync } from 'node:fs'

import { expect, it } from 'vitest'

import { PAGES } from '../../src/addresses/page-table.js'

it('every address of the table has a page', () => {
  const missing = Object.keys(PAGES).filter((name) => !existsSync(`src/web/pages/${name}/page.tsx`))
  expect(missing).toEqual([])
})
