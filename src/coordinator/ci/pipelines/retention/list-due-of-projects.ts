import { chunks } from '../../../../lib/chunks.js'
import { DAY } from '../../../../lib/time-units.js'
import type { Database } from '../../../database/connect.js'
import { withDescendants } from '../pipelines.js'
import { filesBeyondLimits, type StorageLimits } from './delete-beyond-storage.js'
import {
  findDuePipelines,
  lastDueId,
  measureVolume,
  projectsWithLimits,
  type RetentionLimits,
  type Volume,
} from './due-pipelines.js'
import { oldestLogs } from './stored-files.js'

/** What the limits would delete now. A file that two limits delete is counted by both. */
export interface DueInProject extends Volume {
  projectId: number
  path: string
  /** With the jobs, logs and artifacts of `Volume`. */
  pipelines: number
  /** Logs that are too old. */
  oldLogs: number
  oldLogBytes: number
  /** Logs and artifacts beyond the limits of storage. */
  excessLogs: number
  excessLogBytes: number
  excessArtifacts: number
  excessArtifactBytes: number
}

export interface ProjectLimits extends RetentionLimits, StorageLimits {
  /** Days that logs are kept; 0 = unlimited. */
  logDays: number
}

/** Pipelines per read. */
const BATCH = 100
/** Projects per read. */
const PROJECTS = 500
const NOTHING = {
  pipelines: 0,
  jobs: 0,
  logBytes: 0,
  artifacts: 0,
  artifactBytes: 0,
  oldLogs: 0,
  oldLogBytes: 0,
  excessLogs: 0,
  excessLogBytes: 0,
  excessArtifacts: 0,
  excessArtifactBytes: 0,
}

/**
 * What the periodic tasks of retention would delete now, of the projects in which they would delete something, in order of
 * their IDs. Throws the reason of `signal` when it aborts.
 */
export async function listDueOfProjects(
  database: Database,
  limits: ProjectLimits,
  signal: AbortSignal,
  now = Date.now(),
): Promise<DueInProject[]> {
  const found = new Map<number, DueInProject>()
  const of = (projectId: number): DueInProject => {
    const due = found.get(projectId) ?? { projectId, path: '', ...NOTHING }
    found.set(projectId, due)
    return due
  }
  await addPipelines(database, { limits, signal, now }, of)
  await addOldLogs(database, { limits, signal, now }, of)
  for await (const { kind, projectId, bytes } of filesBeyondLimits(database, limits, signal)) {
    const due = of(projectId)
    if (kind === 'logs') {
      due.excessLogs++
      due.excessLogBytes += bytes
    } else {
      due.excessArtifacts++
      due.excessArtifactBytes += bytes
    }
  }
  return withPaths(database, found)
}

interface Search {
  limits: ProjectLimits
  signal: AbortSignal
  now: number
}

async function addPipelines(
  database: Database,
  { limits, signal, now }: Search,
  of: (projectId: number) => DueInProject,
): Promise<void> {
  for (let after = 0; ;) {
    signal.throwIfAborted()
    const projects = await projectsWithLimits(database, limits, { after, limit: PROJECTS })
    for (const project of projects) {
      const last = await lastDueId(database, project, limits, now)
      if (last !== null) await addPipelinesOf(database, { projectId: project.id, last, signal }, of)
    }
    const last = projects.at(-1)
    if (last === undefined) return
    after = last.id
  }
}

async function addPipelinesOf(
  database: Database,
  { projectId, last, signal }: { projectId: number; last: number; signal: AbortSignal },
  of: (projectId: number) => DueInProject,
): Promise<void> {
  for (let after = 0; ;) {
    signal.throwIfAborted()
    const roots = await findDuePipelines(database, projectId, { after, last, limit: BATCH })
    const lastRead = roots.at(-1)
    if (lastRead === undefined) return
    const ids: number[] = []
    for (const root of roots) ids.push(...(await withDescendants(database, root)).map(({ id }) => id))
    const volume = await measureVolume(database, ids)
    const due = of(projectId)
    due.pipelines += ids.length
    due.jobs += volume.jobs
    due.logBytes += volume.logBytes
    due.artifacts += volume.artifacts
    due.artifactBytes += volume.artifactBytes
    after = lastRead.id
  }
}

async function addOldLogs(
  database: Database,
  { limits: { logDays }, signal, now }: Search,
  of: (projectId: number) => DueInProject,
): Promise<void> {
  if (logDays === 0) return
  for await (const page of oldestLogs(database, now - logDays * DAY)) {
    signal.throwIfAborted()
    for (const { projectId, bytes } of page) {
      const due = of(projectId)
      due.oldLogs++
      due.oldLogBytes += bytes
    }
  }
}

/** Ordered by ID, without projects that were deleted since. */
async function withPaths(database: Database, found: Map<number, DueInProject>): Promise<DueInProject[]> {
  const paths = new Map<number, string>()
  for (const ids of chunks([...found.keys()], PROJECTS)) {
    const rows = await database
      .selectFrom('project')
      .select(['id', 'full_path'])
      .where('id', 'in', ids)
      .execute()
    for (const { id, full_path } of rows) paths.set(id, full_path)
  }
  return [...found.values()]
    .flatMap((due) => {
      const path = paths.get(due.projectId)
      return path === undefined ? [] : [{ ...due, path }]
    })
    .toSorted((one, other) => one.projectId - other.projectId)
}
