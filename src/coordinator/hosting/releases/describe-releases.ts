import type { Commit } from '../../../git/parse-commit.js'
import { renderMarkdown } from '../../../lib/markdown/render-markdown.js'
import type { Project, User } from '../../access/caller.js'
import { readableCommit } from '../../ci/engine/readable-commit.js'
import type { Database } from '../../database/connect.js'
import { presentCommit } from '../../http/presenters/present-commit.js'
import { type Milestone, presentMilestones } from '../../http/presenters/present-milestone.js'
import { isoTime } from '../../http/presenters/present-time.js'
import { presentUser } from '../../http/presenters/present-user.js'
import { usersById } from '../../http/presenters/users-by-id.js'
import { milestonesOfReleases } from '../milestone-store.js'
import { type EvidenceRow, findEvidences } from '../release-evidence.js'
import { type LinkRow, linksOfReleases, type ReleaseRow } from '../release-store.js'
import type { Release, ReleaseLink } from './schema.js'

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
  /** Undefined for callers who may not read code. */
  commit: Commit | undefined
  links: LinkRow[]
  milestones: Milestone[]
  /** Undefined if it was not requested. */
  html: string | undefined
  /** Left out for callers who may not read it. */
  evidences: Omit<EvidenceRow, 'summary'>[]
}

const SOURCE_FORMATS = ['zip', 'tar.gz', 'tar.bz2', 'tar']

/** A release, and whether the caller may read the code of its project. */
export interface ReleaseOfProject {
  row: ReleaseRow
  project: Project
  showsCode: boolean
  /** Whether the caller may read the milestones of the project. */
  showsMilestones: boolean
  /** Whether the caller may read the evidence, which shows issues. */
  showsEvidence?: boolean | undefined
  /** Whether to render the notes as HTML too; default true. */
  showsHtml?: boolean | undefined
}

/** Public records, in the order of the releases (API, J). */
export async function describeReleases(
  { database, repositories, externalUrl }: DescribeReleasesDeps,
  releases: ReleaseOfProject[],
): Promise<Release[]> {
  const rows = releases.map(({ row }) => row)
  const links = await linksOfReleases(
    database,
    rows.map(({ id }) => id),
  )
  const authors = await usersById(
    database,
    rows.map(({ author_id }) => author_id),
  )
  const html = await renderNotes(releases)
  const evidences = await findEvidences(
    database,
    releases.filter(({ showsEvidence }) => showsEvidence).map(({ row }) => row.id),
  )
  const milestones = await milestonesShown(database, externalUrl, releases)
  return Promise.all(
    releases.map(async ({ row, project, showsCode }) =>
      presentRelease(row, {
        project,
        externalUrl,
        projectUrl: `${externalUrl}/${project.full_path}`,
        author: authors.get(row.author_id ?? 0),
        commit: showsCode ? await readableCommit(repositories, project.id, row.sha) : undefined,
        links: links.filter(({ release_id }) => release_id === row.id),
        milestones: milestones.get(row.id) ?? [],
        html: html.get(row.id),
        evidences: evidences.filter(({ release_id }) => release_id === row.id),
      }),
    ),
  )
}

/** Records of the milestones that the caller may read, by release ID. */
async function milestonesShown(
  database: Database,
  externalUrl: string,
  releases: ReleaseOfProject[],
): Promise<Map<number, Milestone[]>> {
  const shown = releases.filter(({ showsMilestones }) => showsMilestones).map(({ row }) => row.id)
  const rows = await milestonesOfReleases(database, shown)
  const records = await presentMilestones(database, externalUrl, [...rows.values()].flat())
  const byId = new Map(records.map((record) => [record.id, record]))
  return new Map([...rows].map(([release, its]) => [release, its.flatMap(({ id }) => byId.get(id) ?? [])]))
}

/** Rendered notes by release ID. */
async function renderNotes(releases: ReleaseOfProject[]): Promise<Map<number, string>> {
  const html = new Map<number, string>()
  for (const { row, showsHtml = true } of releases) {
    if (!showsHtml) continue
    html.set(row.id, await renderMarkdown(row.description ?? ''))
  }
  return html
}

function presentRelease(row: ReleaseRow, around: Around): Release {
  const { tag, name, description, sha } = row
  const { project, projectUrl, externalUrl, author, commit, links, milestones, html, evidences } = around
  const release = `${externalUrl}/api/v4/projects/${project.id}/releases/${encodeURIComponent(tag)}`
  const tagPath = encodeURIComponent(tag)
  const sources = SOURCE_FORMATS.map((format) => ({
    format,
    url: `${projectUrl}/-/archive/${tagPath}/${project.path}-${tag.replaceAll('/', '-')}.${format}`,
  }))
  return {
    tag_name: tag,
    name,
    description,
    ...(html !== undefined && { description_html: html }),
    created_at: isoTime(row.created_at),
    released_at: isoTime(row.released_at),
    upcoming_release: row.released_at > Date.now(),
    historical_release: row.released_at < row.created_at,
    author: author ? presentUser(author, externalUrl) : null,
    ...(commit && {
      commit: presentCommit(commit, projectUrl),
      commit_path: `/${project.full_path}/-/commit/${sha}`,
      tag_path: `/${project.full_path}/-/tags/${tagPath}`,
    }),
    milestones,
    assets: {
      count: links.length + (commit ? sources.length : 0),
      ...(commit && { sources }),
      links: links.map((link) => presentLink(link, around, tag)),
    },
    evidences: evidences.map(({ id, sha256, collected_at }) => ({
      sha: sha256,
      filepath: `${release}/evidences/${id}.json`,
      collected_at: isoTime(collected_at),
    })),
    _links: addressesOf(projectUrl, tagPath),
  }
}

function addressesOf(projectUrl: string, tag: string): Release['_links'] {
  const self = `${projectUrl}/-/releases/${tag}`
  const list = (kind: string, state: string) =>
    `${projectUrl}/-/${kind}?release_tag=${tag}&scope=all&state=${state}`
  return {
    self,
    edit_url: `${self}/edit`,
    opened_issues_url: list('issues', 'opened'),
    closed_issues_url: list('issues', 'closed'),
    opened_merge_requests_url: list('merge_requests', 'opened'),
    merged_merge_requests_url: list('merge_requests', 'merged'),
    closed_merge_requests_url: list('merge_requests', 'closed'),
  }
}

/** Links with a path have a URL below the release. */
export function presentLink(
  link: LinkRow,
  { project, externalUrl }: Pick<Around, 'project' | 'externalUrl'>,
  tag: string,
): ReleaseLink {
  const { id, name, url, link_type, filepath } = link
  const release = `${externalUrl}/api/v4/projects/${project.id}/releases/${encodeURIComponent(tag)}`
  const direct = filepath && `${release}/downloads${filepath}`
  return { id, name, url, external: true, link_type, direct_asset_url: direct ?? url }
}
