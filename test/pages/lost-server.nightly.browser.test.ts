import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { Service } from '../conformance/support/service.js'
import { openForFile } from '../support/lifetime.js'
import { openPage } from './support/browser.js'

/** Requests of the page to the server, but not for documents. */
const OF_PAGE = /\/api\/v4\/|\.js$/

function loads(page: Page): { count: number } {
  const documents = { count: 0 }
  page.on('request', (request) => {
    if (request.isNavigationRequest()) documents.count++
  })
  return documents
}

/** Follows a link of the page. */
async function follow(page: Page, path: string): Promise<void> {
  await page.evaluate(`{
    const link = document.createElement('a')
    link.href = ${JSON.stringify(path)}
    document.body.append(link)
    link.click()
    link.remove()
  }`)
}

describe('pages whose server cannot be reached', () => {
  const service = openForFile(() => Service.start())

  it('say so inside the frame, and appear when the server is back', async () => {
    const { page, context } = await openPage(service(), '/', { as: service().root })
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    const documents = loads(page)
    await context.route(OF_PAGE, (route) => route.abort('connectionrefused'))
    await follow(page, '/admin/runners')
    await page.getByRole('heading', { name: 'The server cannot be reached, trying again.' }).waitFor()
    expect(await page.getByRole('button', { name: /^Account of/ }).isVisible()).toBe(true)
    await context.unroute(OF_PAGE)
    await page.getByRole('heading', { name: 'Runners', level: 1 }).waitFor()
    expect(documents.count).toBe(0)
  })

  it('load the document once a minute if the server has no such module, and then say that the page has failed', async () => {
    const { page, context } = await openPage(service(), '/', {
      as: service().root,
      expectedFailures: /^404 /,
    })
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    const documents = loads(page)
    // The entry of the document and what it imports at once are there; the module of the page is not.
    const known = new Set(
      await page.evaluate(() => performance.getEntriesByType('resource').map(({ name }) => name)),
    )
    await context.route(/\.js$/, (route) =>
      known.has(route.request().url()) ? route.fallback() : route.fulfill({ status: 404, body: '' }),
    )
    await follow(page, '/admin/runners')
    await page.getByText('A part of this page could not be loaded.').waitFor()
    expect(await page.getByRole('button', { name: 'Load again' }).isVisible()).toBe(true)
    expect(documents.count).toBe(1)

    await page.evaluate('performance.now = () => 61_000')
    await follow(page, '/admin/users')
    await expect.poll(() => documents.count).toBe(2)
  })

  it('are not blank if their script does not load', async () => {
    const { page, context } = await openPage(service(), '/', { as: service().root })
    await context.route(/\.js$/, (route) => route.abort('connectionrefused'))
    await page.reload()
    await page.getByText('The page has not started: its script did not load.').waitFor()
    await context.unroute(/\.js$/)
    await page.getByRole('link', { name: 'Load it again' }).click()
    await page.getByRole('button', { name: /^Account of/ }).waitFor()
  })
})
