import { buffer } from 'node:stream/consumers'

import { may } from '../../access/access.js'
import type { Project, User } from '../../access/caller.js'
import { createProjectLevelsReader, highest } from '../../access/membership-levels.js'
import { blobBytes } from '../repositories/browse/blobs.js'
import type { Reading } from '../repositories/browse/reading.js'
import { listRefNames } from '../repositories/browse/ref-lists.js'
import { findEntry } from '../repositories/browse/tree-entries.js'
import type { PushDeps } from '../repositories/push/handle-push.js'
import { commitOfRef, defaultRevision } from '../repositories/revisions.js'
import { ChangelogError } from './errors.js'
import { type MergedRequest, originsOf } from './origins.js'
import { previousTag } from './previous-tag.js'
import { type ChangelogConfig, MAX_CONFIG_BYTES, readConfig } from './read-config.js'
import type { GetChangelog } from './schema.js'
import { type Entry, sectionOf } from './section.js'
import { type Author, authorsByEmail, membersOfGroups, mergedRequestsAt } from './store.js'
import type { TemplateValue } from './template/render-template.js'
import { type RangeCommit, type TrailedCommit, trailedCommits } from './trailed-commits.js'

export interface ChangelogDeps {
  pushes: PushDeps
  externalUrl: string
}

/** The user who generates a changelog, and its project. */
export interface ChangelogCall {
  project: Project
  user: User | undefined
  accessLevel: number
  membership: number
  reading: Reading
}

const CONFIG_FILE = '.gitlab/changelog_config.yml'

/** The new section of a changelog (API, E7). Throws `ChangelogError` with the reason if there can be none. */
export async function generateSection(
  deps: ChangelogDeps,
  call: ChangelogCall,
  params: GetChangelog & { to: string },
): Promise<string> {
  const { version, date, trailer = 'Changelog' } = params
  const config = await configOf(deps, call, params)
  const to = await commitNamed(deps, call, params.to)
  const from = await commitNamed(deps, call, params.from || (await startOf(call, version, config)))
  const { all, trailed } = await trailedCommits(call.reading, { from, to }, trailer)
  const entries = await entriesOf(deps, call, { config, all, trailed, trailer })
  return sectionOf(config, { version, date: date === undefined ? new Date() : new Date(date), entries })
}

async function configOf(
  { pushes: { repositories } }: ChangelogDeps,
  { project, reading }: ChangelogCall,
  { config_file: path = CONFIG_FILE, config_file_ref: ref }: GetChangelog,
): Promise<ChangelogConfig> {
  const sha = await repositories.resolveCommit(project.id, ref || defaultRevision(project))
  const entry = sha === undefined ? undefined : await findEntry(reading, sha, path)
  if (entry?.type !== 'blob') return readConfig(undefined)
  if (entry.size > MAX_CONFIG_BYTES)
    throw new ChangelogError(`${path} is larger than ${MAX_CONFIG_BYTES} bytes`)
  const content = await buffer(blobBytes(reading, entry))
  return readConfig(content.toString())
}

async function commitNamed(
  { pushes: { repositories } }: ChangelogDeps,
  { project }: ChangelogCall,
  revision: string,
): Promise<string> {
  const sha = await repositories.resolveCommit(project.id, revision)
  if (sha === undefined) throw new ChangelogError(`The revision ${revision} does not exist`)
  return sha
}

/** The full name of the tag of the last release. */
async function startOf(
  { reading }: ChangelogCall,
  version: string,
  config: ChangelogConfig,
): Promise<string> {
  const tags = await listRefNames(reading, 'tag', {
    order: 'name',
    isDescending: false,
    isWanted: () => true,
  })
  const tag = previousTag(tags, version, config.tagRegex)
  if (tag !== undefined) return `refs/tags/${tag}`
  throw new ChangelogError(
    'The commit start range is unspecified, and no previous tag could be found to use instead',
  )
}

interface Found {
  config: ChangelogConfig
  all: RangeCommit[]
  trailed: TrailedCommit[]
  trailer: string
}

async function entriesOf(
  deps: ChangelogDeps,
  call: ChangelogCall,
  { config, all, trailed, trailer }: Found,
): Promise<Entry[]> {
  const { project, user } = call
  const { database } = deps.pushes
  const origins = may('read_merge_requests', call)
    ? originsOf(
        all,
        await mergedRequestsAt(
          database,
          project.id,
          all.map(({ id }) => id),
        ),
      )
    : new Map<string, MergedRequest>()
  const emails = trailed.map(({ authorEmail }) => authorEmail)
  const authors = await authorsByEmail(database, emails)
  const credited = await membersOfGroups(database, config.includeGroups, user)
  const members = await membersAmong(deps, project, authors)
  const url = `${deps.externalUrl}/${project.full_path}/-`
  return trailed.map((commit) => {
    const author = authors.get(commit.authorEmail.toLowerCase())
    const origin = origins.get(commit.id)
    return {
      category: commit.trailers[trailer] ?? '',
      data: {
        title: commit.title,
        commit: {
          reference: `${project.full_path}@${commit.id}`,
          web_url: `${url}/commit/${commit.id}`,
          trailers: commit.trailers,
        },
        ...(author && { author: presentAuthor(author, { members, credited }) }),
        ...(origin && {
          merge_request: {
            reference: `${project.full_path}!${origin.iid}`,
            web_url: `${url}/merge_requests/${origin.iid}`,
          },
        }),
      },
    }
  })
}

function presentAuthor(
  { id, username }: Author,
  { members, credited }: { members: ReadonlySet<number>; credited: ReadonlySet<number> },
): TemplateValue {
  const contributor = !members.has(id)
  return { reference: `@${username}`, contributor, credit: contributor || credited.has(id) }
}

/** IDs of the authors who are members of the project. */
async function membersAmong(
  { pushes: { database } }: ChangelogDeps,
  project: Project,
  authors: ReadonlyMap<string, Author>,
): Promise<Set<number>> {
  const levelsOf = createProjectLevelsReader(database)
  const members = new Set<number>()
  for (const id of new Set([...authors.values()].map((author) => author.id))) {
    if (highest(await levelsOf(id, project)) > 0) members.add(id)
  }
  return members
}

/** The tip of a branch. Throws `ChangelogError` if there is no such branch. */
export async function tipOf({ pushes }: ChangelogDeps, project: Project, branch: string): Promise<string> {
  const tip = await commitOfRef(pushes.repositories, project, 'branch', branch)
  if (tip === undefined) throw new ChangelogError(`The branch ${branch} does not exist`)
  return tip
}
