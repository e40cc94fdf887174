import { ZERO_ID } from '../../../git/names.js'
import type { DialectName } from '../../database/connect.js'
import { nextPipelineIid } from '../../database/stores/project-store.js'
import type { ReportedState } from '../../database/tables/commit-statuses.js'
import type { PipelineRow, ProjectRow, UserRow } from '../../database/tables/pipeline-rows.js'
import { inTransaction, type Transaction } from '../../database/transaction.js'
import { saveStatuses } from '../engine/advance/save-statuses.js'
import {
  type CommitStatusRow,
  externalStage,
  findCommitStatus,
  findPipelineOfCommit,
  insertCommitStatus,
  type PipelineChoice,
  updateCommitStatus,
} from '../engine/commit-status-store.js'
import type { EngineDeps } from '../engine/engine-deps.js'
import { protectionOf } from '../engine/permissions/ref-protection.js'
import { findPipeline, insertPipeline, lockPipeline } from '../engine/pipeline-store.js'
import type { StoredRef } from '../engine/stored-ref.js'
import { isUnderWay, refusedTransition, timesOf } from './status-transition.js'

/** A status of a commit that an external system reports. Absent fields keep their values. */
export interface StatusReport extends PipelineChoice {
  project: ProjectRow
  user: UserRow
  sha: string
  name: string
  state: ReportedState
  targetUrl?: string | undefined
  description?: string | undefined
  coverage?: number | undefined
}

export type SetStatusResult =
  | { kind: 'set'; status: CommitStatusRow }
  /** The commit has no pipeline with the given id. */
  | { kind: 'no-pipeline' }
  /** No ref was given, and no branch contains the commit. */
  | { kind: 'no-ref' }
  | { kind: 'refused'; message: string }

type Deps = Pick<EngineDeps, 'database' | 'dialect' | 'repositories' | 'notifications'>

/**
 * Adds the status of an external system to the newest pipeline of the commit, or to a new pipeline with the
 * source `external` (API, E3). While the status is pending or running, further reports of the same user
 * update it. Otherwise, or for another user, a new status replaces it.
 */
export async function setCommitStatus(deps: Deps, report: StatusReport): Promise<SetStatusResult> {
  const { project, sha, pipelineId } = report
  const found = await findPipelineOfCommit(deps.database, { ...report, projectId: project.id })
  if (!found && pipelineId !== undefined) return { kind: 'no-pipeline' }
  const on = report.on ?? found ?? (await branchOf(deps, project, sha))
  if (on === undefined) return { kind: 'no-ref' }
  const external = found ? undefined : await newPipeline(deps, report, on)
  return inTransaction(deps.database, async (tx) => {
    const pipeline = external ? await findOrInsert(tx, external) : found
    if (!pipeline) return { kind: 'no-pipeline' }
    await lockPipeline(tx, deps.dialect, pipeline.id)
    const result = await write(tx, deps.dialect, pipeline, report)
    // External statuses cannot repair a pipeline whose CI file has errors.
    if (result.kind === 'set' && pipeline.yaml_errors === null) await saveStatuses(deps, tx, pipeline.id)
    return result
  })
}

async function branchOf(
  { repositories }: Deps,
  { id }: ProjectRow,
  sha: string,
): Promise<StoredRef | undefined> {
  const branch = await repositories.branchContaining(id, sha)
  return branch === undefined ? undefined : { ref: branch, tag: false }
}

async function newPipeline({ database }: Deps, report: StatusReport, { ref, tag }: StoredRef) {
  const { project, user, sha } = report
  const protection = await protectionOf(database, project.id, tag ? 'tag' : 'branch', ref)
  const now = Date.now()
  return {
    project_id: project.id,
    user_id: user.id,
    ref,
    tag,
    sha,
    before_sha: ZERO_ID,
    source: 'external',
    status: 'created' as const,
    protected: protection !== undefined,
    created_at: now,
    updated_at: now,
  }
}

/**
 * Locks the row of the project, so that of several concurrent reports only the first creates the pipeline.
 */
async function findOrInsert(
  tx: Transaction,
  wanted: Awaited<ReturnType<typeof newPipeline>>,
): Promise<PipelineRow> {
  const { project_id: projectId, sha, ref, tag } = wanted
  const iid = await nextPipelineIid(tx, projectId)
  const present = await findPipelineOfCommit(tx, { projectId, sha, on: { ref, tag } })
  return present ?? (await findPipeline(tx, await insertPipeline(tx, { ...wanted, iid })))
}

async function write(
  tx: Transaction,
  dialect: DialectName,
  pipeline: PipelineRow,
  report: StatusReport,
): Promise<SetStatusResult> {
  const current = await findCommitStatus(tx, pipeline.id, report.name)
  if (!current || !isUnderWay(current.status) || current.user_id !== report.user.id) {
    return { kind: 'set', status: await insert(tx, dialect, pipeline, report) }
  }
  const refusal = refusedTransition(current.status, report.state)
  if (refusal !== undefined) return { kind: 'refused', message: refusal }
  const changes = {
    status: report.state,
    ...timesOf(report.state, current.started_at, Date.now()),
    ...(report.targetUrl !== undefined && { target_url: report.targetUrl }),
    ...(report.description !== undefined && { description: report.description }),
    ...(report.coverage !== undefined && { coverage: report.coverage }),
  }
  return { kind: 'set', status: await updateCommitStatus(tx, current.id, changes) }
}

async function insert(
  tx: Transaction,
  dialect: DialectName,
  pipeline: PipelineRow,
  { state, name, user, targetUrl, description, coverage }: StatusReport,
): Promise<CommitStatusRow> {
  const now = Date.now()
  return insertCommitStatus(tx, dialect, {
    project_id: pipeline.project_id,
    pipeline_id: pipeline.id,
    stage_id: await externalStage(tx, pipeline.id),
    name,
    status: state,
    ref: pipeline.ref,
    target_url: targetUrl ?? null,
    description: description ?? null,
    coverage: coverage ?? null,
    user_id: user.id,
    created_at: now,
    ...timesOf(state, null, now),
  })
}
