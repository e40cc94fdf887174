import { relative } from 'node:path'
import { Readable } from 'node:stream'

import { Type } from 'typebox'

import { writeTar } from '../../../archive/tar-writer.js'
import type { Project } from '../../access/caller.js'
import { notFound } from '../../http/errors.js'
import { disposition } from '../../http/header-text.js'
import { type Operation, operation, stream } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { tokenPage } from '../../http/paging/token-paging.js'
import { CommitRecord, presentCommitRecord } from '../../http/presenters/present-commit.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { CallLimit } from '../../http/rate-limits/call-limit.js'
import { commitById } from '../repositories/browse/commit-log.js'
import { listTree, listTreeAfter } from '../repositories/browse/list-tree.js'
import { isRepository } from '../repositories/is-repository.js'
import { readingFor } from '../repositories/reading-for.js'
import type { Repositories } from '../repositories/repositories.js'
import {
  blobResponse,
  presentEntry,
  rawBlobResponse,
  requireBlob,
  requireFolder,
  treeOptions,
} from './browse.js'
import { compare, type CompareDeps, mergeBaseOf } from './compare.js'
import { listContributors } from './contributors.js'
import {
  BlobRecord,
  BlobSha,
  Comparison,
  ContributorRecord,
  GetArchive,
  GetCompare,
  GetMergeBase,
  GetSnapshot,
  GetStorage,
  GetTree,
  ListContributors,
  RepositoryStorage,
  TreeEntry,
} from './schema.js'
import { archiveResponse } from './send-archive.js'
import { viewOperations } from './view-operations.js'

export interface RepositoryDeps extends CompareDeps {
  /** Maximum number of archives per minute, for one caller and one project; 0 = unlimited (API, E5). */
  archivesPerMinute: number
  wikiRepositories: Repositories
  /** Finds a project by ID or full path. */
  findProject: (idOrPath: string) => Promise<Project | undefined>
}

const BYTES = Type.Unknown({ description: 'Content' })

/** Trees, blobs, archives, comparisons and history of a repository (API, E5). */
export function repositoryOperations(deps: RepositoryDeps): Operation[] {
  return [
    tree(deps),
    ...viewOperations(deps),
    ...blobs(deps),
    ...archives(deps),
    ...histories(deps),
    snapshot(deps),
    storage(deps),
  ]
}

function tree({ pushes, externalUrl }: RepositoryDeps): Operation {
  return operation('GET /projects/:id/repository/tree', {
    summary: 'List a repository tree',
    access: 'read_code',
    scopes: ['mcp'],
    params: GetTree,
    responses: { 200: Type.Array(TreeEntry) },
    paginated: true,
    run: async ({ project, params, paging: { offset, perPage: limit }, request, reply }) => {
      const reading = readingFor(pushes, { project, reply })
      const folder = treeOptions(await requireFolder(pushes, project, reading, params), params.recursive)
      if (params.pagination === 'keyset') {
        const { rows, next } = await listTreeAfter(reading, folder, { token: params.page_token, limit })
        return tokenPage(rows.map(presentEntry), next, { request, externalUrl })
      }
      const { rows, total } = await listTree(reading, folder, { offset, limit })
      return page(rows.map(presentEntry), total)
    },
  })
}

function blobs({ pushes }: RepositoryDeps): Operation[] {
  return [
    operation('GET /projects/:id/repository/blobs/:sha', {
      summary: 'Get a blob',
      access: 'read_code',
      scopes: ['read_repository'],
      params: BlobSha,
      responses: { 200: BlobRecord },
      run: async ({ project, params, reply }) => {
        const reading = readingFor(pushes, { project, reply })
        return blobResponse(reading, await requireBlob(reading, params.sha))
      },
    }),
    operation('GET /projects/:id/repository/blobs/:sha/raw', {
      summary: 'Get the raw content of a blob',
      access: 'read_code',
      scopes: ['read_repository'],
      params: BlobSha,
      responses: { 200: BYTES },
      run: async ({ project, params, reply }) => {
        const reading = readingFor(pushes, { project, reply })
        return rawBlobResponse(reading, await requireBlob(reading, params.sha))
      },
    }),
  ]
}

