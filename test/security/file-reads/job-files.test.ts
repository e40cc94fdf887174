import { buffer } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import { openLogScene, startLog } from '../../coordinator/ci/jobs/trace/running-job.js'
import { zipOf } from '../../coordinator/support/zip.js'
import { openForFile } from '../../support/lifetime.js'

const SECRET = 'printed for the members of the project'

/** What the API shows of the files of a job. */
const FILES = [
  'trace',
  'trace/outline',
  'trace/lines',
  'trace/lines?byte=0',
  'trace/search?q=printed',
  'trace/search?errors=true',
  'failure',
  'artifacts',
  'artifacts/tree',
  'artifacts/tree?path=dist',
  'artifacts/folder?path=dist',
  'artifacts/folder',
  'artifacts/dist/a.txt',
]

/** A finished job with a log and an archive, and the project of somebody who is no member of that of the job. */
async function open() {
  const scene = await openLogScene()
  const { coordinator, runner, stranger } = scene
  const { job, print, finish } = await startLog(scene)
  await print(`error: ${SECRET}\n`)
  await runner.upload(job, await buffer(await zipOf({ 'dist/a.txt': SECRET, folder: SECRET })))
  await finish('failed')
  const { namespace_id, ...project } = coordinator.project
  const { id } = await coordinator.database
    .insertInto('project')
    .values({
      creator_id: stranger.id,
      namespace_id,
      name: 'Mine',
      path: 'mine',
      full_path: 'group/mine',
      visibility: 'private',
      default_branch: 'main',
      runners_token_digest: 'none',
      runners_token_encrypted: project.runners_token_encrypted,
      created_at: Date.now(),
      updated_at: Date.now(),
      last_activity_at: Date.now(),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await coordinator.database
    .insertInto('member')
    .values({ user_id: stranger.id, project_id: id, access_level: 40, created_at: Date.now() })
    .execute()
  const { pipeline_id } = await coordinator.database
    .selectFrom('job')
    .select('pipeline_id')
    .where('id', '=', job.id)
    .executeTakeFirstOrThrow()
  return { coordinator, stranger, job, pipelineId: pipeline_id, projects: { own: project.id, other: id } }
}

const opened = openForFile(open)

test.each(FILES)('%s of a job is not read through another project', async (file) => {
  const { coordinator, stranger, job, projects } = opened()
  const { app, admin } = coordinator
  const read = (project: number, as: typeof admin) =>
    app.call(as, `GET /projects/${project}/jobs/${job.id}/${file}`)
  expect((await read(projects.own, admin)).statusCode).toBe(200)
  for (const [project, as] of [
    [projects.other, stranger],
    [projects.other, admin],
    [projects.own, stranger],
  ] as const) {
    const { statusCode, body } = await read(project, as)
    expect([statusCode, body]).toEqual([404, expect.not.stringContaining(SECRET)])
  }
})

test('failures of a pipeline are not read through another project', async () => {
  const { coordinator, stranger, pipelineId, projects } = opened()
  const { app, admin } = coordinator
  const read = (project: number, as: typeof admin) =>
    app.call(as, `GET /projects/${project}/pipelines/${pipelineId}/failures`)
  expect((await read(projects.own, admin)).body).toContain(SECRET)
  expect((await read(projects.other, stranger)).statusCode).toBe(404)
  expect((await read(projects.other, admin)).statusCode).toBe(404)
  expect((await read(projects.own, stranger)).statusCode).toBe(404)
})

test.each(['../1', '..%2F1', '1.log', '1%2F..%2F2', '1%00', '-1', '0x1', '9007199254740993'])(
  'the job %s has no file',
  async (id) => {
    const { coordinator, projects } = opened()
    for (const file of [
      'trace/outline',
      'trace/lines',
      'trace/search?q=a',
      'failure',
      'steps',
      'artifacts/tree',
    ]) {
      const response = await coordinator.app.call(
        coordinator.admin,
        `GET /projects/${projects.own}/jobs/${id}/${file}`,
      )
      expect([400, 404]).toContain(response.statusCode)
    }
  },
)
