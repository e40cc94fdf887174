import { randomInt } from 'node:crypto'
import { access } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { connectDatabase, type DatabaseSettings } from '../../src/coordinator/database/connect.js'
import { Repositories } from '../../src/coordinator/hosting/repositories/repositories.js'
import { HookReceiver } from '../coordinator/ci/signals/hook-receiver.js'
import { describeOnDatabase } from '../support/databases.js'
import { IS_NIGHTLY } from '../support/nightly.js'
import { KILL_ROUNDS, kills } from './support/kill-rounds.js'
import { System } from './support/system.js'
import { until } from './support/until.js'

const KILLS = kills(4)
/** Of several, a kill at any moment finds some deleted and others not. */
const DUE = IS_NIGHTLY ? 12 : 6
const DAY = 24 * 3600 * 1000

interface ProjectRecord {
  id: number
  path_with_namespace: string
}

describeOnDatabase('a coordinator that is killed while it deletes marked projects', (open) => {
  let system: System
  let store: DatabaseSettings

  beforeEach(async () => {
    const { settings } = await open()
    system = await System.start(settings, {
      SWITCHYARD_DELETION_ADJOURNED_PERIOD: '2',
      SWITCHYARD_OUTBOUND_ALLOW_LOCAL_NETWORK: 'true',
    })
    const file = join(system.directory, 'coordinator', 'switchyard.db')
    store = settings.dialect === 'sqlite' ? { ...settings, file } : settings
  }, 180_000)

  afterEach(async () => {
    await system.stop()
  }, 180_000)

  /** Lets three days go by for those that are marked. */
  async function letDaysPass(): Promise<void> {
    const database = connectDatabase(store)
    await database
      .updateTable('project')
      .set({ marked_for_deletion_at: Date.now() - 3 * DAY })
      .where('marked_for_deletion_at', 'is not', null)
      .execute()
    await database.destroy()
  }

  test(
    'removes all of it, tells hooks of each once, and leaves what was restored or deleted today',
    { timeout: 600_000, ...KILL_ROUNDS },
    async () => {
      const { api } = system
      const add = (name: string) =>
        api.json<ProjectRecord>('POST', '/projects', { name, initialize_with_readme: true })
      const mark = (id: number) => api.json('DELETE', `/projects/${id}`)
      const due: ProjectRecord[] = []
      for (let n = 0; n < DUE; n++) due.push(await add(`due ${n}`))
      const [restored, recent] = [await add('restored'), await add('recent')]
      for (const { id } of [...due, restored]) await mark(id)
      await api.json('POST', `/projects/${restored.id}/restore`)
      const receiver = await HookReceiver.start()
      await api.json('POST', '/hooks', { url: receiver.url })
      await system.killCoordinator()
      await letDaysPass()
      for (let kill = 0; kill < KILLS; kill++) {
        await system.startCoordinator()
        await sleep(randomInt(0, 150)) // any moment of the work, which begins with the start
        await system.killCoordinator()
      }
      await system.startCoordinator()
      await mark(recent.id)

      const repositories = new Repositories(join(system.directory, 'coordinator', 'repositories'))
      for (const { id } of due) {
        await until(
          `project ${id} to be gone`,
          async () => {
            const { status } = await api.request('GET', `/projects/${id}`)
            return status === 404 && (await isGone(repositories.path(id))) ? true : undefined
          },
          () => system.log(),
        )
      }
      expect(await api.json('GET', `/projects/${restored.id}`)).toMatchObject({
        path_with_namespace: 'root/restored',
        marked_for_deletion_on: null,
      })
      expect(await api.json('GET', `/projects/${recent.id}/repository/commits`)).toHaveLength(1)

      const names = due.map(
        ({ id, path_with_namespace }) => `${path_with_namespace}-deletion_scheduled-${id}`,
      )
      const keys = await until(
        'hooks to be told',
        async () => {
          const told = receiver.received.filter(({ body }) => body['event_name'] === 'project_destroy')
          const keys = new Map(names.map((name) => [name, new Set<string>()]))
          for (const { body, headers } of told)
            keys.get(String(body['path_with_namespace']))?.add(String(headers['idempotency-key']))
          return [...keys.values()].every(({ size }) => size > 0) ? keys : undefined
        },
        () => system.log(),
      )
      expect([...keys.values()].map(({ size }) => size)).toEqual(names.map(() => 1))
    },
  )
})

async function isGone(path: string): Promise<boolean> {
  return access(path).then(
    () => false,
    () => true,
  )
}