/** Operations with and without the format as extension of the URL. */
function archives({ pushes, archivesPerMinute }: RepositoryDeps): Operation[] {
  // Limit per minute, shared by both URLs.
  const limit = archivesPerMinute > 0 ? new CallLimit(archivesPerMinute, 60_000, 'archive') : undefined
  return (
    ['GET /projects/:id/repository/archive', 'GET /projects/:id/repository/archive.:format'] as const
  ).map((route) =>
    operation(route, {
      summary: 'Get an archive of the repository files',
      access: 'read_code',
      scopes: ['read_repository'],
      params: GetArchive,
      responses: { 200: BYTES },
      run: async ({ project, user, params, request, reply }) => {
        const { sha: revision, format, path } = params
        const reading = readingFor(pushes, { project, reply })
        const isHead = request.method === 'HEAD'
        if (!isHead) limit?.take(`${user?.id ?? request.ip} ${project.id}`)
        return archiveResponse(pushes.repositories, project, reading, { revision, format, path, isHead })
      },
    }),
  )
}

function histories(deps: RepositoryDeps): Operation[] {
  const { pushes, externalUrl } = deps
  return [
    operation('GET /projects/:id/repository/compare', {
      summary: 'Compare branches, tags or commits',
      access: 'read_code',
      scopes: ['mcp'],
      params: GetCompare,
      responses: { 200: Comparison },
      run: ({ project, caller, user, params, reply }) =>
        compare(deps, { project, caller, user, reading: readingFor(pushes, { project, reply }) }, params),
    }),
    operation('GET /projects/:id/repository/contributors', {
      summary: 'List contributors',
      access: 'read_code',
      params: ListContributors,
      responses: { 200: Type.Array(ContributorRecord) },
      paginated: true,
      run: async ({ project, params, paging, reply }) => {
        const reading = readingFor(pushes, { project, reply })
        const { rows, total } = await listContributors(pushes, project, reading, params, paging)
        return page(rows, total)
      },
    }),
    operation('GET /projects/:id/repository/merge_base', {
      summary: 'Get the merge base of refs',
      access: 'read_code',
      params: GetMergeBase,
      responses: { 200: CommitRecord },
      run: async ({ project, params, reply }) => {
        const reading = readingFor(pushes, { project, reply })
        const base = await mergeBaseOf(pushes, project, reading, params.refs)
        return presentCommitRecord(await commitById(reading, base), `${externalUrl}/${project.full_path}`)
      },
    }),
  ]
}

const TAR = 'application/x-tar'

function snapshot({ pushes, wikiRepositories, findProject }: RepositoryDeps): Operation {
  return operation('GET /projects/:id/snapshot', {
    summary: 'Get a snapshot of the git repository, as tar',
    access: 'administrator',
    params: GetSnapshot,
    responses: { 200: BYTES },
    run: async ({ params, request }) => {
      const project = await findProject(params.id)
      if (!project) throw notFound('Project')
      const name = `${project.path}${params.wiki ? '.wiki' : ''}.git`
      const headers = { 'content-disposition': disposition('attachment', `${name}.tar`) }
      const root = (params.wiki ? wikiRepositories : pushes.repositories).path(project.id)
      if (!(await isRepository(root))) throw notFound('Repository')
      if (request.method === 'HEAD') return stream(Readable.from([]), TAR, headers)
      const owner = { uid: 0, gid: 0 }
      return stream(writeTar([{ kind: 'tree', name, owner, root }]), TAR, headers)
    },
  })
}

function storage({ pushes: { repositories }, findProject }: RepositoryDeps): Operation {
  return operation('GET /projects/:id/storage', {
    summary: 'Get the place of the git repository on the disk',
    access: 'administrator',
    params: GetStorage,
    responses: { 200: RepositoryStorage },
    run: async ({ params }) => {
      const project = await findProject(params.id)
      if (!project) throw notFound('Project')
      return {
        project_id: project.id,
        disk_path: relative(repositories.root, repositories.path(project.id)).replace(/\.git$/, ''),
        created_at: isoTime(project.created_at),
        repository_storage: 'default',
      }
    },
  })
}
