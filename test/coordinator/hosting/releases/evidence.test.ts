import { createHash } from 'node:crypto'

import { expect, test } from 'vitest'

import { inTransaction } from '../../../../src/coordinator/database/transaction.js'
import { insertMilestone } from '../../../../src/coordinator/hosting/milestone-store.js'
import { collectDueEvidence } from '../../../../src/coordinator/hosting/release-evidence.js'
import { insertIssue } from '../../../../src/coordinator/planning/stores/issue-store.js'
import { describeOnDatabase, describeOnEachDatabase, type OpenDatabase } from '../../../support/databases.js'
import {
  addRepositoryMember,
  type RepositoryApi,
  repositoryApiForFile,
  seedDefaultBranch,
} from '../../support/repository-api.js'
import { insertRunningJob } from '../../support/running-job.js'
import { EXTERNAL_URL, type Person } from '../../support/test-app.js'

const openRepositoryApi = repositoryApiForFile()

interface Evidence {
  sha: string
  filepath: string
  collected_at: string
}

async function open(database?: OpenDatabase): Promise<RepositoryApi> {
  const api = await openRepositoryApi(database)
  await seedDefaultBranch(api)
  return api
}

async function release(api: RepositoryApi, params: object = {}): Promise<Evidence[]> {
  const body = { tag_name: 'v1', ref: 'main', description: 'Notes', ...params }
  const response = await api.call('POST /releases', body)
  expect(response.statusCode, response.body).toBe(201)
  return response.json<{ evidences: Evidence[] }>().evidences
}

async function evidences(api: RepositoryApi, as?: Person): Promise<Evidence[]> {
  return (await api.call('GET /releases/v1', undefined, as)).json<{ evidences: Evidence[] }>().evidences
}

/** The path of an evidence below its project. */
function pathOf(evidence: Evidence | undefined): string {
  const start = `${EXTERNAL_URL}/api/v4/projects/`
  expect(evidence?.filepath.startsWith(start)).toBe(true)
  return evidence?.filepath.slice(start.length).replace(/^\d+/, '') ?? ''
}

describeOnDatabase('release evidence', (database) => {
  test('is a snapshot of the release, with its milestones and their issues that are not confidential', async () => {
    const api = await open(database)
    const { id: project_id } = api.project
    await inTransaction(api.database, async (tx) => {
      const values = { description: null, start_date: null, due_date: '2030-01-02' }
      const milestone = await insertMilestone(tx, { project_id }, { title: 'm', ...values })
      const other = await insertMilestone(tx, { project_id }, { title: 'other', ...values })
      const issue = {
        project_id,
        author_id: api.owner.id,
        milestone_id: milestone.id,
        created_at: 1,
        updated_at: 1,
      }
      await insertIssue(tx, { ...issue, title: 'seen' })
      await insertIssue(tx, { ...issue, title: 'hidden', confidential: true })
      await insertIssue(tx, { ...issue, milestone_id: other.id, title: 'elsewhere' })
    })
    const [evidence, ...more] = await release(api, { milestones: ['m'] })
    expect(more).toEqual([])
    const file = await api.call(`GET ${pathOf(evidence)}`)
    expect([file.statusCode, file.headers['content-type']]).toEqual([200, 'application/json'])
    expect(createHash('sha256').update(file.body).digest('hex')).toBe(evidence?.sha)
    expect(file.json()).toMatchObject({
      release: {
        tag_name: 'v1',
        name: 'v1',
        description: 'Notes',
        sha: await api.git('rev-parse', 'main'),
        project: { id: project_id, name: 'app' },
        milestones: [{ title: 'm', due_date: '2030-01-02', issues: [{ title: 'seen', author_name: 'ada' }] }],
      },
    })
    expect(file.body).not.toMatch(/hidden|elsewhere|@/)
  })
})

describeOnDatabase('release evidence', (database) => {
  test('links the reports of the last pipeline of the commit, which do not expire', async () => {
    const api = await open(database)
    const { database: store, project, owner } = api
    const sha = await api.git('rev-parse', 'main')
    const file = {
      project_id: project.id,
      file_format: 'zip',
      size: 1,
      sha256: '',
      expire_at: 9,
      created_at: 1,
    } as const
    const addJob = async (iid: number, types: string[]) => {
      await insertRunningJob(store, { projectId: project.id, userId: owner.id })
      await store.updateTable('pipeline').set({ sha, iid }).where('iid', '=', 1).execute()
      const { id } = await store
        .selectFrom('job')
        .select('id')
        .orderBy('id', 'desc')
        .executeTakeFirstOrThrow()
      for (const file_type of types) {
        const named = { file_type, filename: file_type, blob_key: `${id}-${file_type}` }
        await store
          .insertInto('job_artifact')
          .values({ ...file, ...named, job_id: id })
          .execute()
      }
      return id
    }
    await addJob(2, ['archive', 'junit'])
    const reporting = await addJob(3, ['archive', 'junit', 'dotenv'])
    const [evidence] = await release(api)
    const { release: snapshot } = (await api.call(`GET ${pathOf(evidence)}`)).json<{
      release: { report_artifacts: object[] }
    }>()
    expect(snapshot.report_artifacts).toEqual([
      { url: `${EXTERNAL_URL}/ada/app/-/jobs/${reporting}/artifacts/download` },
    ])
    const kept = await store
      .selectFrom('job_artifact')
      .select('job_id')
      .where('expire_at', 'is', null)
      .execute()
    expect(kept.map(({ job_id }) => job_id)).toEqual([reporting, reporting, reporting])
    await addJob(4, ['archive'])
    await api.call('POST /releases/v1/evidence')
    const second = (await evidences(api))[1]
    expect((await api.call(`GET ${pathOf(second)}`)).json()).toMatchObject({
      release: { report_artifacts: [] },
    })
  })

  test('stays as it is when the release changes, and another one can be collected', async () => {
    const api = await open(database)
    const [first] = await release(api)
    await api.call('PUT /releases/v1', { description: 'Changed' })
    const asked = await api.call('POST /releases/v1/evidence')
    expect([asked.statusCode, asked.json()]).toEqual([202, { message: '202 Accepted' }])
    const [same, second] = await evidences(api)
    expect(same).toEqual(first)
    const [before, after] = await Promise.all([same, second].map((each) => api.call(`GET ${pathOf(each)}`)))
    expect([before?.body, after?.body].map((text) => /Notes|Changed/.exec(text ?? '')?.[0])).toEqual([
      'Notes',
      'Changed',
    ])
  })
})

