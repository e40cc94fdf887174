import { longLog } from './big-log.mjs'
import { baseName } from './plan.mjs'
import { serves } from './runners.mjs'
import { scriptOf } from './scripts.mjs'

const SECOND = 1000
const HOUR = 60 * 60 * SECOND
const DAY = 24 * HOUR

const FIRST_OUTPUT_SECONDS = 3

/** Jobs of a project that runners ask for at a time. */
const JOBS_AT_ONCE = 40

/** Tags of which there are too few runners at times. */
const SCARCE = ['macos', 'gpu', 'deploy', 'linux']

/** @typedef {import('./company.mjs').DemoProject} DemoProject */
/** @typedef {import('./runners.mjs').Slot} Slot */

/** A job that a runner has. @typedef {{ job: { id: number, token: string }, script: import('./scripts.mjs').JobScript, startedAt: number, offset: number, slot: Slot }} RunningJob */

/** The work of the runners in the past. */
export class Work {
  /**
   * @param {object} options
   * @param {import('./company.mjs').Company} options.company
   * @param {import('./simulation.mjs').Simulation} options.simulation
   * @param {import('./random.mjs').Random} options.random
   * @param {import('./plan.mjs').Size} options.size
   * @param {(line: string) => void} options.report
   */
  constructor({ company, simulation, random, size, report }) {
    this.company = company
    this.simulation = simulation
    this.random = random
    this.size = size
    /** @type {Slot[]} */
    this.slots = []
    this.report = report
    /** @type {Map<string, number>} by project: when its next jobs are requested */
    this.drains = new Map()
    /** @type {Map<string, string>} name of the broken job, by commit */
    this.broken = new Map()
    /** @type {Map<string, number>} by pipeline and name of the job */
    this.tries = new Map()
    /** @type {Set<RunningJob>} */
    this.running = new Set()
    /** @type {{ project: string, job: number } | undefined} */
    this.bigLog = undefined
    this.jobs = 0
  }

  /** Lets runners ask for the jobs of a project, some seconds from now. @param {DemoProject} project */
  drainSoon(project) {
    const time = this.simulation.now + this.random.between(1, 14) * SECOND
    const planned = this.drains.get(project.plan.path)
    if (planned !== undefined && planned <= time) return
    this.drains.set(project.plan.path, time)
    this.simulation.at(time, () => this.drain(project, time))
  }

  /** @param {DemoProject} project @param {number} planned */
  async drain(project, planned) {
    const { path, pools } = project.plan
    if (this.drains.get(path) !== planned) return
    this.drains.delete(path)
    const waiting = await this.company.api.list(
      `/projects/${project.id}/jobs?scope[]=pending&per_page=${JOBS_AT_ONCE}`,
    )
    for (const pool of pools) {
      const jobs = waiting.filter(({ tag_list }) => tag_list.includes(pool)).length
      for (let index = 0; index < jobs; index++) {
        const free = this.slots.filter(
          ({ isBusy, runner }) => !isBusy && !runner.plan.state && serves(runner, pool, path),
        )
        if (free.length === 0) break
        const slot = this.random.pick(free)
        const { job } = await slot.manager.request()
        if (!job) break
        await this.take(slot, job)
      }
    }
  }

  /** @param {Slot} slot @param {import('./runner.mjs').JobPayload} job */
  async take(slot, job) {
    slot.isBusy = true
    this.jobs++
    const project = [...this.company.projects.values()].find(({ id }) => id === job.job_info.project_id)
    const { now } = this.simulation
    const key = `${job.job_info.pipeline_id} ${job.job_info.name}`
    const tries = this.tries.get(key) ?? 0
    this.tries.set(key, tries + 1)
    const isBroken = this.broken.get(job.git_info.sha) === baseName(job.job_info.name)
    const script = scriptOf(job, project?.plan, {
      startedAt: now,
      runner: slot.runner.plan.description,
      isBroken,
      tries,
    })
    /** @type {RunningJob} */
    const running = { job: { id: job.id, token: job.token }, script, startedAt: now, offset: 0, slot }
    this.running.add(running)
    // A job prints something soon after its start, and most of it at its end.
    const first = Math.min(FIRST_OUTPUT_SECONDS, script.seconds / 2)
    if (job.job_info.name !== 'fuzz' && script.log.some(({ at }) => at > first))
      this.simulation.at(now + first * SECOND, async () => void (await this.print(running, first)))
    this.simulation.at(now + script.seconds * SECOND, async () => {
      const status =
        job.job_info.name === 'fuzz'
          ? await this.printLong(running, job)
          : await this.print(running, script.seconds)
      if (status === 'running' && script.ending.failureReason !== 'runner_system_failure')
        await Promise.all((await script.files()).map((file) => slot.manager.upload(job, file)))
      await slot.manager.finish(job, script.ending, running.offset)
      this.running.delete(running)
      slot.isBusy = false
      if (project) this.drainSoon(project)
      for (const other of this.waitingFor(slot)) if (other !== project) this.drainSoon(other)
    })
  }

  /** Projects with more jobs than runners, which a free runner helps. @param {Slot} slot */
  waitingFor({ runner }) {
    const isScarce = SCARCE.some((tag) => runner.plan.tags.includes(tag))
    if (!isScarce || this.simulation.now < this.simulation.end - HOUR) return []
    return [...this.company.projects.values()].filter(({ plan }) =>
      plan.pools.some((pool) => serves(runner, pool, plan.path)),
    )
  }

  /** Sends what a job has printed by then; returns its status. @param {RunningJob} running @param {number} until seconds since its start */
  async print(running, until) {
    const { slot, script, job } = running
    const bytes = Buffer.from(
      script.log
        .filter(({ at }) => at <= until)
        .map(({ text }) => text)
        .join(''),
    )
    const more = bytes.subarray(running.offset)
    if (more.length === 0) return 'running'
    running.offset = bytes.length
    return slot.manager.append(job, bytes.length - more.length, more)
  }

  /** The log of the last night's fuzz tests is long. @param {RunningJob} running @param {import('./runner.mjs').JobPayload} job */
  async printLong(running, job) {
    if (this.simulation.now < this.simulation.end - DAY) return this.print(running, running.script.seconds)
    this.bigLog = { project: 'atlas/api', job: job.id }
    this.report(`printing a log of ${this.size.logLines.toLocaleString('en')} lines`)
    for (const part of longLog(this.size.logLines, running.startedAt)) {
      await running.slot.manager.append(running.job, running.offset, part)
      running.offset += part.length
    }
    return 'running'
  }

  /** A request of a runner without a job, which shows that it is there. @param {Slot} slot */
  async askOnce(slot) {
    const { job } = await slot.manager.request()
    if (job) await this.take(slot, job)
  }
}
