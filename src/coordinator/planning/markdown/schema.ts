import { type Static, Type } from 'typebox'

import { described, optional } from '../../http/parameters/described.js'

export const RenderMarkdown = Type.Object({
  text: described(Type.String({ maxLength: 1_048_576 }), 'Text in Markdown.'),
  gfm: optional(
    Type.Boolean(),
    'Whether references such as `#1` and `@name` become links, and `[ ]` in lists become boxes; false by default.',
  ),
  project: optional(Type.String(), 'Full path of the project to which short references such as `#1` belong.'),
})

export const RenderedMarkdown = Type.Object({
  html: described(Type.String(), 'Text as HTML. It is safe to display.'),
})
export type RenderedMarkdown = Static<typeof RenderedMarkdown>
