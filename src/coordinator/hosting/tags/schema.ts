import { type Static, Type } from 'typebox'

import { nameTokens } from '../../http/paging/token-paging.js'
import { described } from '../../http/parameters/described.js'
import { Nullable, NullableText, OneOf, SortDirection } from '../../http/parameters/types.js'
import { CommitRecord } from '../../http/presenters/present-commit.js'

export const TagRelease = Type.Object({
  tag_name: Type.String({ description: 'Name of the tag' }),
  description: described(NullableText, 'Release notes in Markdown; null if there are none'),
})
export type TagRelease = Static<typeof TagRelease>

/** Seeds 1, "Commit and related"; API, E6. */
export const Tag = Type.Object({
  name: Type.String({ description: 'Name of the tag, without refs/tags/' }),
  message: described(NullableText, 'Message of an annotated tag; null for a lightweight one'),
  target: Type.String({ description: 'SHA of the tag object; of the commit for a lightweight tag' }),
  commit: Type.Object(CommitRecord.properties, { description: 'Commit that the tag points to' }),
  release: described(Nullable(TagRelease), 'Release of the tag; null if there is none'),
  protected: Type.Boolean({ description: 'Whether a protected tag rule matches it' }),
  created_at: described(
    NullableText,
    'Creation time of an annotated tag, ISO 8601 with the UTC offset of the tagger; null for a lightweight tag',
  ),
})
export type Tag = Static<typeof Tag>

export const ListTags = Type.Object({
  order_by: Type.Optional(
    described(OneOf('name', 'updated', 'version'), 'Field to order by; default updated'),
  ),
  sort: Type.Optional(described(SortDirection, 'Sort order; default desc')),
  search: Type.Optional(
    Type.String({
      description: 'Part of the name, case-insensitive; ^text matches the start, text$ the end',
    }),
  ),
  regex: Type.Optional(
    Type.String({ description: 'Regular expression (RE2) that must match part of the name' }),
  ),
  ...nameTokens('tag'),
})
export type ListTags = Static<typeof ListTags>

const Name = Type.String({ minLength: 1, description: 'Name of the tag; slashes encoded as %2F' })

export const TagName = Type.Object({ tag_name: Name })

export const NewTag = Type.Object({
  tag_name: Type.String({ minLength: 1, description: 'Name of the new tag' }),
  ref: Type.String({ minLength: 1, description: 'Commit SHA, tag or branch for the tag' }),
  message: Type.Optional(Type.String({ maxLength: 1_000_000, description: 'Message of an annotated tag' })),
  release_description: Type.Optional(
    Type.String({
      maxLength: 1_000_000,
      description: 'Release notes (Markdown) of a release to create',
    }),
  ),
})
export type NewTag = Static<typeof NewTag>

export const ReleaseNotes = Type.Object({
  tag_name: Name,
  description: Type.String({ maxLength: 1_000_000, description: 'Release notes in Markdown' }),
})
export type ReleaseNotes = Static<typeof ReleaseNotes>
