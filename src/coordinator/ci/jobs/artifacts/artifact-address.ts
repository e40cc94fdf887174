import { requestAddress } from '../../../../lib/request-address.js'

/** URL of artifacts outside the API: `/<project>/-/jobs/<id>/artifacts/download`, or `…/raw/<path>`. */
export interface ArtifactAddress {
  /** Full path of the project. */
  project: string
  jobId: number
  /** A file of the archive; absent for the archive. */
  path?: string
}

/** Undefined for any other URL. */
export function parseArtifactAddress(address: string): ArtifactAddress | undefined {
  const { pathname } = requestAddress(address)
  const parts = /^\/(.+?)\/-\/jobs\/(\d{1,15})\/artifacts\/(?:download|raw\/(.+))$/.exec(pathname)
  if (!parts) return undefined
  const [, project = '', id = '', path] = parts
  try {
    const target = { project: decodeURIComponent(project), jobId: Number(id) }
    return path === undefined ? target : { ...target, path: decodeURIComponent(path) }
  } catch {
    return undefined // a stray % occurs in no name
  }
}
