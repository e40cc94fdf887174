import { Readable } from 'node:stream'

import type { FastifyReply } from 'fastify'
import { Type } from 'typebox'

import { may } from '../../../access/access.js'
import type { Project } from '../../../access/caller.js'
import { findDeployment } from '../../../ci/deployments/store.js'
import { listCommits } from '../../../hosting/repositories/browse/commit-log.js'
import { DiffEntry, presentDiffs } from '../../../hosting/repositories/browse/diff-record.js'
import { diffOf, diffPageOf } from '../../../hosting/repositories/browse/diffs.js'
import { bytes, type Reading } from '../../../hosting/repositories/browse/reading.js'
import { readingFor } from '../../../hosting/repositories/reading-for.js'
import type { Repositories } from '../../../hosting/repositories/repositories.js'
import { requireCommit } from '../../../hosting/repositories/revisions.js'
import { notFound } from '../../../http/errors.js'
import { type Operation, operation, stream } from '../../../http/operation.js'
import { page } from '../../../http/page.js'
import { CommitBrief, presentCommit } from '../../../http/presenters/present-commit.js'
import { isoTime } from '../../../http/presenters/present-time.js'
import type { CallerInProject } from '../../access/issue-access.js'
import { requireMergeRequest } from '../../access/merge-request-access.js'
import {
  findVersionOf,
  latestVersion,
  listVersions,
  type VersionRow,
} from '../../stores/merge-request-store.js'
import { pageOfListed } from '../listed-record.js'
import { ListedMergeRequest } from '../record-schema.js'
import { ByIid } from '../schema.js'
import { singleMergeRequest, type SingleRecordDeps } from '../single-record.js'
import { deployedBy } from './deployed.js'
import { mergeRequestsWith } from './merge-requests-with.js'
import {
  Changes,
  DiffVersion,
  GetChanges,
  GetVersion,
  ListDiffs,
  OfCommit,
  OfDeployment,
  SingleDiffVersion,
} from './schema.js'

export interface DiffDeps extends SingleRecordDeps {
  repositories: Pick<Repositories, 'reading' | 'resolveCommit' | 'withSlot' | 'path'>
}

/** Versions, commits and changed files of merge requests (API, F4), as of the last push to the source branch. */
export function mergeRequestDiffOperations(deps: DiffDeps): Operation[] {
  return [...versionOperations(deps), ...contentOperations(deps), ofCommit(deps), ofDeployment(deps)]
}

function versionOperations(deps: DiffDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/merge_requests/:merge_request_iid/versions', {
      summary: 'List the versions of a merge request',
      access: 'read_merge_requests',
      params: ByIid,
      responses: { 200: Type.Array(DiffVersion) },
      paginated: true,
      run: async (call) => {
        const { id } = await requireMergeRequest(database, call, call.params.merge_request_iid)
        const { rows, total } = await listVersions(database, id, call.paging)
        return page(rows.map(presentVersion), total)
      },
    }),
    operation('GET /projects/:id/merge_requests/:merge_request_iid/versions/:version_id', {
      summary: 'Get a version of a merge request',
      access: 'read_merge_requests',
      params: GetVersion,
      responses: { 200: SingleDiffVersion },
      run: async (call) => {
        const { merge_request_iid, version_id, unidiff } = call.params
        const { id } = await requireMergeRequest(database, call, merge_request_iid)
        const version = await findVersionOf(database, id, version_id)
        if (!version) throw notFound()
        const reading = readingFor(deps, call)
        const { files } = await diffOf(reading, differenceOf(version, unidiff))
        return {
          ...presentVersion(version),
          commits: await commitsOf(deps, call.project, reading, version, { offset: 0, limit: MAX_COMMITS }),
          diffs: await presentDiffs(reading, version.head_sha, files),
        }
      },
    }),
    operation('GET /projects/:id/merge_requests/:merge_request_iid/commits', {
      summary: 'List the commits of a merge request',
      access: 'read_merge_requests',
      params: ByIid,
      responses: { 200: Type.Array(CommitBrief) },
      paginated: true,
      run: async (call) => {
        const latest = await latestChanges(deps, call, call.params.merge_request_iid)
        if (!latest) return page([], 0)
        const { version, reading } = latest
        const { offset, perPage: limit } = call.paging
        const commits = await commitsOf(deps, call.project, reading, version, { offset, limit })
        return page(commits, version.commit_count)
      },
    }),
  ]
}

