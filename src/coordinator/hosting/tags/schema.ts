import { type Static, Type } from 'typebox'

import { nameTokens } from '../../http/paging/token-paging.js'
import { described } from '../../http/parameters/described.js'
import { Nullable, NullableText, OneOf, SortDirection } from '../../http/parameters/types.js'
import { CommitRecord } from '../../http/presenters/present-commit.js'

export const TagRelease = Type.Object({
  tag_name: Type.String({ description: 'Name of the tag' }),
  description: described(NullableText, 'Notes of the release, Markdown; null when it has none'),
})
export type TagRelease = Static<typeof TagRelease>

/** Seeds 1, "Commit and related"; API, E6. */
export const Tag = Type.Object({
  name: Type.String({ description: 'Name of the tag, without refs/tags/' }),
  message: described(NullableText, 'Message of an annotated tag; null for a lightweight one'),
  target: Type.String({ description: 'SHA of the tag object; of the commit for a lightweight tag' }),
  commit: Type.Object(CommitRecord.properties, { description: 'Commit that the tag leads to' }),
  release: described(Nullable(TagRelease), 'Release of the tag; null when there is none'),
  protected: Type.Boolean({ description: 'Whether a rule of the protected tags applies to it' }),
  created_at: described(
    NullableText,
    'When an annotated tag was made, ISO 8601 with the offset of who made it; null for a lightweight one',
  ),
})
export type Tag = Static<typeof Tag>

export const ListTags = Type.Object({
  order_by: Type.Optional(
    described(OneOf('name', 'updated', 'version'), 'Order of the list; default updated'),
  ),
  sort: Type.Optional(described(SortDirection, 'Direction of the order; default desc')),
  search: Type.Optional(
    Type.String({ description: 'Part of the name; ^text for its start, text$ for its end; in either case' }),
  ),
  ...nameTokens('tag'),
})
export type ListTags = Static<typeof ListTags>

const Name = Type.String({ minLength: 1, description: 'Name of the tag; slashes encoded as %2F' })

export const TagName = Type.Object({ tag_name: Name })

export const NewTag = Type.Object({
  tag_name: Type.String({ minLength: 1, description: 'Name of the new tag' }),
  ref: Type.String({ minLength: 1, description: 'Commit SHA, tag or branch that it leads to' }),
  message: Type.Optional(
    Type.String({ maxLength: 1_000_000, description: 'Makes it an annotated tag with this message' }),
  ),
  release_description: Type.Optional(
    Type.String({
      maxLength: 1_000_000,
      description: 'Makes a release of the tag with these notes (Markdown)',
    }),
  ),
})
export type NewTag = Static<typeof NewTag>

export const ReleaseNotes = Type.Object({
  tag_name: Name,
  description: Type.String({ maxLength: 1_000_000, description: 'Notes of the release, Markdown' }),
})
export type ReleaseNotes = Static<typeof ReleaseNotes>
