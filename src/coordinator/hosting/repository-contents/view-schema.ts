import { type Static, Type } from 'typebox'

import { described, flag, optional, text } from '../../http/parameters/described.js'
import { Nullable, OneOf } from '../../http/parameters/types.js'

const Ref = Type.Optional(text('Branch, tag or commit; defaults to the default branch'))

export const GetTreeCommits = Type.Object({
  ref: Ref,
  path: optional(Type.String(), 'Folder; default the root'),
})
export type GetTreeCommits = Static<typeof GetTreeCommits>

/** One line of the last commits of a folder. */
export const TreeCommit = Type.Object({
  name: text('Name of the entry of the folder'),
  commit: Type.Object(
    {
      id: text('SHA of the commit, 40 hexadecimal digits'),
      short_id: text('First 8 digits of the SHA'),
      title: text('First line of the message'),
      author_name: text('Name of the author'),
      authored_date: text('When the change was written: ISO 8601 with the offset of the author'),
    },
    { description: 'Last commit that changed the entry' },
  ),
})
export type TreeCommit = Static<typeof TreeCommit>

export const GetRendered = Type.Object({
  ref: Ref,
  path: optional(Type.String(), 'File to render; by default the README of `dir`'),
  dir: optional(Type.String(), 'Folder whose README is rendered; default the root'),
})
export type GetRendered = Static<typeof GetRendered>

export const RenderedFile = Type.Object({
  commit: text('SHA of the commit that was read'),
  path: described(Nullable(Type.String()), 'Path of the file; null if the folder has no README'),
  format: described(
    Nullable(OneOf('markdown', 'text')),
    'markdown: the file is rendered; text: it is shown as it is; null if there is no file',
  ),
  html: described(
    Nullable(Type.String()),
    'File as HTML, safe to display; null if there is no file, and for binary files and files over 1 MiB',
  ),
})
export type RenderedFile = Static<typeof RenderedFile>

export const GetPaths = Type.Object({ ref: Ref })

/** Paths of all files of a commit. */
export const RepositoryPaths = Type.Object({
  commit: text('SHA of the commit'),
  paths: Type.Array(Type.String(), {
    description: 'Paths of the files, without submodules, in the order of git',
  }),
  truncated: flag('Whether there are more files than paths'),
})
export type RepositoryPaths = Static<typeof RepositoryPaths>
