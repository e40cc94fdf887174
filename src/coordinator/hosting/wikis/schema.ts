import { Type } from 'typebox'

import { described, optional } from '../../http/parameters/described.js'
import { FileParameter, OneOf } from '../../http/parameters/types.js'
import { MAIN } from '../repositories/change/commit-to-main.js'
import { MAX_ATTACHMENT_BYTES } from './attach-file.js'
import { FORMATS } from './page-names.js'

const Title = Type.String({ minLength: 1, maxLength: 4096 })
const Content = Type.String({ minLength: 1 })
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
})

export const CreatePage = Type.Object({
  title: described(Title, 'Title; slashes separate folders.'),
  content: described(Content, 'Content, at most 5 MiB.'),
  format: optional(NewFormat, 'Format of the content; `markdown` by default.'),
})

export const EditPage = Type.Object({
  slug: Slug,
  title: optional(Title, 'New title; the page stays in its folder unless the title has a slash.'),
  content: optional(Content, 'New content, at most 5 MiB.'),
  format: optional(NewFormat, 'New format of the content.'),
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

export const WikiPage = Type.Object({
  ...brief,
  content: described(Type.String(), 'Content, or with `render_html` its HTML.'),
  encoding: described(Type.String(), 'Encoding of the content: `UTF-8`.'),
})

export const ListedPage = Type.Object({
  ...brief,
  content: optional(Type.String(), 'Content; only with `with_content`.'),
  encoding: optional(Type.String(), 'Encoding of the content; only with `with_content`.'),
})
