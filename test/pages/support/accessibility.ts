import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import type { Page } from 'playwright-core'
import { expect } from 'vitest'

import { matchPage } from '../../../src/addresses/match-page.js'
import { IS_NIGHTLY, variants } from '../../support/nightly.js'

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const ALL_RULES = {
  type: 'tag',
  values: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
}
interface Finding {
  id: string
  help: string
  nodes: { target: string[]; html: string; failureSummary?: string }[]
}

/** What axe finds in the page as it is now, one line for each element. */
export async function findings(page: Page): Promise<string[]> {
  // By the debugging protocol, which the policy of the page does not concern. It takes longer than most rules.
  if (!(await page.evaluate<boolean>('"axe" in globalThis'))) await page.evaluate(AXE)
  const { violations } = await page.evaluate(
    (runOnly) =>
      (
        globalThis as unknown as {
          axe: { run: (context: object, options: object) => Promise<{ violations: Finding[] }> }
        }
      ).axe.run({ exclude: [] }, { runOnly, resultTypes: ['violations'] }),
    ALL_RULES,
  )
  return violations.flatMap(({ id, help, nodes }) =>
    nodes.map(({ target, html }) => `${id}: ${help}: ${target.join(' ')}: ${html.slice(0, 160)}`),
  )
}

/** Whether the page as a whole scrolls sideways. */
export async function scrollsSideways(page: Page): Promise<boolean> {
  return page.evaluate<boolean>('document.documentElement.scrollWidth > document.documentElement.clientWidth')
}

const WIDE = 1280

/** Each theme at one width; the nightly run tries each theme at both. */
export const VIEWS: readonly View[] = [
  { width: WIDE, theme: 'light' },
  { width: 360, theme: 'dark' },
]
export const VIEWS_AT_NIGHT: readonly View[] = [
  { width: 360, theme: 'light' },
  { width: WIDE, theme: 'dark' },
]

export interface View {
  width: number
  theme: 'light' | 'dark'
}

/** The second frame after now, or two seconds: under load, the browser sometimes draws none until something changes. */
const DRAWN = `new Promise((drawn) => {
  requestAnimationFrame(() => requestAnimationFrame(drawn))
  setTimeout(drawn, 2000)
})`

/** Shows the page in a theme, at a width, and waits until the page has drawn itself for them. */
export async function show(page: Page, { width, theme }: View): Promise<void> {
  await page.setViewportSize({ width, height: 860 })
  await page.emulateMedia({ colorScheme: theme })
  await page.evaluate(DRAWN)
}

/** The pages of each file of tests that axe has looked at. */
const LOOKED_AT = new Set<string>()

/**
 * What is wrong with the page as it is now, in both themes, at 1280 and 360 px: findings of axe, and sideways scrolling. In
 * the nightly run, axe looks at each state and view of a page. In others, it looks at the first state that a file shows of
 * a page, in one view: it takes most of the time of such a test. Afterwards, the page is as it was before.
 */
export async function looksRight(page: Page): Promise<string[]> {
  const before = page.viewportSize()
  const wrong: string[] = []
  const runsAxe = IS_NIGHTLY || isFirstLookAt(page)
  for (const view of variants(VIEWS, VIEWS_AT_NIGHT)) {
    const { width, theme } = view
    // What only scrolls or does not is read from the page as the test sees it.
    if (runsAxe || width !== before?.width) await show(page, view)
    if (await scrollsSideways(page)) wrong.push(`${width} px: the page scrolls sideways`)
    if (!runsAxe || (!IS_NIGHTLY && width !== WIDE)) continue
    for (const finding of await findings(page)) wrong.push(`${width} px, ${theme}: ${finding}`)
  }
  await page.emulateMedia({ colorScheme: 'light' })
  if (before) await page.setViewportSize(before)
  return wrong
}

/** Whether the running file has not looked at this kind of page before, such as the page of a job. */
function isFirstLookAt(page: Page): boolean {
  const { pathname } = new URL(page.url())
  const key = `${expect.getState().testPath} ${matchPage(pathname)?.name ?? pathname}`
  if (LOOKED_AT.has(key)) return false
  LOOKED_AT.add(key)
  return true
}
