import { type Static, Type } from 'typebox'

import { described } from './described.js'

/**
 * An extension of this project: the release that the `release` step of a job creates, with unexpanded variables.
 * Runners without support for it run the commands of the step instead (CI language, 3.14). It has the format of the
 * body of `POST /projects/:id/releases` (API, J).
 */
export const ReleaseRequest = Type.Object({
  tag_name: described(Type.String(), 'The tag.'),

  description: described(Type.String(), 'Notes in Markdown, or the path of a file with them.'),
  name: described(Type.Optional(Type.String()), 'Its name.'),
  tag_message: described(Type.Optional(Type.String()), 'Message of the tag, if it is created.'),
  ref: described(Type.String(), 'Branch, tag or commit from which the tag is created.'),
  milestones: described(Type.Optional(Type.Array(Type.String())), 'Titles of milestones.'),
  released_at: described(Type.Optional(Type.String()), 'Time of the release.'),
  assets: described(
    Type.Optional(
      Type.Object({
        links: described(
          Type.Array(
            Type.Object({
              name: described(Type.String(), 'Name of the link.'),
              url: described(Type.String(), 'URL of the link.'),
              filepath: described(Type.Optional(Type.String()), 'Path below the URL of the release.'),
              link_type: described(Type.Optional(Type.String()), 'Type of the link.'),
            }),
          ),
          'Its links.',
        ),
      }),
    ),
    'Assets of the release.',
  ),
})
export type ReleaseRequest = Static<typeof ReleaseRequest>
