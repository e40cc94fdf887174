import type { PageMatch } from './page-table.js'

const API = '/api/v4'

/**
 * The API addresses that a page reads first. The server announces them in the page, so that the requests leave together
 * with those for the code.
 */
export function firstReads({ name, params }: PageMatch): string[] {
  const { project, id } = params
  if (project === undefined) return []
  const base = projectApi(project)
  const own = OF_PAGE[name]?.(base, id ?? '') ?? []
  return [base, `${base}/abilities`, ...own].map((path) => API + path)
}

/** The path of a project in the API, without the prefix of the API. */
export function projectApi(project: string | number): string {
  return `/projects/${encodeURIComponent(project)}`
}

/** The path of a group in the API, without the prefix of the API. */
export function groupApi(group: string | number): string {
  return `/groups/${encodeURIComponent(group)}`
}

const OF_PAGE: Partial<Record<PageMatch['name'], (base: string, id: string) => string[]>> = {
  'pipelines/pipeline': (base, id) => [`${base}/pipelines/${id}/graph`, `${base}/pipelines/${id}`],
  'jobs/job': (base, id) => [`${base}/jobs/${id}?with_details=true`, `${base}/jobs/${id}/trace/outline`],
}
