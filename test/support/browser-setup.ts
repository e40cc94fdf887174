import { chromium } from 'playwright-core'
import type { TestProject } from 'vitest/node'

import { ensureChromium, ensureHeadlessShell } from '../../scripts/setup/chromium.mjs'
import { IS_NIGHTLY } from './nightly.js'

declare module 'vitest' {
  interface ProvidedContext {
    /** Where the tests of the pages reach the browser of this run. */
    browserEndpoint: string
  }
}

/** Flags without which Chromium asks hosts on the internet, and those of a process that runs as root in a container. */
const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--no-first-run',
]

/**
 * Starts one browser for all tests of the pages: its headless shell, and in the nightly run the whole one. Each test has a
 * context of its own.
 */
export default async function setUpBrowser(project: TestProject): Promise<() => Promise<void>> {
  const executablePath = await (IS_NIGHTLY ? ensureChromium() : ensureHeadlessShell())
  const server = await chromium.launchServer({ executablePath, args: FLAGS })
  project.provide('browserEndpoint', server.wsEndpoint())
  return () => server.close()
}
