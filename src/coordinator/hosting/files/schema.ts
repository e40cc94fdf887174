import { type Static, Type } from 'typebox'

import { described, text } from '../../http/parameters/described.js'
import { OneOf } from '../../http/parameters/types.js'

const Path = Type.String({
  minLength: 1,
  description: 'Path of the file from the repository root; slashes encoded as %2F',
})
const Ref = Type.Optional(text('Branch, tag or commit; HEAD, the default, is the default branch'))

/** Seeds 1, "Repository file"; API, E4. */
export const FileRecord = Type.Object({
  file_name: text('Last part of the path'),
  file_path: text('Path from the repository root'),
  size: Type.Integer({ description: 'Size, in bytes' }),
  encoding: described(OneOf('base64'), 'Encoding of the content'),
  content_sha256: text('SHA-256 of the content, in hexadecimal'),
  ref: text('Requested branch, tag or commit'),
  blob_id: text('Object ID of the content in git'),
  commit_id: text('SHA of the commit that ref points to'),
  last_commit_id: text('Last commit up to ref that changed the file'),
  execute_filemode: Type.Boolean({ description: 'Whether the file is executable' }),
  content: text('Content, encoded as Base64'),
})
export type FileRecord = Static<typeof FileRecord>

export const GetFile = Type.Object({ file_path: Path, ref: Ref })
export type GetFile = Static<typeof GetFile>

export const GetRaw = Type.Object({
  ...GetFile.properties,
  lfs: Type.Optional(
    Type.Boolean({ description: 'true gets the Git LFS object instead of its pointer; default false' }),
  ),
})

export const GetBlame = Type.Object({
  ...GetFile.properties,
  range: Type.Optional(
    Type.Object(
      {
        start: Type.Integer({ minimum: 1, description: 'First line, from 1' }),
        end: Type.Integer({ minimum: 1, description: 'Last line' }),
      },
      { description: 'Range of lines; default all' },
    ),
  ),
})
export type GetBlame = Static<typeof GetBlame>

export const BlameRange = Type.Object({
  commit: Type.Object(
    {
      id: text('SHA of the commit'),
      message: text('Commit message'),
      parent_ids: Type.Array(Type.String(), { description: 'SHAs of the parents' }),
      authored_date: text('Author time: ISO 8601 with the UTC offset of the author'),
      author_name: text('Name of the author'),
      author_email: text('E-mail address of the author'),
      committed_date: text('Commit time: ISO 8601 with the UTC offset of the committer'),
      committer_name: text('Name of the committer'),
      committer_email: text('E-mail address of the committer'),
    },
    { description: 'Commit that last changed the lines' },
  ),
  lines: Type.Array(Type.String(), { description: 'Consecutive lines, without line ends' }),
})
export type BlameRange = Static<typeof BlameRange>

const message = Type.String({ minLength: 1, maxLength: 1_000_000, description: 'Commit message' })
const commit = {
  file_path: Path,
  branch: Type.String({ minLength: 1, description: 'Target branch; a new branch requires start_branch' }),
  commit_message: message,
  start_branch: Type.Optional(text('Branch from which to create a new branch')),
  author_email: Type.Optional(text('E-mail address of the author; default that of the caller')),
  author_name: Type.Optional(text('Name of the author; default that of the caller')),
}
const content = {
  content: text('New content of the file'),
  encoding: Type.Optional(described(OneOf('text', 'base64'), 'Encoding of the content; default text')),
  execute_filemode: Type.Optional(Type.Boolean({ description: 'Whether the file is executable' })),
}
const last = {
  last_commit_id: Type.Optional(
    text('Last known commit of the file: the change fails if there is a newer one'),
  ),
}

export const CreateFile = Type.Object({ ...commit, ...content })
export const UpdateFile = Type.Object({ ...commit, ...content, ...last })
export const DeleteFile = Type.Object({ ...commit, ...last })
export type WriteFile = Static<typeof CreateFile> & { last_commit_id?: string }
export type DeleteFile = Static<typeof DeleteFile>

export const FileWritten = Type.Object({
  file_path: text('Path of the file'),
  branch: text('Target branch'),
})
export type FileWritten = Static<typeof FileWritten>
