import { type Static, Type } from 'typebox'

import { DateTime, Nullable, NullableText, OneOf, SortDirection } from '../../http/parameters/types.js'
import { CommitBrief } from '../../http/present-commit.js'
import { PublicUser } from '../../http/present-user.js'
import { LINK_TYPES } from './table.js'

export const ReleaseLink = Type.Object({
  id: Type.Integer(),
  name: Type.String(),
  url: Type.String(),
  external: Type.Boolean(),
  link_type: Type.String(),
  direct_asset_url: Type.String(),
})
export type ReleaseLink = Static<typeof ReleaseLink>

/** API gaps, part J. What shows code is left out for those who may not read it. */
export const Release = Type.Object({
  tag_name: Type.String(),
  name: Type.String(),
  description: NullableText,
  created_at: Type.String(),
  released_at: Type.String(),
  upcoming_release: Type.Boolean(),
  author: Nullable(PublicUser),
  commit: Type.Optional(CommitBrief),
  milestones: Type.Array(Type.Unknown()),
  commit_path: Type.Optional(Type.String()),
  tag_path: Type.Optional(Type.String()),
  assets: Type.Object({
    count: Type.Integer(),
    sources: Type.Optional(Type.Array(Type.Object({ format: Type.String(), url: Type.String() }))),
    links: Type.Array(ReleaseLink),
  }),
  evidences: Type.Array(Type.Unknown()),
  _links: Type.Object({ self: Type.String() }),
})
export type Release = Static<typeof Release>

export const ReleaseFilters = Type.Object({
  order_by: Type.Optional(OneOf('released_at', 'created_at')),
  sort: Type.Optional(SortDirection),
})
export type ReleaseFilters = Static<typeof ReleaseFilters>

export const TagName = Type.Object({ tag_name: Type.String({ minLength: 1 }) })

const Name = Type.String({ minLength: 1, maxLength: 255 })
const Url = Type.String({ minLength: 1, maxLength: 255 })

const link = {
  url: Url,
  filepath: Type.Optional(Type.String({ maxLength: 128 })),
  /** The same under its newer name. */
  direct_asset_path: Type.Optional(Type.String({ maxLength: 128 })),
  link_type: Type.Optional(OneOf(...LINK_TYPES)),
}

export const LinkFields = Type.Object({ name: Name, ...link })
export type LinkFields = Static<typeof LinkFields>

export const NewRelease = Type.Object({
  tag_name: Type.String({ minLength: 1, maxLength: 255 }),
  name: Type.Optional(Type.String({ maxLength: 255 })),
  description: Type.Optional(Type.String({ maxLength: 1_000_000 })),
  /** Makes the new tag an annotated one. */
  tag_message: Type.Optional(Type.String({ maxLength: 1_000_000 })),
  ref: Type.Optional(Type.String({ minLength: 1, maxLength: 1024 })),
  milestones: Type.Optional(Type.Array(Type.String())),
  released_at: Type.Optional(DateTime()),
  assets: Type.Optional(Type.Object({ links: Type.Optional(Type.Array(LinkFields)) })),
})
export type NewRelease = Static<typeof NewRelease>

export const EditRelease = Type.Object({
  ...TagName.properties,
  name: Type.Optional(Type.String({ maxLength: 255 })),
  description: Type.Optional(Type.String({ maxLength: 1_000_000 })),
  milestones: Type.Optional(Type.Array(Type.String())),
  released_at: Type.Optional(DateTime()),
})
export type EditRelease = Static<typeof EditRelease>

export const NewLink = Type.Object({ ...TagName.properties, ...LinkFields.properties })
export const LinkId = Type.Object({ ...TagName.properties, link_id: Type.Integer() })
export const EditLink = Type.Object({
  ...LinkId.properties,
  ...link,
  name: Type.Optional(Name),
  url: Type.Optional(Url),
})
export type EditLink = Static<typeof EditLink>
