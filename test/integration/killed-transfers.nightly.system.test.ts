import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'

import { afterEach, beforeEach, expect, test } from 'vitest'

import { describeOnDatabase } from '../support/databases.js'
import { gitOk } from '../support/git-client.js'
import { KILL_ROUNDS } from './support/kill-rounds.js'
import { System } from './support/system.js'
import { until } from './support/until.js'

const BADGES = Array.from({ length: 40 }, (_, number) => `badge ${number}`)
const TEST_TIMEOUT = 180

describeOnDatabase('a coordinator that is killed while projects move', (open) => {
  let system: System

  beforeEach(async () => {
    const { settings } = await open()
    system = await System.start(settings, { SWITCHYARD_LEASE_TASK_SECONDS: '3' })
  }, 180_000)

  afterEach(async () => {
    await system.stop()
  }, 180_000)

  /** What the response to `path` says once it says so. */
  function come<T>(path: string, isThere: (record: T) => boolean): Promise<T> {
    const question = async () => {
      const record = await system.api.json<T>('GET', path)
      return isThere(record) ? record : undefined
    }
    return until(path, question, () => system.log(), TEST_TIMEOUT)
  }

  async function killAtAnyMoment(): Promise<void> {
    await sleep(randomInt(20, 800)) // any moment of the work
    await system.killCoordinator()
    await system.startCoordinator()
  }

  async function archiveOf({ id }: { id: number }): Promise<Blob> {
    const path = `/projects/${id}/export`
    await come<{ export_status: string }>(path, ({ export_status }) => export_status === 'finished')
    return (await system.api.request('GET', `${path}/download`)).blob()
  }

  async function importCopy(archive: Blob, path: string): Promise<number> {
    const form = new FormData()
    form.append('path', path)
    form.append('file', archive, 'it.tar.gz')
    const headers = { 'private-token': system.api.token }
    const response = await fetch(`${system.api.url}/api/v4/projects/import`, {
      method: 'POST',
      headers,
      body: form,
    })
    expect(response.status).toBe(201)
    return ((await response.json()) as { id: number }).id
  }

  test(
    'makes the archive whole, and of it projects in which everything is there once',
    { timeout: 600_000, ...KILL_ROUNDS },
    async () => {
      const { api } = system
      const source = await system.createProject()
      await gitOk(source.directory, 'commit', '-q', '--allow-empty', '-m', 'First')
      await gitOk(source.directory, 'push', '-q', 'origin', 'HEAD:main')
      const head = await gitOk(source.directory, 'rev-parse', 'HEAD')
      for (const name of BADGES) {
        const badge = { name, link_url: 'https://example.com', image_url: 'https://example.com/a.svg' }
        await api.json('POST', `/projects/${source.id}/badges`, badge)
      }
      const requestArchive = () => api.json('POST', `/projects/${source.id}/export`)
      await requestArchive()
      const archive = await archiveOf(source)

      await requestArchive()
      const copies = await Promise.all(['a', 'b', 'c'].map((path) => importCopy(archive, path)))
      await killAtAnyMoment()
      copies.push(await importCopy(await archiveOf(source), 'd'))
      for (const id of copies) {
        const path = `/projects/${id}/import`
        const status = await come<{ import_status: string }>(path, ({ import_status }) =>
          ['finished', 'failed'].includes(import_status),
        )
        expect(status).toMatchObject({ import_status: 'finished', import_error: null, failed_relations: [] })
        const [commit] = await api.json<{ id: string }[]>('GET', `/projects/${id}/repository/commits`)
        expect(commit).toMatchObject({ id: head })
        const badges = await api.json<{ name: string }[]>('GET', `/projects/${id}/badges?per_page=100`)
        expect(badges.map(({ name }) => name)).toEqual(BADGES)
      }
    },
  )
})
