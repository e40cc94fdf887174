import { Company } from './company.mjs'
import { planIssues } from './issues.mjs'
import { manyJobsFile } from './many-jobs.mjs'
import { planMergeRequests } from './merge-requests.mjs'
import { Random } from './random.mjs'
import { createRunners, slotsOf } from './runners.mjs'
import { Simulation } from './simulation.mjs'
import { changedText } from './timeline.mjs'
import { planWikisAndSnippets } from './wikis-and-snippets.mjs'
import { Work } from './work.mjs'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const REPORTER = 20

/** How long runners that are not online have been away, in hours. */
const AWAY = { offline: 9, stale: 9 * 24 }

/** How long before the end the pipeline of many jobs begins. */
const MANY_JOBS_BEGIN = 20 * MINUTE

/** @typedef {import('./company.mjs').DemoProject} DemoProject */

/** Makes the past of the demo: people, projects, and what has happened in them until now. */
export class History {
  /**
   * @param {object} options
   * @param {import('./api.mjs').Api} options.api of the administrator
   * @param {import('./coordinator.mjs').DemoCoordinator} options.coordinator with a clock
   * @param {string} options.folder for repositories
   * @param {import('./plan.mjs').Size} options.size
   * @param {string} options.hookUrl where webhooks are delivered
   * @param {(line: string) => void} options.report
   * @param {AbortSignal} options.signal
   */
  constructor({ api, coordinator, folder, size, hookUrl, report, signal }) {
    this.api = api
    this.coordinator = coordinator
    this.folder = folder
    this.size = size
    this.hookUrl = hookUrl
    this.report = report
    this.random = new Random(2026)
    this.end = Date.now()
    this.begin = this.end - size.days * DAY
    this.simulation = new Simulation({ end: this.end, setTime: (time) => coordinator.setTime(time), signal })
    this.company = new Company(api)
    /** @type {import('./runners.mjs').DemoRunner[]} */
    this.runners = []
    this.work = new Work({
      company: this.company,
      simulation: this.simulation,
      random: this.random,
      size,
      report,
    })
    /** @type {{ project: string, pipeline: number } | undefined} */
    this.manyJobs = undefined
    /** @type {{ project: DemoProject, id: number, owner: string }[]} */
    this.schedules = []
    this.pipelines = 0
  }

  async make() {
    const { company } = this
    await this.coordinator.setTime(this.begin - 60 * DAY)
    await company.addPeople()
    await company.addProjects({ folder: this.folder, size: this.size, end: this.end })
    await this.coordinator.setTime(this.begin - 30 * DAY)
    this.runners = await createRunners(
      this.api,
      company.groupIds,
      new Map([...company.projects].map(([path, { id }]) => [path, id])),
    )
    this.work.slots = this.runners
      .filter(({ plan }) => plan.state !== 'never')
      .flatMap((runner) => slotsOf(this.api, runner))
    await company.addSettings()
    this.planRunners()
    this.planPushes()
    this.planSchedules()
    this.planSpecials()
    planIssues(this)
    planMergeRequests(this)
    planWikisAndSnippets(this)
    this.report(`making the pipelines of ${this.size.days} days`)
    await this.simulation.run()
    await this.finishPast()
    return this.scene()
  }

  /** @returns {import('./scene.mjs').Scene} */
  scene() {
    const { manyJobs, company } = this
    const { bigLog } = this.work
    if (!bigLog || !manyJobs) throw new Error('The long log or the pipeline of many jobs was not made')
    return {
      people: Object.fromEntries(
        [...company.people].map(([username, { id, token }]) => [username, { id, token }]),
      ),
      projects: [...company.projects.values()].map(({ plan, id }) => ({ path: plan.path, id })),
      runners: this.runners.map(({ id, token, plan }) => ({ id, token, description: plan.description })),
      bigLog,
      manyJobs,
    }
  }

