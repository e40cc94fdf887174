import { basename, dirname, extname, join } from 'node:path/posix'

import type { Project } from '../../access/caller.js'
import { listCommits } from '../../hosting/repositories/browse/commit-log.js'
import type { Reading } from '../../hosting/repositories/browse/reading.js'
import { MAIN } from '../../hosting/repositories/change/commit-to-main.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'
import { defaultRevision } from '../../hosting/repositories/revisions.js'
import { headOfWiki } from '../../hosting/wikis/head-of-wiki.js'
import { presentCommit } from '../../http/presenters/present-commit.js'
import { readFileQuery } from './file-query.js'
import { findBlobs } from './find-blobs.js'
import type { FoundBlob } from './schema.js'

export interface RepositorySearchDeps {
  repositories: Pick<Repositories, 'resolveCommit' | 'reading'>
  wikiRepositories: Repositories
  /** Repositories of wikis of groups, by the IDs of these. */
  groupWikiRepositories: Repositories
  externalUrl: string
}

/** What is searched in repositories. */
export type RepositoryScope = 'blobs' | 'commits' | 'wiki_blobs'

export interface RepositorySearch {
  scope: RepositoryScope
  search: string
  /** Branch, tag or commit; the default branch by default. */
  ref?: string | undefined
}

interface Part {
  offset: number
  limit: number
}

/**
 * Searches the repository of a project, or its wiki. The caller must be allowed to read it. Throws 503 if it takes too
 * long.
 */
export async function searchRepository(
  deps: RepositorySearchDeps,
  project: Project,
  { scope, search, ref }: RepositorySearch,
  part: Part,
  signal: AbortSignal,
): Promise<object[]> {
  if (scope === 'wiki_blobs') {
    return searchWiki(
      deps.wikiRepositories,
      project.id,
      { project_id: project.id },
      { search, ref },
      part,
      signal,
    )
  }
  const sha = await deps.repositories.resolveCommit(project.id, ref ?? defaultRevision(project))
  if (sha === undefined) return []
  const reading = deps.repositories.reading(project.id, signal)
  if (scope === 'commits') return searchCommits(deps, project, { reading, sha, search }, part)
  return searchBlobs(
    { project_id: project.id },
    { reading, sha, ref: ref ?? project.default_branch ?? 'HEAD', search },
    part,
  )
}

/** Searches the wiki of a group. The caller must be allowed to read it. Throws 503 if it takes too long. */
export function searchGroupWiki(
  { groupWikiRepositories }: RepositorySearchDeps,
  groupId: number,
  search: string,
  part: Part,
  signal: AbortSignal,
): Promise<object[]> {
  const of = { project_id: null, group_id: groupId }
  return searchWiki(groupWikiRepositories, groupId, of, { search }, part, signal)
}

/** What has the repository of a found file. */
type FoundIn = Pick<FoundBlob, 'project_id' | 'group_id'>

async function searchWiki(
  wikiRepositories: Repositories,
  ownerId: number,
  of: FoundIn,
  { search, ref }: Omit<RepositorySearch, 'scope'>,
  part: Part,
  signal: AbortSignal,
): Promise<object[]> {
  const head = await headOfWiki(wikiRepositories, ownerId)
  if (head === undefined) return []
  const sha = ref === undefined ? head : await wikiRepositories.resolveCommit(ownerId, ref)
  if (sha === undefined) return []
  const reading = wikiRepositories.reading(ownerId, signal)
  return searchBlobs(of, { reading, sha, ref: ref ?? MAIN, search }, part)
}

interface CommitSearch {
  reading: Reading
  sha: string
  search: string
}

/** By message, or by ID. */
async function searchCommits(
  { externalUrl, repositories }: RepositorySearchDeps,
  project: Project,
  { reading, sha, search }: CommitSearch,
  { offset, limit: most }: Part,
): Promise<object[]> {
  const named = /^[0-9a-f]{7,40}$/.test(search)
    ? await repositories.resolveCommit(project.id, search)
    : undefined
  const isId = named?.startsWith(search) ?? false
  const range = { include: [isId && named !== undefined ? named : sha], exclude: [] }
  const limit = isId ? Math.max(0, 1 - offset) : most
  const message = isId ? undefined : search
  const commits = limit === 0 ? [] : await listCommits(reading, range, { message }, { offset, limit })
  return commits.map((commit) => ({
    ...presentCommit(commit, `${externalUrl}/${project.full_path}`),
    project_id: project.id,
  }))
}

async function searchBlobs(
  of: FoundIn,
  { reading, sha, ref, search }: CommitSearch & { ref: string },
  part: Part,
): Promise<FoundBlob[]> {
  const found = await findBlobs(reading, sha, readFileQuery(search), part)
  return found.map(({ path, startline, lines }) => ({
    basename: withoutExtension(path),
    data: lines.map((line) => `${line}\n`).join(''),
    path,
    filename: path,
    id: null,
    ref,
    startline,
    ...of,
  }))
}

function withoutExtension(path: string): string {
  return join(dirname(path), basename(path, extname(path)))
}
