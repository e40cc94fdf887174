import { randomBytes } from 'node:crypto'
import { setMaxListeners } from 'node:events'
import { mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { Api } from './api.mjs'
import { DemoCoordinator } from './coordinator.mjs'
import { History } from './history.mjs'
import { introductionOf } from './introduction.mjs'
import { sizes } from './plan.mjs'
import { Present } from './present.mjs'
import { startReceiver } from './receiver.mjs'
import { loadScene, saveScene } from './scene.mjs'

/**
 * @typedef {object} DemoOptions
 * @property {string} folder data folder: empty, new, or that of an earlier demo
 * @property {number} port 0 = any free one
 * @property {import('./plan.mjs').SizeName} size
 * @property {(line: string) => void} report
 * @property {AbortSignal} signal ends the demo
 * @property {number} [speed] how many times as fast people push and jobs run after the past is made; 1 by default
 */

/**
 * @typedef {object} Demo
 * @property {string} url
 * @property {string} introduction what to look at, with a link that signs in once
 * @property {Promise<void>} ended resolves when the demo has stopped, rejects if it fails
 */

/**
 * Makes the past, and starts a coordinator and runners that continue it.
 * @param {DemoOptions} options
 * @returns {Promise<Demo>}
 */
export async function startDemo(options) {
  const { folder, port, report, signal, speed = 1 } = options
  // Each runner listens.
  setMaxListeners(0, signal)
  await mkdir(folder, { recursive: true })
  const saved = await loadPast(folder)
  const receiver = await startReceiver(saved?.hookPort)
  try {
    const past = saved ?? (await makePast(options, receiver))
    signal.throwIfAborted()
    const coordinator = await DemoCoordinator.start({ folder, port: past.port ?? port, ...past.tokens })
    const api = Api.connect(coordinator.url, past.tokens.adminToken)
    const stop = async () => {
      await api.close()
      await coordinator.stop()
      await receiver.close()
    }
    const present = new Present(past.scene, past.running, api, { report, speed })
    return {
      url: coordinator.url,
      introduction: await introductionOf(api, past.scene),
      ended: endAfter(Promise.race([present.run(signal), failAtExit(coordinator, options)]), stop),
    }
  } catch (error) {
    await receiver.close()
    throw error
  }
}

/**
 * Rejects when the coordinator ends before the demo does.
 * @param {DemoCoordinator} coordinator
 * @param {DemoOptions} options
 * @returns {Promise<never>}
 */
async function failAtExit(coordinator, { folder }) {
  await coordinator.exited
  throw new Error(`The coordinator of the demo has ended, see ${join(folder, 'coordinator.log')}`)
}

/**
 * @param {Promise<void>} work
 * @param {() => Promise<void>} stop
 */
async function endAfter(work, stop) {
  try {
    await work
  } finally {
    await stop()
  }
}

/** @typedef {{ scene: import('./scene.mjs').Scene, tokens: import('./scene.mjs').Tokens, running: import('./work.mjs').RunningJob[], port: number | undefined, hookPort: number }} Past */

/**
 * @param {string} folder
 * @returns {Promise<Past | undefined>}
 */
async function loadPast(folder) {
  const saved = await loadScene(folder)
  if (saved) return { ...saved, running: [], port: undefined }
  if ((await readdir(folder)).length > 0)
    throw new Error(`${folder} is not empty, and not the folder of a demo`)
  return undefined
}

/**
 * @param {DemoOptions} options
 * @param {{ url: string, port: number }} receiver of webhooks
 * @returns {Promise<Past>}
 */
async function makePast({ folder, port, size, report, signal }, receiver) {
  const tokens = { adminToken: newToken('glpat-'), registrationToken: newToken('') }
  const coordinator = await DemoCoordinator.start({ folder, port, ...tokens, hasClock: true })
  const api = Api.connect(coordinator.url, tokens.adminToken)
  try {
    const repositories = join(folder, 'demo')
    const history = new History({
      api,
      coordinator,
      folder: repositories,
      size: sizes[size],
      hookUrl: receiver.url,
      report,
      signal,
    })
    const scene = await history.make()
    await saveScene(folder, { scene, tokens, hookPort: receiver.port })
    report(`${history.pipelines} pipelines and ${history.work.jobs} jobs`)
    // Clients know the address by now.
    const { port: taken } = new URL(coordinator.url)
    return { scene, tokens, running: [...history.work.running], port: Number(taken), hookPort: receiver.port }
  } finally {
    await api.close()
    await coordinator.stop()
  }
}

/** @param {string} prefix */
const newToken = (prefix) => prefix + randomBytes(15).toString('base64url')
