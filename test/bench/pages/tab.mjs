import { performance } from 'node:perf_hooks'

import { chromium } from 'playwright-core'

import { ensureHeadlessShell } from '../../../scripts/setup/chromium.mjs'
import { call } from '../project.mjs'

const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--no-first-run',
]

const MAX_WAIT = 30_000

/** A browser reports no shorter tasks, in milliseconds. */
export const SHORTEST_LONG_TASK = 50

const EMPTY_PAGE = {
  contentType: 'text/html',
  headers: { 'cross-origin-opener-policy': 'same-origin' },
  body: '<!doctype html>',
}

/** Runs before the scripts of each page: it records the long tasks. */
const RECORD_TASKS = `
  globalThis.longTasks = []
  new PerformanceObserver((list) => longTasks.push(...list.getEntries().map(({ duration }) => duration)))
    .observe({ type: 'longtask', buffered: true })
`

/** A browser whose tabs are signed in as the administrator. */
export class Browser {
  /**
   * @param {import('playwright-core').Browser} browser
   * @param {string} url of the coordinator
   * @param {Awaited<ReturnType<import('playwright-core').BrowserContext['storageState']>>} session
   */
  constructor(browser, url, session) {
    this.browser = browser
    this.url = url
    this.session = session
  }

  /** @param {string} url of the coordinator */
  static async open(url) {
    const browser = await chromium.launch({ executablePath: await ensureHeadlessShell(), args: FLAGS })
    const context = await browser.newContext()
    const page = await context.newPage()
    const { url: link } = await call(`${url}/api/v4/users/1/sign_in_links`, {})
    await page.goto(String(link))
    await page.getByRole('button', { name: 'Sign in' }).click()
    await page.locator('h1').first().waitFor()
    const session = await context.storageState()
    await context.close()
    return new Browser(browser, url, session)
  }

  /**
   * Runs `work` with a new tab, whose cache is empty. Its process has started, as a browser keeps one for the next tab.
   * @template T
   * @param {(tab: Tab) => Promise<T>} work
   */
  async withTab(work) {
    const context = await this.browser.newContext({
      storageState: this.session,
      viewport: { width: 1280, height: 860 },
    })
    context.setDefaultTimeout(60_000)
    await context.addInitScript(RECORD_TASKS)
    try {
      const tab = new Tab(await context.newPage(), this.url)
      await tab.startProcess()
      return await work(tab)
    } finally {
      await context.close()
    }
  }

  close() {
    return this.browser.close()
  }
}

/** A tab. Scripts for it are texts. */
export class Tab {
  /**
   * @param {import('playwright-core').Page} page
   * @param {string} url of the coordinator
   */
  constructor(page, url) {
    this.page = page
    this.url = url
  }

  /** Shows an empty page of the coordinator's origin and opener policy, so that the next one is in the same process. */
  async startProcess() {
    const address = `${this.url}/empty`
    await this.page.route(address, (route) => route.fulfill(EMPTY_PAGE))
    await this.page.goto(address)
    await this.page.unroute(address)
  }

  /** @param {string} path */
  async open(path) {
    await this.page.goto(this.url + path)
  }

  /**
   * Waits until an expression holds. Playwright's own wait needs `eval`, which the policy of the pages forbids.
   * @param {string} condition
   */
  async until(condition) {
    await this.timeUntil('', condition)
  }

  /**
   * Milliseconds from `act` to the frame after which `condition` holds, measured in the tab.
   * @param {string} act
   * @param {string} condition an expression
   */
  async timeUntil(act, condition) {
    return this.evaluate(`new Promise((resolve, reject) => {
      const begun = performance.now()
      ${act}
      ${onceTrue(condition, 'performance.now() - begun')}
    })`)
  }

  /**
   * Milliseconds from the beginning of `act` in this process to the frame in which `condition` holds in the tab.
   * @param {() => Promise<unknown>} act
   * @param {string} condition an expression
   */
  async timeAfter(act, condition) {
    const seen = this.evaluate(`new Promise((resolve, reject) => {
      ${onceTrue(condition, 'Date.now()')}
    })`)
    const begun = performance.timeOrigin + performance.now()
    await act()
    return (await seen) - begun
  }

  /**
   * Lengths of the frames while an element scrolls down, in milliseconds.
   * @param {string} element an expression
   * @param {number} frames
   * @returns {Promise<number[]>}
   */
  async frameTimes(element, frames) {
    return this.page.evaluate(`new Promise((resolve) => {
      const box = ${element}
      const times = []
      let last = performance.now()
      const step = (now) => {
        times.push(now - last)
        last = now
        box.scrollBy(0, 40)
        times.length < ${frames} ? requestAnimationFrame(step) : resolve(times.slice(1))
      }
      requestAnimationFrame(step)
    })`)
  }

  /** Bytes of the heap of scripts, without garbage. */
  async heapBytes() {
    const session = await this.page.context().newCDPSession(this.page)
    await session.send('Performance.enable')
    await session.send('HeapProfiler.collectGarbage')
    const { metrics } = await session.send('Performance.getMetrics')
    await session.detach()
    return metrics.find(({ name }) => name === 'JSHeapUsedSize')?.value ?? Number.NaN
  }

  /**
   * @param {string} expression
   * @returns {Promise<number>}
   */
  evaluate(expression) {
    return this.page.evaluate(expression)
  }
}

/**
 * Statements that look at each frame, and resolve with a value once a condition holds.
 * @param {string} condition
 * @param {string} value
 */
function onceTrue(condition, value) {
  return `
    const end = performance.now() + ${MAX_WAIT}
    const look = () => requestAnimationFrame(() => {
      if (${condition}) resolve(${value})
      else if (performance.now() > end) reject(new Error(${JSON.stringify(condition)} + ' does not hold'))
      else look()
    })
    look()`
}

/**
 * The value below which 95 of 100 values are.
 * @param {number[]} values
 */
export function percentile95(values) {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * 0.95))] ?? Number.NaN
}

/**
 * A figure of the pages, compared with its goal.
 * @param {string} name
 * @param {number} measured
 * @param {number} goal
 * @param {(value: number) => string} format
 * @returns {import('../main.mjs').Figure}
 */
export function figureOf(name, measured, goal, format) {
  return {
    name,
    ours: format(measured),
    baseline: 'the goal',
    theirs: format(goal),
    ratio: measured / goal,
    target: `at most ${format(goal)}`,
  }
}

/** @param {number} value in milliseconds */
export const milliseconds = (value) => `${value.toFixed(value < 10 ? 1 : 0)} ms`

/** @param {number} bytes */
export const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1)} kB`
