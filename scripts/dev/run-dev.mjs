import { cp, mkdir, rm } from 'node:fs/promises'
import { join, relative } from 'node:path'

import { root } from '../setup/root.mjs'
import { forwardSignals } from '../setup/run-child.mjs'
import { takeLock } from './only-one.mjs'
import { servePages } from './pages.mjs'
import { BUNDLE_FOLDER, DEV_FOLDER, PUBLIC_FOLDER } from './paths.mjs'
import { DevServer } from './server.mjs'

/** `inspect`: debuggers can attach. @typedef {{ port: number, inspect: boolean }} DevOptions */

/**
 * Serves the sources of this clone until a signal, and restarts what has changed.
 * @param {DevOptions} options
 * @returns {Promise<number>} exit code
 */
export async function runDev(options) {
  const url = `http://127.0.0.1:${options.port}`
  await mkdir(DEV_FOLDER, { recursive: true, mode: 0o700 })
  const lock = await takeLock(relative('.', `${DEV_FOLDER}/lock`), url)
  try {
    await serveUntilSignal(options, url)
  } finally {
    await lock.release()
  }
  return 0
}

/**
 * @param {DevOptions} options
 * @param {string} url
 */
async function serveUntilSignal({ port, inspect }, url) {
  await prepareFolders()
  const server = new DevServer({ url, listen: `127.0.0.1:${port + 1}`, inspect })
  const interrupted = untilInterrupted(() => server.kill())
  const pages = await servePages({
    port,
    coordinatorUrl: server.coordinatorUrl,
    whenServing: () => server.whenServing(),
  })
  try {
    await Promise.race([interrupted, server.follow(pages)])
  } finally {
    await pages.close()
    await server.stop()
  }
}

async function prepareFolders() {
  await rm(BUNDLE_FOLDER, { recursive: true, force: true })
  await cp(join(root, 'src/web/public'), PUBLIC_FOLDER, { recursive: true })
  // Where the coordinator looks for built files, of which there are none.
  await mkdir(join(PUBLIC_FOLDER, 'assets'), { recursive: true })
}

/**
 * @param {() => void} onRepeated called at every signal but the first
 * @returns {Promise<void>} resolves at the first signal
 */
function untilInterrupted(onRepeated) {
  return new Promise((resolve) => {
    let isFirst = true
    forwardSignals(() => {
      if (isFirst) resolve()
      else onRepeated()
      isFirst = false
    })
  })
}
