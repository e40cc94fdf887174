import { type Static, Type } from 'typebox'

import { described } from './described.js'

/**
 * Ours: what the `release` step of a job is to release, variables not expanded yet; besides the commands that runners
 * without it run (CI language, 3.14). As the body of `POST /projects/:id/releases` has it (API, J).
 */
export const ReleaseRequest = Type.Object({
  tag_name: described(Type.String(), 'The tag.'),

  description: described(Type.String(), 'Notes in Markdown, or the path of a file with them.'),
  name: described(Type.Optional(Type.String()), 'Its name.'),
  tag_message: described(Type.Optional(Type.String()), 'Message of the tag, if it is made.'),
  ref: described(Type.String(), 'Branch, tag or commit that the tag is made from.'),
  milestones: described(Type.Optional(Type.Array(Type.String())), 'Titles of milestones.'),
  released_at: described(Type.Optional(Type.String()), 'When it came or comes out.'),
  assets: described(
    Type.Optional(
      Type.Object({
        links: described(
          Type.Array(
            Type.Object({
              name: described(Type.String(), 'What it is called.'),
              url: described(Type.String(), 'Where it leads.'),
              filepath: described(Type.Optional(Type.String()), 'Path below the release.'),
              link_type: described(Type.Optional(Type.String()), 'What it is.'),
            }),
          ),
          'Its links.',
        ),
      }),
    ),
    'What belongs to it.',
  ),
})
export type ReleaseRequest = Static<typeof ReleaseRequest>
