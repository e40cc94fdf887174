import { createHash } from 'node:crypto'

import { type Selectable, sql } from 'kysely'

import { isoSeconds } from '../../lib/iso-seconds.js'
import { keepArtifacts } from '../ci/storage/artifacts/keep-artifacts.js'
import type { Database } from '../database/connect.js'
import type { ReleaseEvidenceTable } from '../database/tables/releases.js'
import { inTransaction, type Transaction } from '../database/transaction.js'
import { type MilestoneRow, milestonesOfReleases } from './milestone-store.js'
import type { ReleaseRow } from './release-store.js'

export type EvidenceRow = Selectable<ReleaseEvidenceTable>

/** Maximum number of issues in the evidence of one release, to bound its size. */
const MAX_ISSUES = 10_000
/** Maximum number of jobs whose reports the evidence links. */
const MAX_JOBS = 1000
/** Number of releases whose evidence one run of the periodic task collects. */
const RELEASES_PER_RUN = 100

/**
 * Collects the evidence of a new release. That of an upcoming release is collected when its time comes
 * (`collectDueEvidence`); a release that records the past has none until someone asks for it.
 */
export async function collectFirstEvidence(
  tx: Transaction,
  release: ReleaseRow,
  externalUrl: string,
): Promise<void> {
  const { id, released_at, created_at } = release
  if (released_at > Date.now()) await setDueTime(tx, id, released_at)
  else if (released_at >= created_at) await collectEvidence(tx, release, externalUrl)
}

/** Follows a change of the time of a release. A release that has evidence, or lies in the past, is left alone. */
export async function followReleaseTime(tx: Transaction, release: ReleaseRow): Promise<void> {
  const isUpcoming = release.released_at > Date.now()
  if (isUpcoming && (await findEvidences(tx, [release.id])).length > 0) return
  if (isUpcoming || release.evidence_due_at !== null) await setDueTime(tx, release.id, release.released_at)
}

/** Collects the evidence of releases whose time has come. Several coordinators may call it at once. */
export async function collectDueEvidence(database: Database, externalUrl: string): Promise<void> {
  const due = await database
    .selectFrom('release')
    .select('id')
    .where('evidence_due_at', '<=', Date.now())
    .orderBy('evidence_due_at')
    .limit(RELEASES_PER_RUN)
    .execute()
  for (const { id } of due) {
    await inTransaction(database, async (tx) => {
      const release = await tx
        .updateTable('release')
        .set({ evidence_due_at: null })
        .where('id', '=', id)
        .where('evidence_due_at', '<=', Date.now())
        .returningAll()
        .executeTakeFirst()
      if (release) await collectEvidence(tx, release, externalUrl)
    })
  }
}

/**
 * Stores a snapshot of the release as it is now. It links the reports of the jobs of the last pipeline of the commit,
 * which do not expire from now on. `externalUrl` has no trailing slash.
 */
