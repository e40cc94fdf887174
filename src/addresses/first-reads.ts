import type { PageMatch } from './page-table.js'

const API = '/api/v4'

/**
 * The API addresses that a page reads first. The server announces them in the page, so that the requests leave together
 * with those for the code.
 * @param found what the address names: an overview shows a project, a group or a user
 */
export function firstReads({ name, params }: PageMatch, found: string | null): string[] {
  const { id, iid, path } = params
  const project = params['project'] ?? (found === 'project' ? path : undefined)
  const group = params['group'] ?? (found === 'group' ? path : undefined)
  if (group !== undefined) return [groupRecord(group), `${groupApi(group)}/abilities`].map(inApi)
  if (project === undefined) return []
  const base = projectApi(project)
  const own = OF_PAGE[name]?.(base, id ?? iid ?? '') ?? []
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

const OF_PAGE: Partial<Record<PageMatch['name'], (base: string, id: string) => string[]>> = {
  'merge-requests/changes': (base, iid) => [
    mergeRequestRecord(base, iid),
    ...['versions', 'diffs'].map((list) => `${base}/merge_requests/${iid}/${list}?per_page=100`),
  ],
  'pipelines/pipeline': (base, id) => [`${base}/pipelines/${id}/graph`, `${base}/pipelines/${id}`],
  'jobs/artifact': (base, id) => [`${base}/jobs/${id}?with_details=true`],
  'jobs/artifacts': (base, id) => [`${base}/jobs/${id}?with_details=true`],
  'jobs/compare': (base, id) => [`${base}/jobs/${id}?with_details=true`],
  'jobs/job': (base, id) => [`${base}/jobs/${id}?with_details=true`],
}
