import type { PageMatch } from './page-table.js'

const API = '/api/v4'

/**
 * The API addresses that a page reads first. The server announces them in the page, so that the requests leave together
 * with those for the code.
 * @param found what the address names: an overview shows a project, a group or a user
 * @param search the query of the address; lists with a filter are not announced
 */
export function firstReads({ name, params }: PageMatch, found: string | null, search: string): string[] {
  const { id, iid, path } = params
  const project = params['project'] ?? (found === 'project' ? path : undefined)
  const group = params['group'] ?? (found === 'group' ? path : undefined)
  if (group !== undefined) return [groupRecord(group), `${groupApi(group)}/abilities`].map(inApi)
  if (project === undefined) return []
  const base = projectApi(project)
  const list = search === '' ? (OF_LIST[name] ?? []).map((part) => `${base}/${part}`) : []
  const own = OF_PAGE[name]?.(base, id ?? iid ?? '') ?? list
  return [base, `${base}/abilities`, ...own].map(inApi)
}

/** The path of a project in the API, without the prefix of the API. */
export function projectApi(project: string | number): string {
  return `/projects/${encodeURIComponent(project)}`
}

/** The path of a group in the API, without the prefix of the API. */
export function groupApi(group: string | number): string {
  return `/groups/${encodeURIComponent(group)}`
}

/** The path of the record of a group, without its projects. */
export function groupRecord(group: string | number): string {
  return `${groupApi(group)}?with_projects=false`
}

function inApi(path: string): string {
  return API + path
}

/** The path of a merge request, as its pages read it. */
export function mergeRequestRecord(base: string, iid: string): string {
  const fields = ['render_html', 'include_rebase_in_progress', 'include_diverged_commits_count']
  return `${base}/merge_requests/${iid}?${fields.map((field) => `${field}=true`).join('&')}`
}

/** Changed files that are read first: as many as fill a window, so that they do not wait for hundreds of others. */
export const FIRST_FILES = 20

/** The newest open ones, as lists show them at first. */
const OPEN =
  'state=opened&with_labels_details=true&order_by=created_at&sort=desc&per_page=50&pagination=keyset'

/** What lists without a filter read, below the project. */
const OF_LIST: Partial<Record<PageMatch['name'], string[]>> = {
  'issues/list': [`issues?${OPEN}`],
  'jobs/list': ['jobs?per_page=50&pagination=keyset'],
  'merge-requests/list': [`merge_requests?${OPEN}`],
  'pipelines/list': ['pipelines?with_details=true&per_page=50&page=1', 'pipelines/counts'],
}

const DISCUSSIONS = 'discussions?with_details=true&per_page=50&page=1'

const OF_PAGE: Partial<Record<PageMatch['name'], (base: string, id: string) => string[]>> = {
  'issues/issue': (base, iid) => [
    `${base}/issues/${iid}?render_html=true`,
    `${base}/issues/${iid}/${DISCUSSIONS}`,
  ],
  'merge-requests/merge-request': (base, iid) => [
    mergeRequestRecord(base, iid),
    `${base}/merge_requests/${iid}/${DISCUSSIONS}`,
  ],
  'merge-requests/changes': (base, iid) => [
    mergeRequestRecord(base, iid),
    `${base}/merge_requests/${iid}/versions?per_page=100`,
    `${base}/merge_requests/${iid}/diffs?per_page=${FIRST_FILES}`,
  ],
  'pipelines/pipeline': (base, id) => [`${base}/pipelines/${id}/graph`, `${base}/pipelines/${id}`],
  'jobs/artifact': (base, id) => [`${base}/jobs/${id}?with_details=true`],
  'jobs/artifacts': (base, id) => [`${base}/jobs/${id}?with_details=true`],
  'jobs/compare': (base, id) => [`${base}/jobs/${id}?with_details=true`],
  'jobs/job': (base, id) => [`${base}/jobs/${id}?with_details=true`],
  'jobs/terminal': (base, id) => [`${base}/jobs/${id}?with_details=true`, `${base}/jobs/${id}/terminal`],
}
