import type { Project, User } from '../../access/caller.js'
import type { JobRow } from '../../database/tables/pipeline-rows.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import { findJob } from '../engine/job-store.js'
import { findProject } from '../engine/pipeline-store.js'
import { hasEnded, type HoldDeps, mayEnterJob, mayEnterRunningJob, timeOf } from '../holds/holds.js'
import { findHold, type JobHoldRow } from '../holds/store.js'
import { opensShells, reportsShells } from '../jobs/details/store.js'
import type { RunnerSession } from '../jobs/runner-sessions/read-session.js'
import { findRunnerSession, hasRunnerSession } from '../jobs/runner-sessions/store.js'
import type { EntranceProblem } from './schema.js'
import type { JobTerminalRow } from './store.js'

export interface EntranceDeps extends HoldDeps {
  /** `[terminals] enabled` of the server, and the setting of its administrators. */
  areEnabled: () => boolean
}

/** Where a shell in a job opens now. */
export interface Entrance {
  state: 'running' | 'held' | 'ended'
  /** Undefined if a shell can be opened. */
  problem: EntranceProblem | undefined
  /** The latest hold of the job, which may have ended. */
  hold: JobHoldRow | undefined
}

interface Person {
  user: User
  accessLevel: number
}

/** Whether a person can open a shell in a job: in its container while it is held, or while its script runs. */
export async function findEntrance(
  deps: EntranceDeps,
  project: Project,
  job: JobRow,
  { user, accessLevel }: Person,
): Promise<Entrance> {
  const hold = await findHold(deps.engine.database, job.id)
  const state = stateOf(job, hold, timeOf(deps))
  const problem = async (): Promise<EntranceProblem | undefined> => {
    if (state === 'ended') return 'ended'
    const mayEnter =
      state === 'held'
        ? await mayEnterJob(deps, project, job, user, accessLevel)
        : await mayEnterRunningJob(deps, project, job, user)
    if (!mayEnter) return 'forbidden'
    if (!deps.areEnabled()) return 'disabled'
    const hasTerminals = state === 'held' ? hold?.has_terminal : await opensShells(deps.engine.database, job)
    return hasTerminals ? undefined : 'runner'
  }
  return { state, problem: await problem(), hold }
}

/** Whether shells in a job open at the session server of its runner now. Otherwise the runner connects. */
export async function opensAtSessionServer(
  deps: Pick<EntranceDeps, 'engine' | 'now'>,
  job: JobRow,
): Promise<boolean> {
  const { database } = deps.engine
  const state = stateOf(job, await findHold(database, job.id), timeOf(deps))
  if (state !== 'running' || (await reportsShells(database, job))) return false
  return await hasRunnerSession(database, job.id)
}

/** The session server at which shells in a job open now; undefined if the runner connects. */
export async function findSessionServer(
  deps: Pick<EntranceDeps, 'engine' | 'now'> & { engine: Pick<EngineDeps, 'secrets'> },
  jobId: number,
): Promise<RunnerSession | undefined> {
  const job = await findJob(deps.engine.database, jobId)
  if (!job || !(await opensAtSessionServer(deps, job))) return undefined
  return await findRunnerSession(deps.engine, jobId)
}

/** Why the person who has got a terminal may no longer use it, as text for that person. Undefined if they may. */
export async function refusalToStay(
  deps: EntranceDeps,
  { job_id, user_id }: Pick<JobTerminalRow, 'job_id' | 'user_id'>,
): Promise<string | undefined> {
  const { database, outside } = deps.engine
  const [job, user] = await Promise.all([
    findJob(database, job_id),
    database.selectFrom('user').selectAll().where('id', '=', user_id).executeTakeFirst(),
  ])
  if (!job || user?.state !== 'active') return REASONS.forbidden
  const project = await findProject(database, job.project_id)
  const accessLevel = await outside.levelOf(user, project)
  const { problem } = await findEntrance(deps, project, job, { user, accessLevel })
  return problem && REASONS[problem]
}

/** A close reason has at most 123 bytes. */
const REASONS: Record<EntranceProblem, string> = {
  disabled: 'An administrator has switched shells in jobs off',
  ended: 'The job has ended, or is not held any more',
  runner: 'The runner of the job opens no shells',
  forbidden: 'You may not use this terminal any longer',
}

function stateOf(job: JobRow, hold: JobHoldRow | undefined, now: number): Entrance['state'] {
  // A runner reports a hold while the job still runs: its scripts are over then.
  if (hold && !hasEnded(hold, now)) return 'held'
  return job.status === 'running' ? 'running' : 'ended'
}