describeOnEachDatabase('release evidence', (database) => {
  test('of an upcoming release is collected once, when its time has come', async () => {
    const api = await open(database)
    expect(await release(api, { released_at: '2090-01-01T00:00:00Z' })).toEqual([])
    await collectDueEvidence(api.database, EXTERNAL_URL)
    expect(await evidences(api)).toEqual([])
    await api.database.updateTable('release').set({ evidence_due_at: 1 }).execute()
    await Promise.all([
      collectDueEvidence(api.database, EXTERNAL_URL),
      collectDueEvidence(api.database, EXTERNAL_URL),
    ])
    expect(await evidences(api)).toHaveLength(1)
    await collectDueEvidence(api.database, EXTERNAL_URL)
    expect(await evidences(api)).toHaveLength(1)
  })
})

describeOnDatabase('release evidence', (database) => {
  test('goes with its release', async () => {
    const api = await open(database)
    await release(api)
    await api.call('DELETE /releases/v1')
    expect(await api.database.selectFrom('release_evidence').selectAll().execute()).toEqual([])
  })
})

test('a release that is moved into the future, or back, has its evidence at that time', async () => {
  const api = await open()
  await release(api, { released_at: '2001-01-01T00:00:00Z' })
  expect(await evidences(api)).toEqual([])
  const due = async (): Promise<unknown[]> => {
    const rows = await api.database.selectFrom('release').select('evidence_due_at').execute()
    return rows.map(({ evidence_due_at }) => evidence_due_at)
  }
  expect(await due()).toEqual([null])
  await api.call('PUT /releases/v1', { released_at: '2090-01-01T00:00:00Z' })
  expect(await due()).toEqual([Date.parse('2090-01-01T00:00:00Z')])
  await api.call('PUT /releases/v1', { released_at: '2002-01-01T00:00:00Z' })
  await collectDueEvidence(api.database, EXTERNAL_URL)
  expect([await due(), (await evidences(api)).length]).toEqual([[null], 1])
  await api.call('PUT /releases/v1', { released_at: '2090-01-01T00:00:00Z' })
  expect(await due()).toEqual([null])
})

test('evidence is for those who read code and issues, and is collected by developers', async () => {
  const api = await open()
  const [evidence] = await release(api)
  const guest = await addRepositoryMember(api, 'gus', 10)
  const reporter = await addRepositoryMember(api, 'rob', 20)
  const developer = await addRepositoryMember(api, 'dora', 30)
  expect(await evidences(api, guest)).toEqual([])
  expect(await evidences(api, reporter)).toEqual([evidence])
  const path = pathOf(evidence)
  const statuses = []
  for (const as of [guest, reporter, developer]) {
    const reading = await api.call(`GET ${path}`, undefined, as)
    const collecting = await api.call('POST /releases/v1/evidence', {}, as)
    statuses.push([reading.statusCode, collecting.statusCode])
  }
  expect(statuses).toEqual([
    [403, 403],
    [200, 403],
    [200, 202],
  ])
  expect((await api.call(`GET ${path.replace(/\d+\.json$/, '99.json')}`)).statusCode).toBe(404)
  expect((await api.call('POST /releases/none/evidence')).statusCode).toBe(404)
  await api.database.updateTable('project').set({ issues_access_level: 'disabled' }).execute()
  expect(await evidences(api)).toEqual([])
  expect((await api.call(`GET ${path}`)).statusCode).toBe(403)
})

test('a release of a tag has evidence, too, and no more than a hundred', async () => {
  const api = await open()
  await api.call('POST /repository/tags', { tag_name: 'v1', ref: 'main' })
  await api.call('POST /repository/tags/v1/release', { description: 'Notes' })
  expect(await evidences(api)).toHaveLength(1)
  const { id: _, ...row } = await api.database
    .selectFrom('release_evidence')
    .selectAll()
    .executeTakeFirstOrThrow()
  await api.database
    .insertInto('release_evidence')
    .values(Array.from({ length: 99 }, () => row))
    .execute()
  const refused = await api.call('POST /releases/v1/evidence')
  expect([refused.statusCode, refused.json()]).toEqual([
    422,
    { message: { base: ['Maximum number of evidences (100) exceeded'] } },
  ])
})
