import { projectApi } from '../../../addresses/first-reads.js'

/** The path of a merge request in the API, without the prefix of the API. */
export function mergeRequestPath(project: string, iid: string | number): string {
  return `${projectApi(project)}/merge_requests/${encodeURIComponent(iid)}`
}
