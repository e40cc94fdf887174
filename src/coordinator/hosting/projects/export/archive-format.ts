/**
 * What the archive of a project is: a tar, compressed with gzip, of files in this order.
 *
 * - `project.json`: `ProjectFile`, what the archive is and the settings of the project.
 * - `<part>.ndjson` for each `TransferPart` (members, protected_branches, releases …): one JSON object a line.
 * - `uploads.ndjson`: `UploadRecord`, which files people have kept in the project.
 * - `repository.bundle`: branches and tags as a git bundle; not there while there are none.
 * - `avatar`: its picture; not there without one.
 * - `uploads/<32 hex digits>`: the bytes of each of those files.
 *
 * Left out are CI variables, tokens and every other secret, pipelines, jobs and what those have left.
 */
export const FORMAT = 'switchyard-project'

/** Grows when an older reader would misunderstand the archive. */
export const FORMAT_VERSION = 1

export const PROJECT_FILE = 'project.json'
export const UPLOADS_FILE = 'uploads.ndjson'
export const BUNDLE_FILE = 'repository.bundle'
export const AVATAR_FILE = 'avatar'
export const UPLOADS_FOLDER = 'uploads'

/** Of each line: a release's notes may have a million characters. */
export const MAX_RECORD_BYTES = 8 * 1024 * 1024

export interface ProjectFile {
  format: typeof FORMAT
  version: number
  /** ISO 8601. */
  exported_at: string
  /** Where it was: its full path. */
  path_with_namespace: string
  default_branch: string | null
  /** Parameters of `PUT /projects/:id`. */
  settings: Record<string, unknown>
  /** File name of its picture. */
  avatar: string | null
}

export interface UploadRecord {
  /** 32 hex digits: part of its address. */
  secret: string
  filename: string
}

export function partFile(name: string): string {
  return `${name}.ndjson`
}
