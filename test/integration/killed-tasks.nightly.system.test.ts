import { randomInt } from 'node:crypto'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { Repositories } from '../../src/coordinator/hosting/repositories/repositories.js'
import { HookReceiver, type Received } from '../coordinator/ci/signals/hook-receiver.js'
import { startGitServer } from '../coordinator/hosting/repositories/git-server.js'
import { describeOnDatabase } from '../support/databases.js'
import { gitOk, workTree } from '../support/git-client.js'
import { KILL_ROUNDS, kills } from './support/kill-rounds.js'
import { System } from './support/system.js'
import { until } from './support/until.js'

const KILLS = kills(3)
/** Starting a coordinator takes its time where others are at work too. */
const TEST_TIMEOUT = 240

interface Named {
  id: number
}

interface Outcome {
  status: number
  text: string
  /** Of the coordinator that gave it. */
  log: string
}

interface ProjectRecord extends Named {
  path_with_namespace: string
  import_status: string
  default_branch: string | null
}

describeOnDatabase('a coordinator that is killed again and again', (open) => {
  let system: System

  beforeEach(async () => {
    const { settings } = await open()
    system = await System.start(settings, {
      SWITCHYARD_OUTBOUND_ALLOW_LOCAL_NETWORK: 'true',
      SWITCHYARD_LEASE_TASK_SECONDS: '3',
    })
  }, 180_000)

  afterEach(async () => {
    await system.stop()
  }, 180_000)

  /** As a client that asks again when it got no response. */
  async function retryOrLog(method: string, path: string, body?: object): Promise<Outcome> {
    return until(
      `a response to ${method} ${path}`,
      async () => {
        try {
          const response = await system.api.request(method, path, body)
          return { status: response.status, text: await response.text(), log: system.log() }
        } catch {
          return undefined // it was killed, or is not there again yet
        }
      },
      () => system.log(),
      TEST_TIMEOUT,
    )
  }

  const find = (path: string) =>
    system.api.json<ProjectRecord>('GET', `/projects/${encodeURIComponent(path)}`)

  test(
    'ends the forks, imports, removals and moves that it had begun, and tells hooks of each once',
    { timeout: 600_000, ...KILL_ROUNDS },
    async () => {
      const { api } = system
      const elsewhere = await startGitServer()
      const tree = await workTree({ 'README.md': 'Elsewhere' })
      await gitOk(tree, 'push', '-q', elsewhere.remote(), 'HEAD:main')
      const source = await system.createProject()
      await gitOk(source.directory, 'commit', '-q', '--allow-empty', '-m', 'First')
      await gitOk(source.directory, 'push', '-q', 'origin', 'HEAD:main')
      const heads = {
        fork: await gitOk(source.directory, 'rev-parse', 'HEAD'),
        import: await gitOk(tree, 'rev-parse', 'HEAD'),
      }
      const group = (path: string, parent_id?: number) =>
        api.json<Named>('POST', '/groups', { name: path, path, parent_id })
      const project = (name: string, namespace_id?: number) =>
        api.json<ProjectRecord>('POST', '/projects', { name, namespace_id, initialize_with_readme: true })
      const [home, lodger, crew] = [await group('home'), await group('lodger'), await group('crew')]
      const inner = await group('inner', crew.id)
      const doomed = [
        await project('one'),
        await project('two'),
        await project('x', crew.id),
        await project('y', inner.id),
      ]
      const moving = await project('moving')
      const ann = await api.json<Named>('POST', '/users', {
        username: 'ann',
        name: 'Ann',
        email: 'ann@example.com',
        force_random_password: true,
        skip_confirmation: true,
      })
      doomed.push(await api.json<ProjectRecord>('POST', `/projects/user/${ann.id}`, { name: 'hers' }))
      const receiver = await HookReceiver.start()
      await api.json('POST', '/hooks', { url: receiver.url })

      const asked = [
        ...['a', 'b', 'c'].map((name) =>
          retryOrLog('POST', `/projects/${source.id}/fork`, { name: `fork ${name}` }),
        ),
        ...['a', 'b', 'c'].map((name) =>
          retryOrLog('POST', '/projects', { name: `import ${name}`, import_url: elsewhere.remote() }),
        ),
        ...doomed.slice(0, 2).map(({ id }) => retryOrLog('DELETE', `/projects/${id}`)),
        retryOrLog('DELETE', `/groups/${crew.id}`),
        retryOrLog('DELETE', `/users/${ann.id}`),
        retryOrLog('PUT', `/projects/${moving.id}/transfer`, { namespace: 'home' }),
        retryOrLog('POST', `/groups/${lodger.id}/transfer`, { group_id: home.id }),
        retryOrLog('POST', `/projects/${source.id}/housekeeping`),
      ]
      for (let kill = 0; kill < KILLS; kill++) {
        await sleep(randomInt(20, 1500)) // any moment of the work
        await system.killCoordinator()
        await system.startCoordinator()
      }
      // The response to a repeated call says that it is done already.
      for (const { status, text, log } of await Promise.all(asked))
        expect([200, 201, 202, 204, 400, 404, 409], `${text}\n${log}`).toContain(status)

      for (const kind of ['fork', 'import'] as const) {
        for (const name of ['a', 'b', 'c']) {
          const made = await until(
            `${kind} ${name}`,
            async () => {
              const found = await find(`root/${kind}-${name}`)
              return found.import_status === 'finished' ? found : undefined
            },
            () => system.log(),
            150,
          )
          const [commit] = await api.json<{ id: string }[]>('GET', `/projects/${made.id}/repository/commits`)
          expect(commit).toMatchObject({ id: heads[kind] })
          expect(made.default_branch).toBe('main')
        }
      }
      const goneFor = (path: string) =>
        until(
          `${path} to be gone`,
          async () => {
            const { status } = await api.request('GET', path)
            return status === 404 ? true : undefined
          },
          () => system.log(),
        )
      const repositories = new Repositories(join(system.directory, 'coordinator', 'repositories'))
      for (const { id } of doomed) {
        await goneFor(`/projects/${id}`)
        await until(
          `the repository of ${id} to be gone`,
          () => isGone(repositories.path(id)),
          () => system.log(),
        )
      }
      for (const path of [`/groups/${crew.id}`, `/groups/${inner.id}`, `/users/${ann.id}`])
        await goneFor(path)
      expect(await find('home/moving')).toMatchObject({ id: moving.id })
      expect(await api.json('GET', '/groups/home%2Flodger')).toMatchObject({ id: lodger.id })

      const expected = [
        ...['fork', 'import'].flatMap((kind) =>
          ['a', 'b', 'c'].map((name) => `project_create root/${kind}-${name}`),
        ),
        ...doomed.map(({ path_with_namespace }) => `project_destroy ${path_with_namespace}`),
        'group_destroy crew',
        'group_destroy inner',
        'user_destroy ann',
        'project_transfer home/moving',
      ].sort()
      const seen = await until(
        'hooks to be told',
        async () => {
          const names = eventsIn(receiver.received)
          return expected.every((name) => names.has(name)) ? names : undefined
        },
        () => `${[...eventsIn(receiver.received).keys()].join()} ${system.log()}`,
      )
      for (const name of expected) expect([name, seen.get(name)?.size]).toEqual([name, 1])
    },
  )
})

/** The idempotency keys of each event: one key, however often the event was delivered. */
function eventsIn(received: Received[]): Map<string, Set<string>> {
  const keys = new Map<string, Set<string>>()
  for (const { body, headers } of received) {
    const subject = body['path_with_namespace'] ?? body['path'] ?? body['username']
    const name = `${String(body['event_name'])} ${String(subject)}`
    keys.set(name, (keys.get(name) ?? new Set()).add(String(headers['idempotency-key'])))
  }
  return keys
}

async function isGone(path: string): Promise<true | undefined> {
  try {
    await access(path)
    return undefined
  } catch {
    return true
  }
}
