import { fork } from 'node:child_process'
import { once } from 'node:events'

import { residentBytes } from './idle-runner.mjs'
import { measureLoad } from './measured-load.mjs'
import { RUNNERS } from './pipeline-shapes.mjs'
import { runJobs } from './simulated-runners.mjs'

/** Of each measurement. */
const JOBS = 600

/** The process of `bare-lifecycle.mjs`. */
export class BareProgram {
  /**
   * @param {import('node:child_process').ChildProcess} child
   * @param {string} url
   * @param {number} idle its memory before it has served anything
   */
  constructor(child, url, idle) {
    this.child = child
    this.url = url
    this.idle = idle
  }

  static async start() {
    const child = fork('test/bench/bare-lifecycle.mjs')
    const [port] = /** @type {[number]} */ (await once(child, 'message'))
    const program = new BareProgram(child, `http://127.0.0.1:${port}`, await residentBytes(child.pid ?? 0))
    for (const hasFiles of [false, false, true]) await program.measure(hasFiles)
    return program
  }

  get pid() {
    return this.child.pid ?? 0
  }

  /**
   * @param {boolean} hasFiles as a shape of pipelines has it
   * @param {import('./simulated-runners.mjs').Habits} [habits]
   * @param {number} [runners]
   */
  measure(hasFiles, habits, runners = RUNNERS) {
    const tokens = Array.from({ length: runners }, () => 'any')
    return measureLoad(this.pid, 1, async () => {
      const added = once(this.child, 'message')
      this.child.send({ jobs: JOBS, hasFiles })
      await added
      return () => runJobs({ urls: [this.url], tokens, jobs: JOBS }, habits)
    })
  }

  /** It deletes its files, which makes some file systems slow: after all measurements. */
  stop() {
    this.child.kill()
  }
}
