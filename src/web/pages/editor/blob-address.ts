/** A file at a commit, which the page of the file shows. */
export interface BlobAtCommit {
  project: string
  sha: string
  path: string
}

/** The file of the address of its page. Undefined for other addresses. */
export function parseBlobAddress(address: string): BlobAtCommit | undefined {
  const match = /^\/(.+?)\/-\/blob\/([^/]+)\/(.+)$/.exec(new URL(address, 'http://localhost').pathname)
  if (!match) return undefined
  const [, project = '', sha = '', path = ''] = match.map((part) => decodeURIComponent(part))
  return { project, sha, path }
}
