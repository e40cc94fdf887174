import { setTimeout as pause } from 'node:timers/promises'

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

/** Jobs are shorter than those of the past, so that one sees them end. */
const FACTOR = 0.5

/** @typedef {import('./runners.mjs').Slot} Slot */

/** What happens while one looks: runners run jobs that print line by line, and people start pipelines. */
export class Present {
  /**
   * @param {import('./scene.mjs').Scene} scene
   * @param {import('./work.mjs').RunningJob[]} running jobs that the past has begun
   * @param {import('./api.mjs').Api} api of the administrator
   */
  constructor(scene, running, api) {
    this.scene = scene
    this.running = running
    this.api = api
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
        await this.print({ ...running, slot }, signal)
        await this.work(slot, signal)
      }),
      ...slots.map((slot) => this.work(slot, signal)),
      this.startPipelines(signal),
    ])
  }

  /** Runs one job after another. @param {Slot} slot @param {AbortSignal} signal */
  async work(slot, signal) {
    /** @type {string | undefined} */
    let known
    while (!signal.aborted) {
      try {
        const { job, lastUpdate } = await slot.manager.request({ lastUpdate: known, signal })
        known = job ? undefined : lastUpdate
        if (!job) continue
        const startedAt = Date.now()
        const script = scriptOf(job, planOf(this.scene, job.job_info.project_id), {
          startedAt,
          runner: slot.runner.plan.description,
          isBroken: false,
          tries: 0,
          factor: FACTOR,
        })
        await this.print({ job, script, startedAt, offset: 0, slot }, signal)
      } catch (error) {
        if (!isAborted(signal)) throw error
      }
    }
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
    const projects = this.scene.projects.filter(({ id }) => !planOf(this.scene, id)?.isQuiet)
    while (!signal.aborted) {
      await pause(random.between(SHORTEST, LONGEST), undefined, { signal }).catch(() => undefined)
      if (isAborted(signal)) return
      const { id } = random.pick(projects)
      const plan = planOf(this.scene, id)
      const token = plan && this.scene.people[random.pick(plan.authors)]?.token
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
}

/**
 * Whether it is aborted by now.
 * @param {AbortSignal} signal
 */
const isAborted = (signal) => signal.aborted
