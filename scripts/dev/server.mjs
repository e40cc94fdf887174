import { rm } from 'node:fs/promises'
import { stripVTControlCharacters } from 'node:util'

import { say, SetupError } from '../setup/say.mjs'
import { ensureAccounts, hasAccounts } from './accounts.mjs'
import { bundlePackages } from './bundle-packages.mjs'
import { Daemon } from './daemon.mjs'
import { DEBUG_PORTS } from './debug-ports.mjs'
import { Gate } from './gate.mjs'
import { introductionOf } from './introduction.mjs'
import { LatestOnly } from './latest-only.mjs'
import { DATA_FOLDER } from './paths.mjs'
import { ensureRunner, RUNNER } from './runner.mjs'
import { watchBundle } from './watch-bundle.mjs'

/** `url`: where browsers and git reach it; `listen`: address and port of the coordinator itself. @typedef {{ url: string, listen: string, inspect: boolean }} ServerOptions */

/** The coordinator and the runner of the latest bundle. */
export class DevServer {
  #gate = new Gate()
  /** What the processes run. */
  #running = { coordinator: '', runner: '' }
  #hasRunner = false
  #isIntroduced = false
  #isStopping = false
  /** @type {{ close(): Promise<void> } | undefined} */
  #watcher
  /** @type {LatestOnly<import('./watch-bundle.mjs').Built> | undefined} */
  #updates

  /** @param {ServerOptions} options */
  constructor({ url, listen, inspect }) {
    this.url = url
    this.listen = listen
    this.coordinatorUrl = `http://${listen}`
    this.environment = {
      SWITCHYARD_EXTERNAL_URL: url,
      SWITCHYARD_LOG_LEVEL: process.env.SWITCHYARD_LOG_LEVEL ?? 'warn',
    }
    this.coordinator = new Daemon({
      name: 'coordinator',
      args: ['coordinator', '--listen', listen, '--data-dir', DATA_FOLDER],
      environment: {
        ...this.environment,
        // A restart waits for nobody: requests wait in front of it.
        SWITCHYARD_DRAIN_SECONDS: '0',
        SWITCHYARD_SHUTDOWN_SECONDS: '1',
      },
      nodeArguments: nodeArguments(inspect, DEBUG_PORTS.coordinator),
      readyLine: /^Listening on /,
    })
    this.runner = new Daemon({
      name: 'runner',
      ...RUNNER,
      nodeArguments: nodeArguments(inspect, DEBUG_PORTS.runner),
    })
  }

  /** Resolves as soon as the coordinator serves; rejects if it did not start. */
  whenServing() {
    return this.#gate.passage()
  }

  /**
   * Starts the processes as soon as they are built, and again at each change.
   * @param {{ reload(): void }} pages
   * @returns {Promise<void>} rejects if that fails for another reason than the sources
   */
  async follow(pages) {
    const packages = await bundlePackages()
    if (this.#isStopping) return
    await new Promise((_resolve, reject) => {
      const updates = new LatestOnly(async (/** @type {import('./watch-bundle.mjs').Built} */ built) => {
        try {
          await this.#update(built, pages)
        } catch (error) {
          reject(error instanceof Error ? error : new Error(String(error)))
        }
      })
      this.#updates = updates
      this.#watcher = watchBundle(
        packages,
        (built) => updates.add(built),
        (error) => this.#reportFailure(error),
      )
    })
  }

  async stop() {
    this.#isStopping = true
    await this.#watcher?.close()
    await this.#updates?.stop()
    // It reports the jobs that it ends to the coordinator.
    await this.runner.stop('SIGINT')
    await this.coordinator.stop('SIGTERM')
  }

  kill() {
    this.runner.kill()
    this.coordinator.kill()
  }

  /**
   * @param {import('./watch-bundle.mjs').Built} built
   * @param {{ reload(): void }} pages
   */
  async #update({ versions, changedAt }, pages) {
    const { coordinator, runner } = this.#running
    this.#running = versions
    if (versions.coordinator !== coordinator) {
      if (coordinator === '') await this.#prepare()
      if (this.#isStopping || !(await this.#restartCoordinator())) return
      if (coordinator !== '') say(`the coordinator serves the change, after ${secondsSince(changedAt)}`)
      pages.reload()
      await this.#introduce()
    }
    if (this.#hasRunner && !this.#isStopping && versions.runner !== runner) {
      await this.runner.restart()
      if (runner !== '') say(`the runner has the change, after ${secondsSince(changedAt)}`)
    }
  }

  async #prepare() {
    if (!hasAccounts()) await rm(DATA_FOLDER, { recursive: true, force: true })
    this.#hasRunner = await ensureRunner({ listen: this.listen, environment: this.environment })
  }

  /** @returns {Promise<boolean>} whether it serves */
  async #restartCoordinator() {
    this.#gate.close()
    try {
      await this.coordinator.restart()
    } catch (error) {
      if (!(error instanceof SetupError)) throw error
      say(
        `${error.message} It starts again at the next change. Data of another commit? Delete ${DATA_FOLDER}.`,
      )
      this.#gate.fail(error)
      return false
    }
    this.#gate.open()
    return true
  }

  async #introduce() {
    if (this.#isIntroduced) return
    this.#isIntroduced = true
    console.log(introductionOf(await ensureAccounts(this.coordinatorUrl)))
  }

  /** @param {Error} error */
  #reportFailure(error) {
    const message = process.stderr.isTTY ? error.message : stripVTControlCharacters(error.message)
    say(`the sources cannot be built: ${message}`)
    if (this.#running.coordinator === '') this.#gate.fail(new Error('The sources cannot be built.'))
    else say('the programs from before the change keep running')
  }
}

/**
 * @param {boolean} inspect
 * @param {number} port
 */
function nodeArguments(inspect, port) {
  // Stack traces name the lines of the sources.
  return ['--enable-source-maps', ...(inspect ? [`--inspect=127.0.0.1:${port}`] : [])]
}

/** @param {number} time of `performance.now()` */
function secondsSince(time) {
  return `${((performance.now() - time) / 1000).toFixed(1)} s`
}
