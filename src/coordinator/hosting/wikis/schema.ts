import { type Static, Type } from 'typebox'

import { described, optional } from '../../http/parameters/described.js'
import { FileParameter, Nullable, OneOf } from '../../http/parameters/types.js'
import { MAIN } from '../repositories/change/commit-to-main.js'
import { MAX_ATTACHMENT_BYTES } from './attach-file.js'
import { FORMATS } from './page-names.js'

const Title = Type.String({ minLength: 1, maxLength: 4096 })
const Content = Type.String({ minLength: 1 })
const Message = Type.String({ minLength: 1, maxLength: 4096 })
const NewFormat = OneOf('markdown', 'rdoc', 'asciidoc', 'org')
const Slug = described(
  Type.String({ minLength: 1 }),
  'Slug of the page: its title with hyphens in place of spaces, after its folders; encode slashes as `%2F`.',
)

export const ListPages = Type.Object({
  with_content: optional(Type.Boolean(), 'Whether to include the content of the pages; false by default.'),
})

export const OnePage = Type.Object({ slug: Slug })

export const ShowPage = Type.Object({
  slug: Slug,
  version: optional(Type.String(), 'Commit of the wiki to read the page from; the latest by default.'),
  render_html: optional(Type.Boolean(), 'Whether to send the content as HTML; false by default.'),
  with_details: optional(
    Type.Boolean(),
    'Whether to add the page as HTML with links between pages, and its last commit; false by default.',
  ),
})

const Commit = Type.String({ pattern: '^[0-9a-f]{7,40}$' })

export const PageDiff = Type.Object({
  slug: Slug,
  from: optional(Commit, 'Earlier commit of the wiki; the parent of `to` by default.'),
  to: described(Commit, 'Later commit of the wiki.'),
})

export const OneFile = Type.Object({
  file_path: described(
    Type.String({ minLength: 1 }),
    'Path of the file in the repository of the wiki; encode slashes as `%2F`.',
  ),
})

export const WikiFile = Type.String({ format: 'binary', description: 'Content of the file.' })

export const CreatePage = Type.Object({
  title: described(Title, 'Title; slashes separate folders.'),
  content: described(Content, 'Content, at most 5 MiB.'),
  format: optional(NewFormat, 'Format of the content; `markdown` by default.'),
  message: optional(Message, 'Message of the commit.'),
})

export const PreviewPage = Type.Object({
  content: described(Type.String({ maxLength: 1_048_576 }), 'Content.'),
  title: optional(Title, 'Title with its folders, from which links lead to other pages.'),
  format: optional(OneOf(...FORMATS), 'Format of the content; `markdown` by default.'),
})
export type PreviewPage = Static<typeof PreviewPage>

export const PagePreview = Type.Object({
  html: described(Type.String(), 'Content as HTML, safe to display.'),
})
export type PagePreview = Static<typeof PagePreview>

export const EditPage = Type.Object({
  slug: Slug,
  title: optional(Title, 'New title; the page stays in its folder unless the title has a slash.'),
  content: optional(Content, 'New content, at most 5 MiB.'),
  format: optional(NewFormat, 'New format of the content.'),
  message: optional(Message, 'Message of the commit.'),
  last_commit_id: optional(
    Commit,
    'Commit that last changed the page, as far as the caller knows; if it is another one, the page is not changed.',
  ),
})

const brief = {
  format: described(OneOf(...FORMATS), 'Format of the content.'),
  slug: described(Type.String(), 'Path of the page, without extension and with hyphens in place of spaces.'),
  title: described(Type.String(), 'Last part of the path, with spaces in place of hyphens.'),
}

export const AttachFile = Type.Object({
  file: FileParameter({ maxBytes: MAX_ATTACHMENT_BYTES, description: 'File to attach, at most 32 MiB.' }),
  branch: optional(OneOf(MAIN), 'Branch of the wiki; there is only `main`.'),
})

export const Attachment = Type.Object({
  file_name: described(Type.String(), 'Name of the file.'),
  file_path: described(Type.String(), 'Path of the file in the repository of the wiki.'),
  branch: described(Type.String(), 'Branch: `main`.'),
  link: described(
    Type.Object({
      url: described(Type.String(), 'Path of the file, for links in pages.'),
      markdown: described(Type.String(), 'Markdown that embeds or links the file.'),
    }),
    'How pages refer to the file.',
  ),
})
export type Attachment = Static<typeof Attachment>

export const WikiVersion = Type.Object({
  id: described(Type.String(), 'ID of the commit.'),
  short_id: described(Type.String(), 'First 8 digits of the ID.'),
  title: described(Type.String(), 'First line of the message.'),
  author_name: described(Type.String(), 'Name of the author.'),
  authored_date: described(Type.String(), 'Time of the change: ISO 8601 with the offset of the author.'),
  slug: described(Nullable(Type.String()), 'Slug of the page at the commit; null if the file was no page.'),
})
export type WikiVersion = Static<typeof WikiVersion>

export const WikiPage = Type.Object({
  ...brief,
  content: described(Type.String(), 'Content, or with `render_html` its HTML.'),
  encoding: described(Type.String(), 'Encoding of the content: `UTF-8`.'),
  html: optional(Type.String(), 'Page as HTML, safe to display; only with `with_details`.'),
  last_commit: optional(WikiVersion, 'Last commit that changed the page; only with `with_details`.'),
})
export type WikiPage = Static<typeof WikiPage>

export const ListedPage = Type.Object({
  ...brief,
  content: optional(Type.String(), 'Content; only with `with_content`.'),
  encoding: optional(Type.String(), 'Encoding of the content; only with `with_content`.'),
})
export type ListedPage = Static<typeof ListedPage>
