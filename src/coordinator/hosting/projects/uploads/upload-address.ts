import { requestAddress } from '../../../../lib/request-address.js'

/** Parts of an upload URL; `project` is an ID or a full path, and absent in `/uploads/…` as Markdown has it. */
export interface UploadAddress {
  project?: string
  secret: string
  filename: string
}

const BY_PATH = /^\/(?<project>[^/]+(?:\/[^/]+)+)\/uploads\/(?<secret>[0-9a-f]{32})\/(?<filename>[^/]+)$/
const BY_ID = /^\/-\/project\/(?<project>\d{1,15})\/uploads\/(?<secret>[0-9a-f]{32})\/(?<filename>[^/]+)$/
const IN_MARKDOWN = /^\/uploads\/(?<secret>[0-9a-f]{32})\/(?<filename>[^/]+)$/

/** Parses a path below the root; undefined if it is not an upload URL (API, C2). */
export function parseUploadAddress(address: string): UploadAddress | undefined {
  const { pathname } = requestAddress(address)
  const groups = (BY_ID.exec(pathname) ?? IN_MARKDOWN.exec(pathname) ?? BY_PATH.exec(pathname))?.groups
  if (!groups) return undefined
  try {
    const { project, secret = '', filename = '' } = groups
    const file = { secret, filename: decodeURIComponent(filename) }
    return project === undefined ? file : { project: decodeURIComponent(project), ...file }
  } catch {
    return undefined // a stray % occurs in no file name
  }
}
