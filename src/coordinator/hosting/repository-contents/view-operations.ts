import { Readable } from 'node:stream'

import { Type } from 'typebox'

import { isObjectId } from '../../../git/names.js'
import { isNamedBy } from '../../http/entity-tag.js'
import { notFound } from '../../http/errors.js'
import { NoBody, type Operation, operation, respond, stream } from '../../http/operation.js'
import type { PushDeps } from '../repositories/push/handle-push.js'
import { readingFor } from '../repositories/reading-for.js'
import { defaultRevision, requireCommit } from '../repositories/revisions.js'
import { allPaths } from './all-paths.js'
import { requireFolder } from './browse.js'
import { renderFile } from './rendered.js'
import { treeCommitLines } from './tree-commits.js'
import { GetPaths, GetRendered, GetTreeCommits, RenderedFile, RepositoryPaths } from './view-schema.js'

export interface ViewDeps {
  pushes: PushDeps
  /** Without a trailing slash. */
  externalUrl: string
}

/** What pages show of a repository beside its files (API, N10). */
export function viewOperations({ pushes, externalUrl }: ViewDeps): Operation[] {
  const { repositories } = pushes
  return [
    operation('GET /projects/:id/repository/tree_commits', {
      summary: 'Get the last commit of each entry of a folder',
      access: 'read_code',
      params: GetTreeCommits,
      responses: { 200: Type.Unknown({ description: 'JSON lines, one for each entry, as they are found' }) },
      run: async ({ project, params, reply }) => {
        const reading = readingFor(pushes, { project, reply })
        const folder = await requireFolder(pushes, project, reading, params)
        return stream(Readable.from(treeCommitLines(reading, folder)), 'application/x-ndjson', {
          'cache-control': 'no-cache',
        })
      },
    }),
    operation('GET /projects/:id/repository/rendered', {
      summary: 'Get a file or the README of a folder as HTML',
      access: 'read_code',
      params: GetRendered,
      exclusive: [['path', 'dir']],
      responses: { 200: RenderedFile },
      cacheable: ({ ref }) => ref !== undefined && isObjectId(ref),
      run: ({ project, params, reply }) =>
        renderFile({ repositories, externalUrl }, project, readingFor(pushes, { project, reply }), params),
    }),
    operation('GET /projects/:id/repository/paths', {
      summary: 'List the paths of all files of a commit',
      access: 'read_code',
      params: GetPaths,
      responses: { 200: RepositoryPaths, 304: NoBody },
      run: async ({ project, params: { ref }, request, reply }) => {
        const sha = await requireCommit(repositories, project, ref || defaultRevision(project), () =>
          notFound('Tree'),
        )
        const headers = { etag: `W/"${sha}.paths"`, 'cache-control': 'max-age=0, private, must-revalidate' }
        if (isNamedBy(headers.etag, request.headers['if-none-match'])) return respond(304, undefined, headers)
        return stream(
          Readable.from(allPaths(readingFor(pushes, { project, reply }), sha)),
          'application/json',
          headers,
        )
      },
    }),
  ]
}
