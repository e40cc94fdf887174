import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core'
import { inject } from 'vitest'

import type { Person, Service } from '../../conformance/support/service.js'
import { onFinished } from '../../support/lifetime.js'
import { IS_NIGHTLY } from '../../support/nightly.js'

/** The browser that the files of one worker share. */
let browser: Promise<Browser> | undefined

/** A coordinator on loopback. */
export type Host = Pick<Service, 'url' | 'openSession'>

export interface OpenOptions {
  /** Nobody is signed in without one. */
  as?: Pick<Person, 'id'>
  width?: number
  height?: number
  theme?: 'light' | 'dark'
  /** Requests that the server fails to respond. */
  fails?: RegExp
  /** Responses that the test provokes, such as `404 /api/v4/projects/5`; others of 400 and more fail the test. */
  expectedFailures?: RegExp
}

const FAILURE = '500 Internal Server Error'

/** A page of a browser, and what went wrong in it. */
export interface OpenPage {
  page: Page
  context: BrowserContext
  /** Errors of scripts, violations of the policy, and failed requests that were not expected. */
  problems: string[]
}

/**
 * Opens a page in a context of its own, with the session of a user. The test fails at its end if the page reported an
 * error, violated its policy, or if a request failed.
 */
export async function openPage(host: Host, path: string, options: OpenOptions = {}): Promise<OpenPage> {
  const { as, width = 1280, height = 860, theme = 'light', fails, expectedFailures } = options
  browser ??= chromium.connect(inject('browserEndpoint'))
  const context = await (
    await browser
  ).newContext({
    viewport: { width, height },
    colorScheme: theme,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  })
  context.setDefaultTimeout(IS_NIGHTLY ? 10 * 60_000 : 60_000)
  if (as) await signIn(host, context, as)
  const page = await context.newPage()
  const problems: string[] = []
  watch(page, problems, expectedFailures)
  onFinished(async () => {
    await context.close()
    if (problems.length > 0) throw new Error(`The page had problems:\n${problems.join('\n')}`)
  })
  if (fails) await page.route(fails, (route) => route.fulfill({ status: 500, json: { message: FAILURE } }))
  await page.goto(host.url + path)
  return { page, context, problems }
}

/** Gives a context a session of a user. */
async function signIn(host: Host, context: BrowserContext, person: Pick<Person, 'id'>): Promise<void> {
  const value = await host.openSession(person)
  await context.addCookies([
    { name: 'switchyard_session', value, url: host.url, httpOnly: true, sameSite: 'Lax' },
  ])
}

function watch(page: Page, problems: string[], expected: RegExp | undefined): void {
  page.on('pageerror', (error) => problems.push(`error: ${error.message}`))
  page.on('console', (message) => {
    // What the server has announced, and the page does not read (addresses/first-reads.ts).
    if (message.text().includes('was preloaded using link preload but not used'))
      problems.push(`console: ${message.text()}`)
    // The browser reports every failed request here too, without its address.
    if (message.type() !== 'error' || message.text().startsWith('Failed to load resource')) return
    problems.push(`console: ${message.text()}`)
  })
  page.on('response', (response) => {
    const line = `${response.status()} ${new URL(response.url()).pathname}`
    if (response.status() >= 400 && !expected?.test(line)) problems.push(`response: ${line}`)
  })
}
