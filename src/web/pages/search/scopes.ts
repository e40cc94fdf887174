import { queryOf } from '../../../addresses/address-of.js'
import { groupApi, projectApi } from '../../../addresses/first-reads.js'

/** Kinds of records that can be found, with their words. */
export const SCOPES = {
  projects: { label: 'Projects', one: 'project' },
  blobs: { label: 'Code', one: 'file' },
  issues: { label: 'Issues', one: 'issue' },
  merge_requests: { label: 'Merge requests', one: 'merge request' },
  commits: { label: 'Commits', one: 'commit' },
  milestones: { label: 'Milestones', one: 'milestone' },
  notes: { label: 'Comments', one: 'comment' },
  wiki_blobs: { label: 'Wiki', one: 'wiki page' },
  snippet_titles: { label: 'Snippets', one: 'snippet' },
  users: { label: 'People', one: 'person' },
} as const

export type Scope = keyof typeof SCOPES

/** Kinds in repositories. */
const FILE_SCOPES: ReadonlySet<Scope> = new Set(['blobs', 'commits', 'wiki_blobs'])

/** Where a search looks: a project or a group by ID or path, or the whole instance. */
export interface SearchOwner {
  kind: 'project' | 'group' | 'instance'
  /** Empty for the instance. */
  id: string
}

/** What the address names. */
export function ownerIn(search: URLSearchParams): SearchOwner {
  const project = search.get('project_id')
  if (project) return { kind: 'project', id: project }
  const group = search.get('group_id')
  return group ? { kind: 'group', id: group } : { kind: 'instance', id: '' }
}

/** The kinds that can be found there, the first one by default. */
export function scopesOf({ kind }: SearchOwner): Scope[] {
  const all = Object.keys(SCOPES) as Scope[]
  return all.filter((scope) => scope !== (kind === 'project' ? 'projects' : 'notes'))
}

/**
 * The kind that is shown: the given one, else the first one. If that is known to have no results, the next one that is
 * known to have some; files only where there are no records, because they are counted last, and what is read should not be
 * replaced.
 * @param given by the address
 */
export function chooseScope(
  scopes: readonly Scope[],
  given: string | null,
  counts: Readonly<Partial<Record<string, { count: number }>>>,
): Scope {
  const [first = 'issues'] = scopes
  const named = scopes.find((scope) => scope === given)
  const hasResults = (scope: Scope) => (counts[scope]?.count ?? 0) > 0
  const found =
    counts[first]?.count === 0
      ? (scopes.find((scope) => hasResults(scope) && !FILE_SCOPES.has(scope)) ?? scopes.find(hasResults))
      : undefined
  return named ?? found ?? first
}

/** States of what can be found, with their words; empty for kinds without them. */
export function statesOf(scope: Scope): readonly (readonly [state: string, label: string])[] {
  if (scope !== 'issues' && scope !== 'merge_requests') return []
  return [
    ['', 'All states'],
    ['opened', 'Open'],
    ['closed', 'Closed'],
    ...(scope === 'merge_requests' ? [['merged', 'Merged'] as const] : []),
  ]
}

/** The path of the results in the API. */
export function searchPath(owner: SearchOwner, scope: Scope, search: string, state: string): string {
  return `${apiOf(owner)}/search${queryOf({ scope, search, state: state || undefined, per_page: 20 })}`
}

function apiOf({ kind, id }: SearchOwner): string {
  return { project: projectApi(id), group: groupApi(id), instance: '' }[kind]
}

/** The path of the numbers of results in the API: of records, or of files and commits. */
export function countsPath(owner: SearchOwner, search: string, files?: true): string {
  return `${apiOf(owner)}/search/counts${queryOf({ search, files })}`
}

/** The path of the project or group in the address of one of its records. */
export function ownerPathIn(webUrl: string): string {
  const [path = ''] = new URL(webUrl).pathname.split('/-/')
  return decodeURIComponent(path.replace(/^\/(groups\/)?/, ''))
}