  planRunners() {
    for (const slot of this.work.slots) {
      const { state } = slot.runner.plan
      if (state === 'offline' || state === 'stale')
        this.simulation.at(this.end - AWAY[state] * HOUR, async () => {
          await slot.manager.request()
          slot.isBusy = true
        })
    }
  }

  planPushes() {
    for (const project of this.company.projects.values()) {
      project.pushes.forEach((push, index) => {
        const sha = project.ids[index] ?? ''
        if (push.broken !== undefined) this.work.broken.set(sha, push.broken)
        if (push.isPushed) this.simulation.at(push.time, () => this.push(project, push, sha))
      })
    }
    this.planTags()
    // The receivers are there for the last two days only: each delivery is a real request.
    this.simulation.at(Math.max(this.begin, this.end - 2 * DAY), () => this.addHooks())
  }

  planTags() {
    for (const [path, versions] of /** @type {const} */ ([
      ['atlas/api', ['2.11.0', '2.12.0', '2.12.1']],
      ['atlas/mobile/app', ['5.1.0', '5.2.0']],
    ])) {
      const project = this.company.project(path)
      versions.forEach((version, index) => {
        const time =
          this.end - (versions.length - index - 1) * (this.size.days / versions.length) * DAY - 2 * HOUR
        this.simulation.at(time, () => this.release(project, version))
      })
    }
  }

  /** @param {DemoProject} project @param {string} version */
  async release(project, version) {
    const owner = this.company.as(project.plan.owner)
    await owner.post(
      `/projects/${project.id}/repository/tags?tag_name=v${version}&ref=main&message=Version ${version}`.replaceAll(
        ' ',
        '%20',
      ),
    )
    await owner.post(`/projects/${project.id}/releases`, {
      tag_name: `v${version}`,
      name: `${project.plan.name} ${version}`,
      description: `## What is new\n\n${project.plan.messages
        .slice(0, 4)
        .map((line) => `- ${line}`)
        .join('\n')}\n\nThanks to @${project.plan.authors.join(', @')}.\n`,
      assets: {
        links: [
          { name: 'Image', url: `https://registry.example/atlas:${version}`, link_type: 'image' },
          { name: 'Handbook', url: 'https://docs.atlas.example', link_type: 'runbook' },
        ],
      },
    })
    this.work.drainSoon(project)
  }

  async addHooks() {
    const api = this.company.project('atlas/api')
    for (const [path, more] of /** @type {const} */ ([
      ['/chat', { name: 'Chat', pipeline_events: true, push_events: false }],
      ['/dashboard', { name: 'Dashboard', job_events: true, deployment_events: true }],
      ['/broken', { name: 'Old tracker', push_events: true }],
    ]))
      await this.api.post(`/projects/${api.id}/hooks`, { url: this.hookUrl + path, ...more })
    await this.api.post(`/groups/${this.company.groupIds.get('atlas')}/hooks`, {
      url: `${this.hookUrl}/group`,
      pipeline_events: true,
    })
    await this.api.post('/hooks', { url: `${this.hookUrl}/audit`, push_events: true })
  }

