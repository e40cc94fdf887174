import { projectApi } from '../../../addresses/first-reads.js'

/** The path of an issue in the API, below its prefix. */
export function issuePath(project: string, iid: number | string): string {
  return `${projectApi(project)}/issues/${iid}`
}
