import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const MAIN = 'dist/cli/main.js'

/** A day: while the past is made, jobs run for hours of the clock without a message. */
const LEASE_SECONDS = String(24 * 60 * 60)

/**
 * @typedef {object} CoordinatorOptions
 * @property {string} folder its data folder
 * @property {number} port 0 = any free one
 * @property {string} adminToken
 * @property {string} registrationToken
 * @property {boolean} [hasClock] whether `setTime` sets its clock
 */

/** A coordinator in a process of its own, as it is installed. */
export class DemoCoordinator {
  /**
   * @param {import('node:child_process').ChildProcess} child
   * @param {string} url
   */
  constructor(child, url) {
    this.child = child
    this.url = url
    /** Resolves when the process has ended. */
    this.exited = child.exitCode === null ? once(child, 'exit') : Promise.resolve()
  }

  /** @param {CoordinatorOptions} options */
  static async start({ folder, port, adminToken, registrationToken, hasClock = false }) {
    const preload = hasClock ? ['--import', new URL('clock.mjs', import.meta.url).href] : []
    const child = spawn(
      process.execPath,
      [...preload, MAIN, 'coordinator', '--listen', `127.0.0.1:${port}`, '--data-dir', folder],
      {
        // A session of its own, so that Ctrl-C ends the demo, which then stops the coordinator.
        detached: true,
        env: {
          ...process.env,
          SWITCHYARD_ADMIN_TOKEN: adminToken,
          SWITCHYARD_REGISTRATION_TOKEN: registrationToken,
          SWITCHYARD_LEASE_SECONDS: LEASE_SECONDS,
          SWITCHYARD_LEASE_FIRST_CONTACT_SECONDS: LEASE_SECONDS,
          SWITCHYARD_TRACE_MAX_BYTES: String(200 * 1024 * 1024),
          SWITCHYARD_RATE_LIMITS_AUTHENTICATED_PER_MINUTE: '0',
          SWITCHYARD_PIPELINES_MAX_PER_MINUTE: '0',
          // The webhooks of the demo call an address on this machine.
          SWITCHYARD_OUTBOUND_ALLOW_LOCAL_NETWORK: 'true',
        },
        stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      },
    )
    const log = createWriteStream(join(folder, 'coordinator.log'), { flags: 'a' })
    child.stderr?.pipe(log)
    if (!child.stdout) throw new Error('The coordinator has no output')
    for await (const line of createInterface({ input: child.stdout })) {
      const url = /http:\/\/[\w.:]+/.exec(line)?.[0]
      if (url) return new DemoCoordinator(child, url)
    }
    throw new Error(`The coordinator did not start, see ${join(folder, 'coordinator.log')}`)
  }

  /**
   * Sets the clock of a coordinator that was started with one.
   * @param {number} time milliseconds since 1970
   */
  async setTime(time) {
    const isSet = once(this.child, 'message')
    this.child.send({ time })
    await isSet
  }

  async stop() {
    this.child.kill('SIGTERM')
    await this.exited
  }
}