  planSchedules() {
    /** @type {[string, string, string, string, Record<string, string>][]} */
    const plans = [
      ['atlas/api', 'Fuzz tests', '15 1 * * *', 'tomasz', { TASK: 'fuzz' }],
      ['atlas/web', 'Nightly browser tests', '0 3 * * 1-5', 'chloe', {}],
      ['atlas/web', 'Weekly report', '0 8 * * 1', 'noah', {}],
      ['platform/images', 'Rebuild all images', '30 2 * * *', 'dimitri', {}],
      ['platform/infrastructure', 'Detect drift', '0 */6 * * *', 'mira', {}],
      ['research/forecast', 'Train', '0 4 * * *', 'priya', { EPOCHS: '40' }],
    ]
    this.simulation.at(this.begin, async () => {
      for (const [path, description, cron, username, variables] of plans) {
        const project = this.company.project(path)
        const api = this.company.as(username)
        const { id } = await api.post(`/projects/${project.id}/pipeline_schedules`, {
          description,
          cron,
          ref: 'main',
          active: false,
          cron_timezone: 'Europe/Oslo',
        })
        for (const [key, value] of Object.entries(variables))
          await api.post(`/projects/${project.id}/pipeline_schedules/${id}/variables`, { key, value })
        this.schedules.push({ project, id, owner: username })
      }
    })
    const nights = Math.min(this.size.days, Math.max(1, Math.round(this.size.pipelines / 24)))
    for (let night = 0; night < nights; night++) {
      const time = this.end - night * DAY - 15 * HOUR
      this.simulation.at(time, async () => {
        for (const schedule of this.schedules.filter(
          (_each, index) => index !== 2 && (night < 2 || index !== 3),
        ))
          await this.play(schedule)
      })
    }
  }

  /** @param {{ project: DemoProject, id: number, owner: string }} schedule */
  async play({ project, id, owner }) {
    await this.company.as(owner).post(`/projects/${project.id}/pipeline_schedules/${id}/play`)
    this.pipelines++
    this.work.drainSoon(project)
  }

  planSpecials() {
    const { end } = this
    this.planStatusPage()
    const infrastructure = this.company.project('platform/infrastructure')
    const app = this.company.project('atlas/mobile/app')
    const images = this.company.project('platform/images')
    const web = this.company.project('atlas/web')
    // Jobs that no runner takes.
    this.simulation.at(end - 40 * MINUTE, () => this.start(app, 'rafael', { DEVICES: 'pixel-11,galaxy-s27' }))
    this.simulation.at(end - 3 * HOUR, () =>
      this.commit(web, 'lena', 'night-mode', 'Use the new cache', {
        '.gitlab-ci.yml':
          'stages: [test]\n\nunit:\n  stage: tests\n  needs: [instal]\n  script: npx vitest run\n',
      }),
    )
    this.simulation.at(end - 9 * MINUTE, () =>
      this.start(infrastructure, 'mira', { REASON: 'larger nodes for the weekend' }),
    )
    this.simulation.at(end - MANY_JOBS_BEGIN, async () => {
      const project = `/projects/${images.id}`
      await this.commit(images, 'dimitri', 'rebuild-everything', 'Build each package of each image', {
        '.gitlab-ci.yml': manyJobsFile(this.size.manyJobs),
      })
      const [pipeline] = await this.api.list(`${project}/pipelines?ref=rebuild-everything`)
      if (!pipeline) throw new Error('The branch of many jobs has no pipeline')
      this.manyJobs = { project: images.plan.path, pipeline: pipeline.id }
    })
  }

  /** Pipelines and manual jobs of the administrator, and pipelines that wait for a time or a resource. */
  planStatusPage() {
    const { end } = this
    const page = this.company.project('platform/status-page')
    const web = this.company.project('atlas/web')
    this.simulation.at(end - 58 * MINUTE, () => this.start(page, 'root', { SOAK: '3h' }))
    for (const [minutes, username, version] of /** @type {const} */ ([
      [55, 'mira', '1.3.4'],
      [52, 'root', '1.4.0'],
    ])) {
      this.simulation.at(end - minutes * MINUTE, async () => {
        await this.company
          .as(username)
          .post(
            `/projects/${page.id}/repository/tags?tag_name=v${version}&ref=main&message=Version%20${version}`,
          )
        this.pipelines++
        this.work.drainSoon(page)
      })
    }
    this.simulation.at(end - 41 * MINUTE, () => this.start(page, 'mira', { SOAK: '3h' }))
    this.simulation.at(end - 27 * MINUTE, () =>
      this.commit(page, 'root', 'incident-history', 'Show the incidents of the last year', {
        'src/history.ts': changedText(page.plan, 'src/history.ts', 'Show the incidents of the last year'),
      }),
    )
    this.simulation.at(end - 18 * MINUTE, async () => {
      const sha = await this.commit(page, 'root', 'main', 'Close incidents without an update for a day', {
        'src/incidents.ts': changedText(page.plan, 'src/incidents.ts', 'Closed after a day'),
      })
      this.work.broken.set(sha, 'types')
    })
    this.simulation.at(end - 2 * MINUTE, () => this.start(web, 'root', {}))
  }

