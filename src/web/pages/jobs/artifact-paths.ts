import { encodePath, queryOf } from '../../../addresses/address-of.js'
import { projectApi } from '../../../addresses/first-reads.js'

const API = '/api/v4'

/** The artifacts of a job in the API, below its prefix. */
export function artifactsPath(project: string, jobId: number): string {
  return `${projectApi(project)}/jobs/${jobId}/artifacts`
}

/** The address at which the archive is downloaded. */
export function archiveAddress(project: string, jobId: number): string {
  return API + artifactsPath(project, jobId)
}

/** The address at which a folder of the archive is downloaded as a zip. */
export function folderAddress(project: string, jobId: number, path: string): string {
  return `${archiveAddress(project, jobId)}/folder${queryOf({ path })}`
}

/** The address at which a file of the archive is downloaded. The API has operations with the names of some files. */
export function fileAddress(project: string, jobId: number, path: string): string {
  return `/${encodePath(project)}/-/jobs/${jobId}/artifacts/raw/${encodePath(path)}`
}

/** The address at which a file, or the `index.html` of a folder, opens as a page of its own, apart from the session. */
export function openAddress(project: string, jobId: number, path: string): string {
  return `/${encodePath(project)}/-/jobs/${jobId}/artifacts/open/${encodePath(path)}`
}

const HTML = /\.x?html?$/i

/** Whether a browser shows the file as a page. */
export function isWebPage(path: string): boolean {
  return HTML.test(path)
}

/** The folder that a path is in; empty for the top of the archive. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
