import { join } from 'node:path'

import { groups, members, people, stars } from './people.mjs'
import { projects } from './plan.mjs'
import { DemoRepository } from './repository.mjs'
import { pushesOf } from './timeline.mjs'

const MAINTAINER = 40
const DAY = 86_400_000

/** @typedef {import('./timeline.mjs').PushPlan} PushPlan */
/** `ids`: of the commits of `pushes`. @typedef {{ plan: import('./plan.mjs').ProjectPlan, id: number, repository: DemoRepository, ids: string[], pushes: PushPlan[] }} DemoProject */

/** The people, groups and projects of the demo. */
export class Company {
  /**
   * @param {import('./api.mjs').Api} api of the administrator
   * @param {string} [password] of all people; each has a random one without it
   */
  constructor(api, password) {
    this.api = api
    this.password = password
    /** @type {Map<string, { id: number, token: string }>} by user name */
    this.people = new Map()
    /** @type {Map<string, number>} by path */
    this.groupIds = new Map()
    /** @type {Map<string, DemoProject>} by path */
    this.projects = new Map()
  }

  /** Creates people and groups. */
  async addPeople() {
    this.people.set('root', { id: 1, token: this.api.token })
    for (const { username, name, title } of people) {
      const { id } = await this.api.post('/users', {
        username,
        name,
        job_title: title,
        email: `${username}@atlas.example`,
        ...(this.password === undefined ? { force_random_password: true } : { password: this.password }),
        skip_confirmation: true,
      })
      const { token } = await this.api.post(`/users/${id}/personal_access_tokens`, {
        name: 'demo',
        scopes: ['api'],
      })
      this.people.set(username, { id, token })
    }
    for (const { path, name, description } of groups) {
      const parent = path.includes('/') ? this.groupIds.get(path.slice(0, path.lastIndexOf('/'))) : undefined
      const { id } = await this.api.post('/groups', {
        name,
        path: path.slice(path.lastIndexOf('/') + 1),
        description,
        visibility: 'internal',
        ...(parent !== undefined && { parent_id: parent }),
      })
      this.groupIds.set(path, id)
      for (const [username, level] of Object.entries(members[path] ?? {})) {
        await this.api.post(`/groups/${id}/members`, {
          user_id: this.person(username).id,
          access_level: level,
        })
      }
    }
  }

  /**
   * Creates the projects with what was pushed before the demo's time.
   * @param {{ folder: string, size: import('./plan.mjs').Size, end: number }} options `folder` for repositories; `end` of the past
   */
  async addProjects({ folder, size, end }) {
    for (const plan of projects) {
      const [, group = '', path = ''] = /^(.*)\/([^/]+)$/.exec(plan.path) ?? []
      const { id } = await this.api.post('/projects', {
        name: plan.name,
        path,
        description: plan.description,
        topics: plan.topics,
        namespace_id: this.groupIds.get(group),
        visibility: 'internal',
      })
      for (const username of [plan.owner, ...plan.authors]) {
        await this.addMember(id, username)
      }
      for (const username of stars[plan.path] ?? []) await this.as(username).post(`/projects/${id}/star`)
      const pushes = pushesOf(plan, size, end)
      const { repository, ids } = await DemoRepository.create(join(folder, String(id)), pushes)
      const project = { plan, id, repository, ids, pushes }
      this.projects.set(plan.path, project)
      const before = pushes.filter(({ isPushed }) => !isPushed).length
      await repository.push(
        this.addressOf(project, plan.owner),
        [`${ids[before - 1]}:refs/heads/main`],
        ['ci.skip'],
      )
    }
  }

  /** Makes a person a maintainer. @param {number} project @param {string} username */
  async addMember(project, username) {
    const { id } = this.person(username)
    const inherited = await this.api.list(`/projects/${project}/members/all?user_ids[]=${id}`)
    if (inherited.some(({ access_level }) => access_level >= MAINTAINER)) return
    await this.api.post(`/projects/${project}/members`, { user_id: id, access_level: MAINTAINER })
  }

  /** Adds variables, a trigger and a protected environment. */
  async addSettings() {
    const api = this.project('atlas/api')
    for (const variable of [
      {
        key: 'DATABASE_URL',
        value: 'postgres://atlas:2f81c0e94d@db.internal/atlas',
        masked: true,
        protected: true,
      },
      {
        key: 'SENTRY_DSN',
        value: 'https://3f1c9b@sentry.example/4',
        description: 'Where errors of staging and production go',
      },
      {
        key: 'KUBECONFIG',
        value: 'apiVersion: v1\nkind: Config\n',
        variable_type: 'file',
        protected: true,
        environment_scope: 'production',
      },
      {
        key: 'KUBECONFIG',
        value: 'apiVersion: v1\nkind: Config\n',
        variable_type: 'file',
        environment_scope: 'review/*',
      },
      { key: 'FEATURES', value: 'elevation,typos', raw: true },
    ])
      await this.api.post(`/projects/${api.id}/variables`, variable)
    const atlas = this.groupIds.get('atlas') ?? 0
    for (const [key, value] of [
      ['REGISTRY', 'registry.example'],
      ['NPM_REGISTRY', 'https://npm.example/'],
    ])
      await this.api.post(`/groups/${atlas}/variables`, { key, value })
    await this.api.post('/admin/ci/variables', { key: 'HTTPS_PROXY', value: 'http://proxy.example:3128' })
    await this.api.post(`/projects/${api.id}/triggers`, { description: 'Called by the map editor' })
    await this.api.post(`/projects/${api.id}/protected_environments`, {
      name: 'production',
      deploy_access_levels: [{ access_level: MAINTAINER }],
    })
    const [topic] = await this.api.list('/topics?search=typescript')
    await this.api.put(`/topics/${topic?.id}`, {
      title: 'TypeScript',
      description: 'Pages and services in **TypeScript**, tested with the same tools.',
    })
    // It is shown to nobody yet.
    await this.api.post('/broadcast_messages', {
      message: 'Maintenance tonight at 22:00, see [the plan](https://status.example/maintenance)',
      theme: 'light-blue',
      starts_at: new Date(Date.now() + 7 * DAY).toISOString(),
      ends_at: new Date(Date.now() + 8 * DAY).toISOString(),
      dismissable: true,
    })
  }

  /** @param {string} username */
  person(username) {
    const person = this.people.get(username)
    if (!person) throw new Error(`Nobody is ${username}`)
    return person
  }

  /** @param {string} path */
  project(path) {
    const project = this.projects.get(path)
    if (!project) throw new Error(`There is no project ${path}`)
    return project
  }

  /** @param {string} username */
  as(username) {
    return this.api.as(this.person(username).token)
  }

  /** @param {DemoProject} project @param {string} username */
  addressOf(project, username) {
    return `${this.api.url.replace('//', `//${username}:${this.person(username).token}@`)}/${project.plan.path}.git`
  }
}
