import { Type } from 'typebox'

import { type Operation, operation } from '../../http/operation.js'
import { page } from '../../http/page.js'
import { refsContaining } from '../repositories/browse/commit-facts.js'
import { commitById, countCommits } from '../repositories/browse/commit-log.js'
import { DiffEntry, presentDiffs } from '../repositories/browse/diff-record.js'
import { diffOf } from '../repositories/browse/diffs.js'
import { readingFor } from '../repositories/reading-for.js'
import { Signature } from '../signatures/schema.js'
import { commitInPath, commitRecord } from './about-commit.js'
import { commentsOf } from './comments.js'
import { type CommitDeps, commitsOf } from './list-commits.js'
import {
  Comment,
  CommitSha,
  GetCommit,
  GetDiff,
  GetSequence,
  ListCommits,
  ListedCommit,
  ListRefs,
  RefEntry,
  Sequence,
  SingleCommit,
} from './schema.js'
import { signatureOf } from './signature.js'

export function readOperations(deps: CommitDeps): Operation[] {
  return [...commits(deps), ...facts(deps), ...words(deps)]
}

function commits(deps: CommitDeps): Operation[] {
  return [
    operation('GET /projects/:id/repository/commits', {
      summary: 'List repository commits',
      access: 'read_code',
      params: ListCommits,
      responses: { 200: Type.Array(ListedCommit) },
      paginated: true,
      run: async (call) =>
        page(await commitsOf(deps, call.project, readingFor(deps.pushes, call), call.params, call.paging)),
    }),
    operation('GET /projects/:id/repository/commits/:sha', {
      summary: 'Get a commit',
      access: 'read_code',
      params: GetCommit,
      responses: { 200: SingleCommit },
      run: async (call) => commitRecord(deps, call, await commitInPath(deps, call), call.params.stats),
    }),
  ]
}

function facts(deps: CommitDeps): Operation[] {
  return [
    operation('GET /projects/:id/repository/commits/:sha/refs', {
      summary: 'List branches and tags that contain a commit',
      access: 'read_code',
      params: ListRefs,
      responses: { 200: Type.Array(RefEntry) },
      paginated: true,
      run: async (call) => {
        const sha = await commitInPath(deps, call)
        const { type = 'all' } = call.params
        const refs = await refsContaining(
          readingFor(deps.pushes, call),
          sha,
          type === 'all' ? ['branch', 'tag'] : [type],
        )
        const { offset, perPage } = call.paging
        return page(refs.slice(offset, offset + perPage), refs.length)
      },
    }),
    operation('GET /projects/:id/repository/commits/:sha/diff', {
      summary: 'Get the diff of a commit; paginated if page or per_page is given',
      access: 'read_code',
      params: GetDiff,
      responses: { 200: Type.Array(DiffEntry) },
      paginated: true,
      run: async (call) => {
        const reading = readingFor(deps.pushes, call)
        const commit = await commitById(reading, await commitInPath(deps, call))
        const wanted = { from: commit.parentIds[0], to: commit.id, isUnified: call.params.unidiff ?? false }
        const entries = await presentDiffs(reading, commit.id, (await diffOf(reading, wanted)).files)
        if (!namesPage(call.request.query)) return entries
        const { offset, perPage } = call.paging
        return page(entries.slice(offset, offset + perPage), entries.length)
      },
    }),
    operation('GET /projects/:id/repository/commits/:sha/sequence', {
      summary: 'Get the sequence number of a commit',
      access: 'read_code',
      params: GetSequence,
      responses: { 200: Sequence },
      run: async (call) => {
        const sha = await commitInPath(deps, call)
        return {
          count: await countCommits(readingFor(deps.pushes, call), sha, call.params.first_parent ?? false),
        }
      },
    }),
  ]
}

/** Older clients request the whole diff at once, newer ones request pages (API, A7). */
function namesPage(query: unknown): boolean {
  return typeof query === 'object' && query !== null && ('page' in query || 'per_page' in query)
}

function words(deps: CommitDeps): Operation[] {
  return [
    operation('GET /projects/:id/repository/commits/:sha/comments', {
      summary: 'List comments of a commit',
      access: 'read_code',
      params: CommitSha,
      responses: { 200: Type.Array(Comment) },
      paginated: true,
      run: async (call) => {
        const { rows, total } = await commentsOf(
          deps,
          call.project,
          await commitInPath(deps, call),
          call.paging,
        )
        return page(rows, total)
      },
    }),
    operation('GET /projects/:id/repository/commits/:sha/signature', {
      summary: 'Get the signature of a commit',
      access: 'read_code',
      params: CommitSha,
      responses: { 200: Signature },
      run: async (call) => signatureOf(deps, call, await commitInPath(deps, call)),
    }),
  ]
}
