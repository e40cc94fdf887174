import { randomBytes } from 'node:crypto'

import type { Database } from '../../../src/coordinator/database/connect.js'
import { tokenDigest } from '../../../src/lib/tokens.js'
import { insertProject } from './insert-project.js'
import type { Person } from './test-app.js'

/** Milliseconds. No test lasts as long. */
const LEASE = 3_600_000

/** Creates a running job of the project and user, with the lease of a runner that was deleted. Returns its token. */
export async function insertRunningJob(
  database: Database,
  { projectId, userId }: { projectId: number; userId: number },
): Promise<string> {
  const times = { created_at: 0, updated_at: 0 }
  const common = { project_id: projectId, user_id: userId, ref: 'main', tag: false, protected: false }
  const pipeline = await database
    .insertInto('pipeline')
    .values({
      ...common,
      ...times,
      iid: 1,
      sha: 'a'.repeat(40),
      before_sha: '0'.repeat(40),
      source: 'push',
      status: 'running',
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const stage = await database
    .insertInto('stage')
    .values({ pipeline_id: pipeline.id, name: 'test', position: 0, status: 'running' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const token = `glcbt-${randomBytes(15).toString('base64url')}`
  const job = await database
    .insertInto('job')
    .values({
      ...common,
      ...times,
      pipeline_id: pipeline.id,
      stage_id: stage.id,
      stage: 'test',
      stage_index: 0,
      name: 'job',
      status: 'running',
      when: 'on_success',
      allow_failure: false,
      scheduling_type: 'stage',
      options: '{}',
      yaml_variables: '[]',
      tag_list: '[]',
      token_digest: tokenDigest(token),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  await database
    .insertInto('lease')
    .values({
      job_id: job.id,
      project_id: projectId,
      runner_id: 0,
      instance_runner: true,
      expires_at: Date.now() + LEASE,
      heard_from: true,
    })
    .execute()
  return token
}

/** The statuses of all jobs, in the order of their creation. */
export async function jobStatuses(database: Database): Promise<string[]> {
  const jobs = await database.selectFrom('job').select('status').orderBy('id').execute()
  return jobs.map(({ status }) => status)
}

/** A private project `<name>/<name>` of the owner with one running job, which has this token. */
export async function addRunningJob(
  database: Database,
  owner: Person,
  name: string,
): Promise<{ projectId: number; token: string }> {
  const projectId = await addProject(database, owner, name)
  return { projectId, token: await insertRunningJob(database, { projectId, userId: owner.id }) }
}

async function addProject(database: Database, owner: Person, name: string): Promise<number> {
  const named = { name, path: name, visibility: 'private', created_at: Date.now() } as const
  const namespace = await database
    .insertInto('namespace')
    .values({ ...named, kind: 'user', full_path: name, owner_id: owner.id })
    .returning('id')
    .executeTakeFirstOrThrow()
  const project = await insertProject(database, {
    namespace_id: namespace.id,
    creator_id: owner.id,
    full_path: `${name}/${name}`,
  })
  return project.id
}
