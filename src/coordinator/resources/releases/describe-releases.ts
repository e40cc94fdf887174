import type { Commit } from '../../../git/parse-commit.js'
import type { Database } from '../../database/connect.js'
import type { Project, User } from '../../http/operation.js'
import { presentCommit } from '../../http/present-commit.js'
import { isoTime } from '../../http/present-time.js'
import { presentUser } from '../../http/present-user.js'
import type { Release, ReleaseLink } from './schema.js'
import { findUsers, type LinkRow, linksOf, type ReleaseRow } from './store.js'

export interface DescribeReleasesDeps {
  database: Database
  repositories: { readCommit(projectId: number, sha: string): Promise<Commit> }
  /** Public address without a trailing slash. */
  externalUrl: string
}

interface Around {
  project: Project
  projectUrl: string
  externalUrl: string
  author: User | undefined
  /** Undefined for those who may not read code. */
  commit: Commit | undefined
  links: LinkRow[]
}

const SOURCE_FORMATS = ['zip', 'tar.gz', 'tar.bz2', 'tar']

/** Public records, in the same order; `showsCode` for those who may read it (API gaps, part J). */
export async function describeReleases(
  { database, repositories, externalUrl }: DescribeReleasesDeps,
  project: Project,
  rows: ReleaseRow[],
  showsCode: boolean,
): Promise<Release[]> {
  const links = await linksOf(
    database,
    rows.map(({ id }) => id),
  )
  const authors = await findUsers(database, [...new Set(rows.flatMap(({ author_id }) => author_id ?? []))])
  return Promise.all(
    rows.map(async (row) =>
      presentRelease(row, {
        project,
        externalUrl,
        projectUrl: `${externalUrl}/${project.full_path}`,
        author: authors.find(({ id }) => id === row.author_id),
        commit: showsCode ? await repositories.readCommit(project.id, row.sha) : undefined,
        links: links.filter(({ release_id }) => release_id === row.id),
      }),
    ),
  )
}

function presentRelease(row: ReleaseRow, around: Around): Release {
  const { tag, name, description, sha } = row
  const { project, projectUrl, externalUrl, author, commit, links } = around
  const tagPath = encodeURIComponent(tag)
  const sources = SOURCE_FORMATS.map((format) => ({
    format,
    url: `${projectUrl}/-/archive/${tagPath}/${project.path}-${tag.replaceAll('/', '-')}.${format}`,
  }))
  return {
    ...{ tag_name: tag, name, description },
    created_at: isoTime(row.created_at),
    released_at: isoTime(row.released_at),
    upcoming_release: row.released_at > Date.now(),
    author: author ? presentUser(author, externalUrl) : null,
    ...(commit && {
      commit: presentCommit(commit, projectUrl),
      commit_path: `/${project.full_path}/-/commit/${sha}`,
      tag_path: `/${project.full_path}/-/tags/${tagPath}`,
    }),
    milestones: [],
    assets: {
      count: links.length + (commit ? sources.length : 0),
      ...(commit && { sources }),
      links: links.map((link) => presentLink(link, projectUrl, tag)),
    },
    evidences: [],
    _links: { self: `${projectUrl}/-/releases/${tagPath}` },
  }
}

/** Links with a path are reached below the release. */
export function presentLink(link: LinkRow, projectUrl: string, tag: string): ReleaseLink {
  const { id, name, url, link_type, filepath } = link
  const direct = filepath && `${projectUrl}/-/releases/${encodeURIComponent(tag)}/downloads${filepath}`
  return { id, name, url, external: true, link_type, direct_asset_url: direct ?? url }
}