  /** @param {DemoProject} project @param {string} username @param {Record<string, string>} variables */
  async start(project, username, variables) {
    await this.company.as(username).post(`/projects/${project.id}/pipeline`, {
      ref: 'main',
      variables: Object.entries(variables).map(([key, value]) => ({ key, value })),
    })
    this.pipelines++
    this.work.drainSoon(project)
  }

  /** Returns the ID of the commit. @param {DemoProject} project @param {string} username @param {string} branch @param {string} message @param {Record<string, string>} files */
  async commit(project, username, branch, message, files) {
    const path = `/projects/${project.id}/repository`
    const exists = (await this.api.list(`${path}/branches?search=^${branch}$`)).length > 0
    const commit = await this.company.as(username).post(`${path}/commits`, {
      branch,
      ...(!exists && { start_branch: 'main' }),
      commit_message: message,
      actions: Object.entries(files).map(([file_path, content]) => ({
        action: 'update',
        file_path,
        content,
      })),
    })
    this.pipelines++
    this.work.drainSoon(project)
    return String(commit.id)
  }

  /** @param {DemoProject} project @param {import('./timeline.mjs').PushPlan} push @param {string} sha */
  async push(project, push, sha) {
    const username = push.author.username
    await project.repository.push(this.company.addressOf(project, username), [
      `+${sha}:refs/heads/${push.branch}`,
    ])
    this.pipelines++
    this.work.drainSoon(project)
    this.simulation.at(this.simulation.now + this.random.between(8, 45) * MINUTE, () =>
      this.followUp(project, username, sha),
    )
  }

  /** What people do with a pipeline later. @param {DemoProject} project @param {string} username @param {string} sha */
  async followUp(project, username, sha) {
    const path = `/projects/${project.id}`
    const [pipeline] = await this.api.list(`${path}/pipelines?sha=${sha}`)
    if (!pipeline) return
    const person = this.company.as(username)
    if (pipeline.status === 'failed' && this.random.chance(0.45)) {
      await person.post(`${path}/pipelines/${pipeline.id}/retry`)
    } else if (['running', 'pending'].includes(pipeline.status) && this.random.chance(0.15)) {
      await person.post(`${path}/pipelines/${pipeline.id}/cancel`)
    } else if (['manual', 'success'].includes(pipeline.status) && this.random.chance(0.6)) {
      const manual = await this.api.list(`${path}/pipelines/${pipeline.id}/jobs?scope[]=manual`)
      const [job] = manual
      if (job) await this.company.as(project.plan.owner).post(`${path}/jobs/${job.id}/play`)
    }
    this.work.drainSoon(project)
  }

  /** What is true at the end of the past. */
  async finishPast() {
    for (const running of this.work.running)
      await this.work.print(running, (this.end - running.startedAt) / SECOND)
    for (const slot of this.work.slots)
      if (!slot.isBusy && !slot.runner.plan.state) await this.work.askOnce(slot)
    for (const { id, plan } of this.runners) {
      if (plan.state === 'paused') await this.api.put(`/runners/${id}`, { paused: true })
    }
    for (const { project, id, owner } of this.schedules) {
      await this.company.as(owner).put(`/projects/${project.id}/pipeline_schedules/${id}`, { active: true })
    }
    for (const { id, plan } of this.company.projects.values()) {
      for (const username of plan.reporters ?? []) {
        await this.api.put(`/projects/${id}/members/${this.company.person(username).id}`, {
          access_level: REPORTER,
        })
      }
    }
  }
}
