import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

import { say, SetupError } from '../setup/say.mjs'
import { MAIN } from './paths.mjs'

const END_WITH_PARENT = new URL('end-with-parent.mjs', import.meta.url).href

/**
 * @typedef {object} DaemonOptions
 * @property {string} name
 * @property {string[]} args of the command `switchyard`
 * @property {Record<string, string>} environment beside that of this process
 * @property {string[]} nodeArguments
 * @property {RegExp} [readyLine] of its output, when it serves; it is ready at once without one
 */

/** One process of the bundle, which can be restarted. Its log is that of this command. */
export class Daemon {
  /** @type {import('node:child_process').ChildProcess | undefined} */
  #child

  #isStopping = false

  /** @param {DaemonOptions} options */
  constructor(options) {
    this.options = options
  }

  async restart() {
    await this.stop('SIGTERM')
    await this.#start()
  }

  /** @param {NodeJS.Signals} signal */
  async stop(signal) {
    const child = this.#child
    if (!child) return
    this.#isStopping = true
    if (child.exitCode === null && child.signalCode === null) {
      const exited = once(child, 'exit')
      child.kill(signal)
      await exited
    }
    this.#child = undefined
  }

  kill() {
    this.#child?.kill('SIGKILL')
  }

  async #start() {
    const { name, args, environment, nodeArguments, readyLine } = this.options
    const child = spawn(process.execPath, ['--import', END_WITH_PARENT, ...nodeArguments, MAIN, ...args], {
      // A session of its own, so that Ctrl-C ends this command, which then stops the process.
      detached: true,
      env: { ...process.env, ...environment },
      stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    })
    this.#child = child
    this.#isStopping = false
    await once(child, 'spawn')
    const { stdout } = child
    if (!stdout) throw new Error(`The ${name} has no output`)
    if (readyLine) await untilLine(stdout, readyLine, name)
    else stdout.resume()
    child.once('exit', (code, signal) => {
      if (!this.#isStopping) say(`the ${name} has ended (${signal ?? `exit status ${code}`})`)
    })
  }
}

/**
 * @param {import('node:stream').Readable} output
 * @param {RegExp} expected
 * @param {string} name
 * @returns {Promise<void>}
 */
function untilLine(output, expected, name) {
  // It reads on after that line, so that the process can write.
  const lines = createInterface({ input: output })
  return new Promise((resolve, reject) => {
    lines.on('line', (line) => {
      if (expected.test(line)) resolve()
    })
    lines.once('close', () => reject(new SetupError(`The ${name} did not start, see above.`)))
  })
}
