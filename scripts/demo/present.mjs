import { setTimeout as pause } from 'node:timers/promises'

import { pushersOf } from './plan.mjs'
import { Random } from './random.mjs'
import { slotsOf } from './runners.mjs'
import { planOf, runnersOf } from './scene.mjs'
import { scriptOf } from './scripts.mjs'
import { changedText } from './timeline.mjs'

const SECOND = 1000

/** Jobs print at least as often. */
const STEP = 0.4 * SECOND

/** Between two pipelines that people start. */
const [SHORTEST, LONGEST] = [15 * SECOND, 45 * SECOND]

/** A runner waits so long after a request that failed. */
const RETRY = 5 * SECOND

/** Jobs are shorter than those of the past, so that one sees them end. */
const FACTOR = 0.5

/** @typedef {import('./runners.mjs').Slot} Slot */

/** What happens while one looks: runners run jobs that print line by line, and people start pipelines. */
export class Present {
  /**
   * @param {import('./scene.mjs').Scene} scene
   * @param {import('./work.mjs').RunningJob[]} running jobs that the past has begun
   * @param {import('./api.mjs').Api} api of the administrator
   * @param {{ report: (line: string) => void, speed: number }} options `report`: of failed requests; `speed`: how many times as
   *   fast people push and jobs run
   */
  constructor(scene, running, api, { report, speed }) {
    this.scene = scene
    this.running = running
    this.api = api
    this.report = report
    this.speed = speed
    this.random = new Random(7)
  }

  /** Ends when the signal aborts. @param {AbortSignal} signal */
  async run(signal) {
    const slots = runnersOf(this.scene)
      .filter(({ plan }) => !plan.state)
      .flatMap((runner) => slotsOf(this.api, runner))
    // The jobs of the past keep their places.
    const begun = this.running.map((running) => {
      const index = slots.findIndex(({ manager }) => manager.systemId === running.slot.manager.systemId)
      const [slot] = slots.splice(index, 1)
      return { running, slot: slot ?? running.slot }
    })
    await Promise.all([
      ...begun.map(async ({ running, slot }) => {
        await this.attempt(() => this.print({ ...running, slot }, signal), signal)
        await this.work(slot, signal)
      }),
      ...slots.map((slot) => this.work(slot, signal)),
      this.startPipelines(signal),
    ])
  }

  /**
   * Does what a runner or a person does. A failure is reported and ends neither the demo nor the work of the others.
   * @param {() => Promise<void>} act
   * @param {AbortSignal} signal
   */
  async attempt(act, signal) {
    try {
      await act()
    } catch (error) {
      if (isAborted(signal)) return
      this.report(error instanceof Error ? error.message : String(error))
      await this.wait(RETRY, signal)
    }
  }

  /** @param {number} milliseconds at the speed 1 @param {AbortSignal} signal */
  async wait(milliseconds, signal) {
    await pause(milliseconds / this.speed, undefined, { signal }).catch(() => undefined)
  }

  /** Runs one job after another. @param {Slot} slot @param {AbortSignal} signal */
  async work(slot, signal) {
    /** @type {string | undefined} */
    let known
    while (!signal.aborted) {
      await this.attempt(async () => {
        const { job, lastUpdate } = await slot.manager.request({ lastUpdate: known, signal })
        known = job ? undefined : lastUpdate
        if (job) await this.runJob(slot, job, signal)
      }, signal)
    }
  }

  /** @param {Slot} slot @param {import('./runner.mjs').JobPayload} job @param {AbortSignal} signal */
  async runJob(slot, job, signal) {
    const startedAt = Date.now()
    const script = scriptOf(job, planOf(this.scene, job.job_info.project_id), {
      startedAt,
      runner: slot.runner.plan.description,
      isBroken: false,
      tries: 0,
      factor: FACTOR / this.speed,
    })
    await this.print({ job, script, startedAt, offset: 0, slot }, signal)
  }

  /** Prints a job to its end. @param {import('./work.mjs').RunningJob} running @param {AbortSignal} signal */
  async print(running, signal) {
    const { job, script, startedAt, slot } = running
    const { manager } = slot
    const text = Buffer.from(script.log.map((piece) => piece.text).join(''))
    let { offset } = running
    for (;;) {
      const elapsed = (Date.now() - startedAt) / SECOND
      const printed = Buffer.byteLength(
        script.log
          .filter(({ at }) => at <= elapsed)
          .map((piece) => piece.text)
          .join(''),
      )
      if (printed > offset) {
        const status = await manager.append(job, offset, text.subarray(offset, printed))
        offset = printed
        if (status !== 'running') {
          await manager.finish(job, { state: 'failed', failureReason: 'script_failure' }, offset)
          return
        }
      }
      if (elapsed >= script.seconds) break
      await pause(STEP, undefined, { signal }).catch(() => undefined)
      if (signal.aborted) {
        await manager.finish(job, { state: 'failed', failureReason: 'runner_system_failure' }, offset)
        return
      }
    }
    for (const file of await script.files()) await manager.upload(job, file)
    await manager.finish(job, script.ending, offset)
  }

  /** @param {AbortSignal} signal */
  async startPipelines(signal) {
    const { random } = this
    while (!signal.aborted) {
      await this.wait(random.between(SHORTEST, LONGEST), signal)
      if (isAborted(signal)) return
      await this.attempt(() => this.push(), signal)
    }
  }

  /** One of the people changes a file. */
  async push() {
    const { random } = this
    const { id } = random.pick(this.scene.projects.filter((each) => !planOf(this.scene, each.id)?.isQuiet))
    const plan = planOf(this.scene, id)
    const token = plan && this.scene.people[random.pick(pushersOf(plan))]?.token
    if (!plan || token === undefined) throw new Error(`Nobody works on project ${id}`)
    const path = random.pick(plan.changed)
    const message = random.pick(plan.messages)
    await this.api.as(token).post(`/projects/${id}/repository/commits`, {
      branch: 'main',
      commit_message: message,
      actions: [
        {
          action: 'update',
          file_path: path,
          content: changedText(plan, path, `${message} (${Date.now()})`),
        },
      ],
    })
  }
}

/**
 * Whether it is aborted by now.
 * @param {AbortSignal} signal
 */
const isAborted = (signal) => signal.aborted
