import { type Static, Type } from 'typebox'

import { described, text } from '../../http/parameters/described.js'
import { OneOf } from '../../http/parameters/types.js'

const Path = Type.String({
  minLength: 1,
  description: 'Path of the file from the root; slashes encoded as %2F',
})
const Ref = Type.Optional(text('Branch, tag or commit; HEAD, the default, is the default branch'))

/** Seeds 1, "Repository file"; API, E4. */
export const FileRecord = Type.Object({
  file_name: text('Last part of the path'),
  file_path: text('Path from the root'),
  size: Type.Integer({ description: 'Bytes' }),
  encoding: described(OneOf('base64'), 'How content is written'),
  content_sha256: text('SHA-256 of the content, hexadecimal'),
  ref: text('Branch, tag or commit that was asked for'),
  blob_id: text('Id of the content in git'),
  commit_id: text('Commit that ref stands for'),
  last_commit_id: text('Last commit up to there that changed the file'),
  execute_filemode: Type.Boolean({ description: 'Whether the file may be executed' }),
  content: text('Content, Base64'),
})
export type FileRecord = Static<typeof FileRecord>

export const GetFile = Type.Object({ file_path: Path, ref: Ref })
export type GetFile = Static<typeof GetFile>

export const GetRaw = Type.Object({
  ...GetFile.properties,
  lfs: Type.Optional(
    Type.Boolean({ description: 'Accepted and without effect: no large files are kept apart from git' }),
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
      { description: 'Lines that are asked for; default all' },
    ),
  ),
})
export type GetBlame = Static<typeof GetBlame>

export const BlameRange = Type.Object({
  commit: Type.Object(
    {
      id: text('SHA of the commit'),
      message: text('Whole message'),
      parent_ids: Type.Array(Type.String(), { description: 'SHAs of the parents' }),
      authored_date: text('When the change was written: ISO 8601 with the offset of the author'),
      author_name: text('Name of who wrote the change'),
      author_email: text('Address of who wrote the change'),
      committed_date: text('When the commit was made: ISO 8601 with the offset of the committer'),
      committer_name: text('Name of who made the commit'),
      committer_email: text('Address of who made the commit'),
    },
    { description: 'Commit that wrote the lines' },
  ),
  lines: Type.Array(Type.String(), { description: 'Consecutive lines, without their ends' }),
})
export type BlameRange = Static<typeof BlameRange>

const message = Type.String({ minLength: 1, maxLength: 1_000_000, description: 'Message of the commit' })
const commit = {
  file_path: Path,
  branch: Type.String({ minLength: 1, description: 'Branch to commit to; a new one needs start_branch' }),
  commit_message: message,
  start_branch: Type.Optional(text('Branch that a new branch starts from')),
  author_email: Type.Optional(text('Address of the author; default the one of the caller')),
  author_name: Type.Optional(text('Name of the author; default the one of the caller')),
}
const content = {
  content: text('New content of the file'),
  encoding: Type.Optional(described(OneOf('text', 'base64'), 'How content is written; default text')),
  execute_filemode: Type.Optional(Type.Boolean({ description: 'Whether the file may be executed' })),
}
const last = {
  last_commit_id: Type.Optional(
    text('Last known commit of the file: the change is refused when there is a later one'),
  ),
}

export const CreateFile = Type.Object({ ...commit, ...content })
export const UpdateFile = Type.Object({ ...commit, ...content, ...last })
export const DeleteFile = Type.Object({ ...commit, ...last })
export type WriteFile = Static<typeof CreateFile> & { last_commit_id?: string }
export type DeleteFile = Static<typeof DeleteFile>

export const FileWritten = Type.Object({
  file_path: text('Path of the file'),
  branch: text('Branch that was committed to'),
})
export type FileWritten = Static<typeof FileWritten>
