import { expect, test, vi } from 'vitest'

import { sizesOf } from '../../../../src/coordinator/accounts/groups/store.js'
import { statisticsOf } from '../../../../src/coordinator/hosting/projects/record/page-facts.js'
import { updateStorageSizes } from '../../../../src/coordinator/hosting/projects/statistics/update-storage-sizes.js'
import { FetchCounts } from '../../../../src/coordinator/hosting/repositories/fetch-counts.js'
import { createLogger } from '../../../../src/lib/logger.js'
import { describeOnDatabase } from '../../../support/databases.js'
import { gitOk, workTree } from '../../../support/git-client.js'
import { pushPipeline, startCiCoordinator } from '../../support/ci-coordinator.js'
import { addProject, openPeopleApi } from '../../support/people-api.js'
import { RunnerClient } from '../../support/runner-client.js'
import { addPerson } from '../../support/test-app.js'
import { startGitServer } from '../repositories/git-server.js'

const DAY = 24 * 3600 * 1000
const PATHS = { readme_path: null, license_path: null, license_key: null }
const UNMEASURED = { ...PATHS, commit_count: null, repository_size: null, wiki_size: 7 }

describeOnDatabase('the statistics of a project', (open) => {
  test('tell how often it was fetched in the last thirty days, to its developers', async () => {
    const api = await openPeopleApi({ open })
    const { database } = api
    const { id } = await addProject(api, api.root, { name: 'it', visibility: 'public' })
    const other = await addProject(api, api.root, { name: 'other' })
    let now = Date.now() - 40 * DAY
    const counts = new FetchCounts(database, createLogger('test', 'silent'), () => now)
    const fetchOn = async (daysAgo: number, times: number) => {
      now = Date.now() - daysAgo * DAY
      for (let time = 0; time < times; time += 1) counts.record(id)
      await counts.write()
    }
    await fetchOn(40, 5)
    await fetchOn(29, 1)
    await fetchOn(1, 2)
    counts.record(other.id)
    counts.record(999_999)
    await fetchOn(1, 3)
    const day = (daysAgo: number) => new Date(Date.now() - daysAgo * DAY).toISOString().slice(0, 10)
    const days = [
      { count: 5, date: day(1) },
      { count: 1, date: day(29) },
    ]
    const read = await api.call(api.root, `GET /projects/${id}/statistics`)
    expect([read.statusCode, read.json()]).toEqual([200, { fetches: { total: 6, days } }])
    const mary = await addPerson(database, 'mary')
    expect((await api.call(mary, `GET /projects/${id}/statistics`)).statusCode).toBe(403)
    now = Date.now()
    await counts.write()
    expect(await database.selectFrom('project_fetch').select('count').execute()).toHaveLength(3)
    await api.call(api.root, `DELETE /projects/${id}`)
    expect(await database.selectFrom('project_fetch').select('count').execute()).toEqual([{ count: 1 }])
  })

  test('count artifacts as long as they are there, for the project and for its group', async () => {
    const coordinator = await startCiCoordinator({}, open)
    const { database, project } = coordinator
    const group = project.namespace_id
    await pushPipeline(coordinator, 'job: { script: x }')
    const runner = await RunnerClient.register(coordinator)
    expect((await runner.upload(await runner.takeJob(), 'x'.repeat(1000))).status).toBe(201)
    const upload = { project_id: project.id, secret: 's', filename: 'f', content_type: 'text/plain' }
    await database
      .insertInto('project_upload')
      .values({ ...upload, size: 10, created_at: 1 })
      .execute()
    await database.insertInto('wiki').values({ project_id: project.id, size: 7, updated_at: 1 }).execute()
    const object = { project_id: project.id, oid: 'a'.repeat(64), size: 5, created_at: 1 }
    await database.insertInto('lfs_object').values(object).execute()
    const read = async () => {
      const ofProject = (await statisticsOf(database, new Map([[project.id, UNMEASURED]]))).get(project.id)
      return [ofProject, (await sizesOf(database, [group])).get(group)]
    }
    const some = {
      repository_size: 0,
      wiki_size: 7,
      lfs_objects_size: 5,
      job_artifacts_size: 1000,
      uploads_size: 10,
    }
    expect(await read()).toEqual([expect.objectContaining({ ...some, storage_size: 1022 }), some])
    const { signal } = new AbortController()
    await updateStorageSizes(database, signal, 1)
    const stored = await database.selectFrom('project').select('storage_size').execute()
    expect(stored).toEqual([{ storage_size: 1022 }])
    await database.updateTable('job_artifact').set({ blob_key: '' }).execute()
    const less = { ...some, job_artifacts_size: 0 }
    expect(await read()).toEqual([expect.objectContaining({ ...less, storage_size: 22 }), less])
  })
})

test('a clone counts once, a look at the refs and a push do not', async () => {
  const server = await startGitServer()
  const fetched = vi.spyOn(server.services.fetchCounts, 'record')
  const tree = await workTree()
  await gitOk(tree, 'push', '--quiet', server.remote(), 'main')
  await gitOk(tree, 'ls-remote', server.remote())
  expect(fetched.mock.calls).toEqual([])
  await gitOk(tree, 'clone', '--quiet', server.remote(), 'clone')
  await gitOk(tree, '-c', 'protocol.version=0', 'clone', '--quiet', server.remote(), 'old')
  expect(fetched.mock.calls).toEqual([[server.project.id], [server.project.id]])
})
