import type { PlannedEnvironment } from '../../../../../ci-config/plan.js'
import { chunks } from '../../../../../lib/chunks.js'
import type { Database } from '../../../../database/connect.js'
import type { JobRow } from '../../../../database/tables/pipeline-rows.js'
import type { EngineDeps } from '../../engine-deps.js'
import { IDS_PER_STATEMENT } from '../../job-store.js'
import { findProject } from '../../pipeline-store.js'
import { tierFor } from '../ensure-environments.js'
import { approvalDemands, findApprovals } from './approvals.js'
import {
  type EnvironmentProtection,
  findProtections,
  type ProtectableEnvironment,
  protecting,
} from './find-protections.js'
import { type Candidate, isDeployer, readCandidate } from './fits-entry.js'
import { missingApprovals } from './missing-approvals.js'

/**
 * Whether a job may use its environment: `forbidden` = its user may not deploy there, `unapproved` = its
 * deployment needs approvals.
 */
export type Gate = 'open' | ClosedGate
export type ClosedGate = 'forbidden' | 'unapproved'

type GateDeps = Pick<EngineDeps, 'outside'>

/**
 * Returns the gates of jobs of one project, by job. Jobs without a protected environment are absent. With
 * `asUserId`, checks this user instead of the user of each job. `database` may be a transaction.
 */
export async function gatesOf(
  deps: GateDeps,
  database: Database,
  { projectId, jobIds, asUserId }: { projectId: number; jobIds: number[]; asUserId?: number },
): Promise<Map<number, Gate>> {
  const gates = new Map<number, Gate>()
  if (jobIds.length === 0) return gates
  const all = await findProtections(database, projectId)
  if (all.length === 0) return gates
  const candidates = new Map<number, Candidate>()
  for (const job of await findJobs(database, jobIds)) {
    const { name, tier, options } = job
    const current = name !== null && tier !== null ? { name, tier } : undefined
    const protections = protectingJob(all, { current, named: options.environment })
    if (protections.length === 0) continue
    const userId = asUserId ?? job.user_id
    const candidate = candidates.get(userId) ?? (await candidateOf(deps, database, userId, projectId))
    candidates.set(userId, candidate)
    if (!isDeployer(candidate, protections)) {
      gates.set(job.id, 'forbidden')
      continue
    }
    const demands = job.environment_action === 'start' ? approvalDemands(protections) : []
    const approvals =
      job.deployment_id === null ? undefined : await findApprovals(database, [job.deployment_id])
    const given = approvals?.get(job.deployment_id ?? 0) ?? []
    const pending =
      demands.length === 0
        ? 0
        : await missingApprovals(deps, database, await findProject(database, projectId), demands, given)
    gates.set(job.id, pending > 0 ? 'unapproved' : 'open')
  }
  return gates
}

/** Like `gatesOf`, for one job. */
export async function gateOf(
  deps: GateDeps,
  database: Database,
  job: Pick<JobRow, 'id' | 'project_id' | 'environment_action'>,
  asUserId?: number,
): Promise<Gate> {
  if (job.environment_action === null) return 'open'
  const asked = { projectId: job.project_id, jobIds: [job.id], ...(asUserId !== undefined && { asUserId }) }
  return (await gatesOf(deps, database, asked)).get(job.id) ?? 'open'
}

/**
 * Whether a rule protects the environment of a job: the one that exists now, or the one that the job names. With
 * neither, the job has no environment.
 */
export async function isEnvironmentProtected(
  database: Database,
  projectId: number,
  environment: JobEnvironment,
): Promise<boolean> {
  return protectingJob(await findProtections(database, projectId), environment).length > 0
}

/** The environment of a job as it is now, unless it is deleted, and as the job names it. */
export interface JobEnvironment {
  current?: ProtectableEnvironment | undefined
  named?: PlannedEnvironment | undefined
}

/**
 * The rules for the current environment and for the one that the job names. The job has the variables of the
 * latter even if the environment has been renamed or deleted since.
 */
function protectingJob(
  all: EnvironmentProtection[],
  { current, named }: JobEnvironment,
): EnvironmentProtection[] {
  const rules = new Set(current ? protecting(all, current) : [])
  if (named && named.name !== current?.name) {
    const tier = tierFor(named) ?? 'other'
    for (const rule of protecting(all, { name: named.name, tier })) rules.add(rule)
  }
  return [...rules]
}

async function findJobs(database: Database, ids: number[]) {
  const found = []
  for (const some of chunks(ids, IDS_PER_STATEMENT)) {
    const rows = await database
      .selectFrom('job')
      .leftJoin('environment', 'environment.id', 'job.environment_id')
      .leftJoin('deployment', 'deployment.job_id', 'job.id')
      .select(['job.id', 'job.user_id', 'job.environment_action', 'job.options'])
      .select(['environment.name', 'environment.tier', 'deployment.id as deployment_id'])
      .where('job.id', 'in', some)
      .execute()
    found.push(...rows)
  }
  return found
}

async function candidateOf(
  deps: GateDeps,
  database: Database,
  userId: number,
  projectId: number,
): Promise<Candidate> {
  const user = await database
    .selectFrom('user')
    .selectAll()
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return readCandidate(deps, database, user, await findProject(database, projectId))
}
