import { type Static, Type } from 'typebox'

import { described, flag, optional } from '../../http/parameters/described.js'
import { DateTime, Nullable, OneOf, Visibility } from '../../http/parameters/types.js'
import { PublicUser } from '../../http/presenters/present-user.js'

const Title = Type.String({ minLength: 1, maxLength: 255 })
const Description = Type.String({ maxLength: 1_048_576 })
const Path = Type.String({ minLength: 1, maxLength: 1024 })
const Content = Type.String({ minLength: 1 })
const SnippetId = described(Type.Integer(), 'ID of the snippet.')

const NewFiles = Type.Array(
  Type.Object({ file_path: described(Path, 'Path.'), content: described(Content, 'Content.') }),
  { minItems: 1, maxItems: 100 },
)

const FileChanges = Type.Array(
  Type.Object({
    action: described(OneOf('create', 'update', 'delete', 'move'), 'What to do.'),
    file_path: optional(Path, 'Path; the new one of a move.'),
    previous_path: optional(Path, 'Path before a move.'),
    content: optional(Content, 'New content; required to create and to update.'),
  }),
  { minItems: 1, maxItems: 100 },
)
export type FileChange = Static<typeof FileChanges>[number]

export const CreateSnippet = Type.Object({
  title: described(Title, 'Title.'),
  file_name: optional(Path, 'Path of the only file.'),
  content: optional(Content, 'Content of the only file.'),
  files: optional(NewFiles, 'Several files, instead of `file_name` and `content`.'),
  description: optional(Nullable(Description), 'Description in Markdown.'),
  visibility: optional(Visibility, 'Who may see it; `default_snippet_visibility` by default.'),
})
export type CreateSnippet = Static<typeof CreateSnippet>

const edited = {
  title: optional(Title, 'Title.'),
  file_name: optional(Path, 'New path of the only file.'),
  content: optional(Content, 'New content of the only file.'),
  files: optional(FileChanges, 'Changes of several files.'),
  description: optional(Nullable(Description), 'Description in Markdown.'),
  visibility: optional(Visibility, 'Who may see it.'),
  last_updated_at: optional(
    DateTime(),
    'Its `updated_at`, as far as the caller knows; if it is another one, the snippet is not changed.',
  ),
}
export type EditSnippet = Omit<Static<typeof EditOfProject>, 'snippet_id'>

export const OfProject = Type.Object({ snippet_id: SnippetId })
export const Personal = Type.Object({ id: SnippetId })
const shown = {
  render_html: optional(Type.Boolean(), 'Whether to add the description as HTML; false by default.'),
}
export const ShowOfProject = Type.Object({ snippet_id: SnippetId, ...shown })
export const ShowPersonal = Type.Object({ id: SnippetId, ...shown })
export const EditOfProject = Type.Object({ snippet_id: SnippetId, ...edited })
export const EditPersonal = Type.Object({ id: SnippetId, ...edited })

const file = {
  ref: described(Type.String(), 'Branch or commit.'),
  file_path: described(Type.String(), 'Path of the file.'),
}
export const FileOfProject = Type.Object({ snippet_id: SnippetId, ...file })
export const FileOfPersonal = Type.Object({ id: SnippetId, ...file })

export const ListPersonal = Type.Object({
  created_after: optional(DateTime(), 'Earliest time of creation.'),
  created_before: optional(DateTime(), 'Latest time of creation.'),
})

export const Snippet = Type.Object({
  id: SnippetId,
  title: described(Type.String(), 'Title.'),
  file_name: described(Type.String(), 'Path of the first file.'),
  description: described(Nullable(Type.String()), 'Description in Markdown.'),
  description_html: optional(Type.String(), 'Description as HTML, safe to display; only with `render_html`.'),
  visibility: described(Visibility, 'Who may see it.'),
  author: described(PublicUser, 'Author.'),
  project_id: described(Nullable(Type.Integer()), 'ID of the project; null for a personal snippet.'),
  created_at: described(DateTime(), 'Time of creation.'),
  updated_at: described(DateTime(), 'Time of the last change.'),
  web_url: described(Type.String(), 'URL of its page.'),
  raw_url: described(Type.String(), 'URL of the content of the first file.'),
  http_url_to_repo: described(Type.String(), 'Clone URL over HTTP.'),
  ssh_url_to_repo: described(Type.String(), 'Clone URL over SSH.'),
  files: optional(
    Type.Array(
      Type.Object({
        path: described(Type.String(), 'Path.'),
        raw_url: described(Type.String(), 'URL of the content.'),
      }),
    ),
    'Files; left out in lists.',
  ),
  imported: flag('Always false.'),
})
export type Snippet = Static<typeof Snippet>

export const Raw = Type.String({ format: 'binary', description: 'Content of the file.' })