export async function collectEvidence(
  tx: Transaction,
  release: ReleaseRow,
  externalUrl: string,
): Promise<EvidenceRow> {
  const summary = JSON.stringify(await summaryOf(tx, release, externalUrl))
  const sha256 = createHash('sha256').update(summary).digest('hex')
  return tx
    .insertInto('release_evidence')
    .values({ release_id: release.id, sha256, summary, collected_at: Date.now() })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Query on the evidence of a release. */
export function evidencesOf(database: Database, releaseId: number) {
  return database.selectFrom('release_evidence').where('release_id', '=', releaseId)
}

/** Evidence of releases without the snapshots, in the order of collection. */
export async function findEvidences(
  database: Database,
  releaseIds: number[],
): Promise<Omit<EvidenceRow, 'summary'>[]> {
  if (releaseIds.length === 0) return []
  return database
    .selectFrom('release_evidence')
    .select(['id', 'release_id', 'sha256', 'collected_at'])
    .where('release_id', 'in', releaseIds)
    .orderBy('id')
    .execute()
}

export function findEvidence(
  database: Database,
  releaseId: number,
  id: number,
): Promise<EvidenceRow | undefined> {
  return evidencesOf(database, releaseId).selectAll().where('id', '=', id).executeTakeFirst()
}

async function setDueTime(tx: Transaction, id: number, evidence_due_at: number): Promise<void> {
  await tx.updateTable('release').set({ evidence_due_at }).where('id', '=', id).execute()
}

/**
 * Everybody who may read the evidence reads all of it, so it has no confidential issues, and none of other
 * projects with the same milestone.
 */
async function summaryOf(tx: Transaction, release: ReleaseRow, externalUrl: string): Promise<object> {
  const project = await tx
    .selectFrom('project')
    .select(['id', 'name', 'description', 'created_at', 'full_path'])
    .where('id', '=', release.project_id)
    .executeTakeFirstOrThrow()
  const milestones = (await milestonesOfReleases(tx, [release.id])).get(release.id) ?? []
  const issues = await issuesOf(
    tx,
    release.project_id,
    milestones.map(({ id }) => id),
  )
  const { full_path, ...shown } = project
  const jobIds = await jobsWithReports(tx, release)
  await keepArtifacts(tx, jobIds)
  return {
    release: {
      id: release.id,
      tag_name: release.tag,
      sha: release.sha,
      name: release.name,
      description: release.description,
      created_at: isoSeconds(release.created_at),
      released_at: isoSeconds(release.released_at),
      project: { ...shown, created_at: isoSeconds(project.created_at) },
      milestones: milestones.map((milestone) => presentMilestone(milestone, issues)),
      report_artifacts: jobIds.map((id) => ({
        url: `${externalUrl}/${full_path}/-/jobs/${id}/artifacts/download`,
      })),
    },
  }
}

/** IDs of the jobs of the last pipeline of the commit that have uploaded an archive and reports. */
async function jobsWithReports(tx: Transaction, { project_id, sha }: ReleaseRow): Promise<number[]> {
  const pipeline = await tx
    .selectFrom('pipeline')
    .select('id')
    .where('project_id', '=', project_id)
    .where('sha', '=', sha)
    .where('source', '<>', 'parent_pipeline')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (!pipeline) return []
  const jobs = await tx
    .selectFrom('job')
    .innerJoin('job_artifact', 'job_artifact.job_id', 'job.id')
    .select('job.id')
    .where('job.pipeline_id', '=', pipeline.id)
    .where('job.retried', '=', false)
    .where('job_artifact.blob_key', '<>', '')
    .groupBy('job.id')
    .having(sql<boolean>`sum(case when job_artifact.file_type = 'archive' then 1 else 0 end) > 0`)
    .having(sql<boolean>`sum(case when job_artifact.file_type = 'archive' then 0 else 1 end) > 0`)
    .orderBy('job.id')
    .limit(MAX_JOBS)
    .execute()
  return jobs.map(({ id }) => id)
}

type EvidenceIssue = Awaited<ReturnType<typeof issuesOf>>[number]

function issuesOf(tx: Transaction, projectId: number, milestoneIds: number[]) {
  return tx
    .selectFrom('issue')
    .innerJoin('user', 'user.id', 'issue.author_id')
    .select(['issue.id', 'issue.iid', 'issue.title', 'issue.state', 'issue.due_date', 'issue.created_at'])
    .select(['issue.milestone_id', 'user.name as author_name'])
    .where('issue.project_id', '=', projectId)
    .where('issue.milestone_id', 'in', milestoneIds)
    .where('issue.confidential', '=', false)
    .orderBy('issue.id')
    .limit(MAX_ISSUES)
    .execute()
}

function presentMilestone(milestone: MilestoneRow, issues: EvidenceIssue[]): object {
  const { id, iid, title, description, state, due_date, created_at } = milestone
  return {
    id,
    iid,
    title,
    description,
    state,
    due_date,
    created_at: isoSeconds(created_at),
    issues: issues
      .filter(({ milestone_id }) => milestone_id === id)
      .map(({ milestone_id: _, ...issue }) => ({ ...issue, created_at: isoSeconds(issue.created_at) })),
  }
}
