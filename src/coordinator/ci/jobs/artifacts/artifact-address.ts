import { requestAddress } from '../../../../lib/request-address.js'

/** URL of artifacts outside the API: `/<project>/-/jobs/<id>/artifacts/download`, or `…/raw/<path>`. */
export interface ArtifactAddress {
  /** Full path of the project. */
  project: string
  jobId: number
  /** A file of the archive; absent for the archive. */
  path?: string
  /** Whether a file that browsers can show is to be shown, rather than downloaded: `?inline=true`. */
  isInline?: boolean
}

/** Undefined for any other URL. */
export function parseArtifactAddress(address: string): ArtifactAddress | undefined {
  const { pathname, searchParams } = requestAddress(address)
  const parts = /^\/(.+?)\/-\/jobs\/(\d{1,15})\/artifacts\/(?:download|raw\/(.+))$/.exec(pathname)
  if (!parts) return undefined
  const [, project = '', id = '', path] = parts
  try {
    const target = { project: decodeURIComponent(project), jobId: Number(id) }
    if (path === undefined) return target
    return { ...target, path: decodeURIComponent(path), isInline: searchParams.get('inline') === 'true' }
  } catch {
    return undefined // a stray % occurs in no name
  }
}
