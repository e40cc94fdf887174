/**
 * Format of a project archive: a gzip-compressed tar with these files, in this order.
 *
 * - `project.json`: `ProjectFile`, the format of the archive and the settings of the project.
 * - `<part>.ndjson` for each `TransferPart` (members, protected_branches, releases …): one JSON object per
 *   line.
 * - `uploads.ndjson`: `UploadRecord`, the uploaded files of the project.
 * - `lfs_objects.ndjson`: `LfsObjectRecord`, the Git LFS objects of the project.
 * - `repository.bundle`: branches, tags and the heads of merge requests as a git bundle; absent for an empty
 *   repository.
 * - `wiki.bundle`: the branch `main` of the wiki as a git bundle; absent without pages.
 * - `avatar`: the avatar image; absent without one.
 * - `uploads/<32 hex digits>`: the content of each upload.
 * - `lfs/<64 hex digits>`: the content of each Git LFS object.
 *
 * CI variables, tokens and other secrets, pipelines, jobs and their files are left out.
 */
export const FORMAT = 'switchyard-project'

/** Incremented when an older reader could not read the archive correctly. */
export const FORMAT_VERSION = 1

export const PROJECT_FILE = 'project.json'
export const UPLOADS_FILE = 'uploads.ndjson'
export const LFS_FILE = 'lfs_objects.ndjson'
export const BUNDLE_FILE = 'repository.bundle'
export const WIKI_FILE = 'wiki.bundle'
export const AVATAR_FILE = 'avatar'
export const UPLOADS_FOLDER = 'uploads'
export const LFS_FOLDER = 'lfs'

/** Maximum size of a line, in bytes; the notes of a release may have a million characters. */
export const MAX_RECORD_BYTES = 8 * 1024 * 1024

export interface ProjectFile {
  format: typeof FORMAT
  version: number
  /** ISO 8601. */
  exported_at: string
  /** Full path of the exported project. */
  path_with_namespace: string
  default_branch: string | null
  /** Parameters of `PUT /projects/:id`. */
  settings: Record<string, unknown>
  /** File name of the avatar. */
  avatar: string | null
}

export interface UploadRecord {
  /** Part of the URL: 32 hex digits. */
  secret: string
  filename: string
}

export interface LfsObjectRecord {
  /** SHA-256 of the content, hex. */
  oid: string
  /** In bytes. */
  size: number
}

export function partFile(name: string): string {
  return `${name}.ndjson`
}
