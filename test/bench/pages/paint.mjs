import { join } from 'node:path'

import { sizesOf } from '../../../scripts/web/sizes.mjs'
import { call, Project } from '../project.mjs'
import { formatTime, median } from '../table.mjs'
import { figureOf, kilobytes } from './tab.mjs'

const TURNS = 5
const KIB = 1024

/** A connection of 10 Mbit/s and 40 ms. */
const SLOW = { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 }

/** What a browser loads. */
export function sizeFigures() {
  const { first, pages } = sizesOf('dist/web')
  const common = pages.filter(
    ({ name }) => !/editor|code\/(edit|new-file)|runner|charts|conflict-files/.test(name),
  )
  const largest = common.toSorted((a, b) => b.bytes - a.bytes)[0]
  const editor = pages.toSorted((a, b) => b.bytes - a.bytes)[0]
  return [
    figureOf('scripts and styles of the first page, gzip', first, 60 * KIB, kilobytes),
    figureOf(
      `the largest page more, ${largest?.name ?? ''}`,
      largest?.bytes ?? Number.NaN,
      30 * KIB,
      kilobytes,
    ),
    figureOf('the editor more', editor?.bytes ?? Number.NaN, 140 * KIB, kilobytes),
  ]
}

/**
 * From the address to the first paint, with an empty cache.
 * @param {import('./tab.mjs').Browser} browser
 * @param {string} folder
 */
export async function paintFigures(browser, folder) {
  const project = await Project.create(
    browser.url,
    join(folder, 'pages-paint'),
    'build: { script: "true", when: manual }\n',
  )
  await call(`${project.api}/pipeline`, { ref: 'main' })
  const path = '/root/pages-paint/-/pipelines'
  const [near, far] = [await firstPaint(browser, path, false), await firstPaint(browser, path, true)]
  return [
    figureOf('first paint on the machine itself', near, 500, formatTime),
    figureOf('first paint at 10 Mbit/s and 40 ms', far, 1200, formatTime),
  ]
}

/**
 * @param {import('./tab.mjs').Browser} browser
 * @param {string} path
 * @param {boolean} isSlow
 */
async function firstPaint(browser, path, isSlow) {
  /** @type {number[]} */
  const times = []
  for (let turn = 0; turn < TURNS; turn++) {
    times.push(
      await browser.withTab(async (tab) => {
        if (isSlow) {
          const session = await tab.page.context().newCDPSession(tab.page)
          await session.send('Network.enable')
          await session.send('Network.emulateNetworkConditions', SLOW)
        }
        await tab.open(path)
        const paint = `performance.getEntriesByName('first-contentful-paint')[0]`
        await tab.until(paint)
        return tab.evaluate(`${paint}.startTime`)
      }),
    )
  }
  return median(times)
}
