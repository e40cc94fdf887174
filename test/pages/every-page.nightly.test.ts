import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { type PageName, PAGES } from '../../src/addresses/page-table.js'
import { openForFile } from '../support/lifetime.js'
import { findings, scrollsSideways, show, type View, VIEWS, VIEWS_AT_NIGHT } from './support/accessibility.js'
import { openPage } from './support/browser.js'
import { openDemo } from './support/demo.js'
import { type SampleAddress, sampleAddresses } from './support/sample-addresses.js'
import { addressIn, createEmptyPlaces, PAGE_STATES, READS } from './support/sample-states.js'

/** Where `npm run pictures` wants pictures of the pages. */
const PICTURES = process.env['SWITCHYARD_PICTURES']

/** The data folder of a demo that is there already. */
const DEMO = process.env['SWITCHYARD_DEMO_FOLDER']

/** A project or group without push rules has no record of them. */
const EXPECTED = /^404 .*\/push_rule$/

/** A page that is refused, or shows an empty repository, has such responses. */
const EXPECTED_IN_STATES = /^(40[34]|500) /

const STATES = PAGE_STATES.map((shown) => [shown.page, shown.state, shown] as const)

const ALL_VIEWS = [...VIEWS, ...VIEWS_AT_NIGHT]

describe('every page of the demo', () => {
  const scene = openForFile(async () => {
    const demo = await openDemo({ isFull: PICTURES !== undefined, folder: DEMO })
    if (PICTURES) await mkdir(PICTURES, { recursive: true })
    await createEmptyPlaces(demo)
    return { demo, addresses: await sampleAddresses(demo) }
  })

  it.each(Object.keys(PAGES) as PageName[])(
    '%s has no finding of axe and does not scroll sideways, in both themes',
    async (name) => {
      const { demo } = scene()
      const { address, as } = sampleOf(name)
      const { page } = await openPage(demo, address, { as: { id: as }, expectedFailures: EXPECTED })
      await settle(page)
      expect(await problemsOf(page, name, ALL_VIEWS)).toEqual([])
    },
  )

  it.each(STATES)('%s, %s, has no finding of axe and does not scroll sideways', async (_, __, shown) => {
    const { demo } = scene()
    const { address, as } = addressIn(demo, shown, sampleOf(shown.page))
    const { page } = await openPage(demo, address, {
      as: { id: as },
      expectedFailures: EXPECTED_IN_STATES,
      ...(shown.state === 'failed' && { fails: READS }),
    })
    await settle(page)
    expect(await problemsOf(page, `${shown.page}-${shown.state}`, VIEWS)).toEqual([])
  })

  function sampleOf(name: PageName): SampleAddress {
    const sample = scene().addresses.get(name)
    if (sample === undefined) throw new Error(`sample-addresses.ts has no address of the page ${name}`)
    return sample
  }
})

async function problemsOf(page: Page, name: string, views: readonly View[]): Promise<string[]> {
  const problems: string[] = []
  for (const view of views) {
    await show(page, view)
    await settle(page)
    if (await scrollsSideways(page)) problems.push(`${view.width} px: the page scrolls sideways`)
    for (const finding of await findings(page)) problems.push(`${view.width} px, ${view.theme}: ${finding}`)
    if (PICTURES) await page.screenshot({ path: join(PICTURES, pictureOf(name, view)) })
  }
  return problems
}

/** Waits until nothing of the page is still being read. */
async function settle(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor()
  await expect.poll(() => page.getByRole('status', { name: 'Loading' }).count()).toBe(0)
}

function pictureOf(name: string, { width, theme }: View): string {
  return `${name.replaceAll('/', '-')}-${width}-${theme}.png`
}
