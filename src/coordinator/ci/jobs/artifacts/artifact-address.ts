import { requestAddress } from '../../../../lib/request-address.js'

/** URL of artifacts outside the API: `/<project>/-/jobs/<id>/artifacts/download`, `…/raw/<path>` or `…/open/<path>`. */
export interface ArtifactAddress {
  /** Full path of the project. */
  project: string
  jobId: number
  /** A file of the archive; absent for the archive. */
  path?: string
  /** Whether the browser is to open the file, or the `index.html` of the folder, as a page. The path is set. */
  isPage?: boolean
  /** Whether a file that browsers can show is to be shown, rather than downloaded: `?inline=true`. */
  isInline?: boolean
}

const ADDRESS =
  /^\/(.+?)\/-\/jobs\/(\d{1,15})\/artifacts\/(?:download|raw\/(?<raw>.+)|(?<open>open)(?:\/(?<page>.*))?)$/

/** Undefined for any other URL. */
export function parseArtifactAddress(address: string): ArtifactAddress | undefined {
  const { pathname, searchParams } = requestAddress(address)
  const parts = ADDRESS.exec(pathname)
  if (!parts) return undefined
  const [, project = '', id = ''] = parts
  const { raw, open, page = '' } = parts.groups ?? {}
  try {
    const target = { project: decodeURIComponent(project), jobId: Number(id) }
    if (open !== undefined) return { ...target, path: decodeURIComponent(page), isPage: true }
    if (raw === undefined) return target
    return { ...target, path: decodeURIComponent(raw), isInline: searchParams.get('inline') === 'true' }
  } catch {
    return undefined // a stray % occurs in no name
  }
}