function contentOperations(deps: DiffDeps): Operation[] {
  const { database } = deps
  return [
    operation('GET /projects/:id/merge_requests/:merge_request_iid/changes', {
      summary: 'Get a merge request with its changed files; large ones are read in pages of `diffs`',
      access: 'read_merge_requests',
      params: GetChanges,
      responses: { 200: Changes },
      run: async (call) => {
        const row = await requireMergeRequest(database, call, call.params.merge_request_iid)
        const record = await singleMergeRequest(deps, row, call)
        const version = await latestVersion(database, row.id)
        if (!version) return { ...record, changes: [], overflow: false }
        const reading = readingFor(deps, call)
        const { files, isCut } = await diffOf(reading, differenceOf(version, call.params.unidiff))
        const overflow = isCut || files.some(({ isTooLarge }) => isTooLarge)
        const changes = await presentDiffs(reading, version.head_sha, files)
        return { ...record, changes, overflow }
      },
    }),
    operation('GET /projects/:id/merge_requests/:merge_request_iid/diffs', {
      summary: 'List the changed files of a merge request',
      access: 'read_merge_requests',
      params: ListDiffs,
      responses: { 200: Type.Array(DiffEntry) },
      paginated: true,
      run: async (call) => {
        const latest = await latestChanges(deps, call, call.params.merge_request_iid)
        if (!latest) return page([], 0)
        const { version, reading } = latest
        const wanted = differenceOf(version, call.params.unidiff)
        const { files, total } = await diffPageOf(reading, wanted, call.paging)
        return page(await presentDiffs(reading, version.head_sha, files), total)
      },
    }),
    operation('GET /projects/:id/merge_requests/:merge_request_iid/raw_diffs', {
      summary: 'Get the changes of a merge request as a patch',
      access: 'read_merge_requests',
      params: ByIid,
      responses: { 200: Type.String({ description: 'Unified diff' }) },
      run: async (call) => {
        const latest = await latestChanges(deps, call, call.params.merge_request_iid)
        const patch = latest ? patchOf(latest.reading, latest.version) : []
        const headers = { 'content-disposition': 'inline' }
        return stream(Readable.from(patch), 'text/plain; charset=utf-8', headers)
      },
    }),
  ]
}

function ofCommit(deps: DiffDeps): Operation {
  return operation('GET /projects/:id/repository/commits/:sha/merge_requests', {
    summary: 'List the merge requests with a commit',
    access: 'read_merge_requests',
    params: OfCommit,
    responses: { 200: Type.Array(ListedMergeRequest) },
    paginated: true,
    run: async (call) => {
      const { project, params } = call
      const sha = await requireCommit(deps.repositories, project, params.sha)
      const state = params.state ?? 'all'
      const all = await mergeRequestsWith(deps, project, sha)
      const rows = all.filter((row) => state === 'all' || row.state === state)
      return pageOfListed(deps, call, rows, call)
    },
  })
}

function ofDeployment(deps: DiffDeps): Operation {
  const { database } = deps
  return operation('GET /projects/:id/deployments/:deployment_id/merge_requests', {
    summary: 'List the merge requests that a deployment has brought',
    access: 'read_environments',
    params: OfDeployment,
    responses: { 200: Type.Array(ListedMergeRequest) },
    paginated: true,
    run: async (call) => {
      const { project, params } = call
      const deployment = await findDeployment(database, project.id, params.deployment_id)
      if (!deployment) throw notFound('Deployment')
      if (!may('read_merge_requests', call)) return page([], 0)
      const rows = await deployedBy(deps, deployment)
      return pageOfListed(deps, call, rows, call)
    },
  })
}

/** Most commits that one version shows. */
const MAX_COMMITS = 1000

/** The latest version of a merge request, and where its commits are read; undefined before the first version. */
async function latestChanges(
  deps: DiffDeps,
  call: CallerInProject & { reply: FastifyReply },
  iid: number,
): Promise<{ version: VersionRow; reading: Reading } | undefined> {
  const { id } = await requireMergeRequest(deps.database, call, iid)
  const version = await latestVersion(deps.database, id)
  return version && { version, reading: readingFor(deps, call) }
}

function differenceOf({ base_sha, head_sha }: VersionRow, isUnified = false) {
  return { from: base_sha, to: head_sha, isUnified }
}

async function commitsOf(
  { externalUrl }: DiffDeps,
  project: Project,
  reading: Reading,
  { start_sha, head_sha }: VersionRow,
  part: { offset: number; limit: number },
): Promise<CommitBrief[]> {
  const range = { include: [head_sha], exclude: [start_sha] }
  const commits = await listCommits(reading, range, {}, part)
  return commits.map((commit) => presentCommit(commit, `${externalUrl}/${project.full_path}`))
}

function patchOf(reading: Reading, { base_sha, head_sha }: VersionRow): AsyncIterable<Buffer> {
  return bytes(reading, ['diff-tree', '-r', '-p', '-M', '--full-index', '--no-commit-id', base_sha, head_sha])
}

function presentVersion(row: VersionRow): DiffVersion {
  return {
    id: row.id,
    head_commit_sha: row.head_sha,
    base_commit_sha: row.base_sha,
    start_commit_sha: row.start_sha,
    created_at: isoTime(row.created_at),
    merge_request_id: row.merge_request_id,
    state: 'collected',
    real_size: String(row.file_count),
    patch_id_sha: null,
  }
}
