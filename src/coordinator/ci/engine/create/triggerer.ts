import { tokenDigest } from '../../../../lib/tokens.js'
import type { Database } from '../../../database/connect.js'
import type { JobRow, UserRow } from '../../../database/tables/pipeline-rows.js'
import { findUser } from '../user-store.js'

/**
 * The identity behind a token that triggers a pipeline: the owner of a trigger token, or a running job that
 * acts for its user.
 */
export type Triggerer =
  | { kind: 'trigger'; user: UserRow; id: number; shortToken: string }
  | { kind: 'job'; user: UserRow; job: JobRow }

/** Undefined for a token that is neither a trigger token of the project, in time, nor that of a running job. */
export async function findTriggerer(
  database: Database,
  projectId: number,
  token: string,
  now = Date.now(),
): Promise<Triggerer | undefined> {
  const digest = tokenDigest(token)
  return (
    (await ownerOfTriggerToken(database, projectId, digest, now)) ?? (await userOfJobToken(database, digest))
  )
}

/** Whether `findTriggerer` accepts this token. */
export async function isTriggerToken(database: Database, projectId: number, token: string): Promise<boolean> {
  return (await findTriggerer(database, projectId, token)) !== undefined
}

async function ownerOfTriggerToken(
  database: Database,
  projectId: number,
  digest: string,
  now: number,
): Promise<Triggerer | undefined> {
  const trigger = await database
    .selectFrom('trigger_token')
    .select(['id', 'owner_id', 'short_token'])
    .where('token_digest', '=', digest)
    .where('project_id', '=', projectId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst()
  if (!trigger) return undefined
  const user = await findUser(database, trigger.owner_id)
  return { kind: 'trigger', user, id: trigger.id, shortToken: trigger.short_token }
}

async function userOfJobToken(database: Database, digest: string): Promise<Triggerer | undefined> {
  const job = await database
    .selectFrom('job')
    .selectAll()
    .where('token_digest', '=', digest)
    .where('status', 'in', ['running', 'canceling'])
    .executeTakeFirst()
  return job && { kind: 'job', user: await findUser(database, job.user_id), job }
}
