import { type Static, Type } from 'typebox'

import { described, optional } from '../../http/parameters/described.js'
import { NullableText, OneOf } from '../../http/parameters/types.js'

const Address = Type.String({ minLength: 1, maxLength: 255 })
const Link = described(Address, 'URL of the link; may contain placeholders such as `%{project_path}`.')
const Image = described(Address, 'URL of the image; may contain placeholders such as `%{default_branch}`.')
const Name = described(Type.Optional(NullableText), 'Name of the badge; null if there is none.')

export const CreateBadge = Type.Object({ link_url: Link, image_url: Image, name: Name })
export type CreateBadge = Static<typeof CreateBadge>

const BadgeId = described(Type.Integer(), 'ID of the badge.')

export const ByBadgeId = Type.Object({ badge_id: BadgeId })

export const EditBadge = Type.Object({
  badge_id: BadgeId,
  link_url: described(Type.Optional(Address), 'URL of the link.'),
  image_url: described(Type.Optional(Address), 'URL of the image.'),
  name: Name,
})
export type EditBadge = Static<typeof EditBadge>

export const ListBadges = Type.Object({
  name: described(Type.Optional(Type.String()), 'Name to filter by.'),
})

export const RenderBadge = Type.Object({ link_url: Link, image_url: Image })

const rendered = {
  rendered_link_url: described(Type.String(), '`link_url` with all placeholders replaced.'),
  rendered_image_url: described(Type.String(), '`image_url` with all placeholders replaced.'),
}

export const RenderedBadge = Type.Object({
  link_url: described(Type.String(), 'URL of the link, with placeholders.'),
  image_url: described(Type.String(), 'URL of the image, with placeholders.'),
  ...rendered,
})

export const Badge = Type.Object({
  id: BadgeId,
  name: described(NullableText, 'Name of the badge; null if there is none.'),
  link_url: described(Type.String(), 'URL of the link.'),
  image_url: described(Type.String(), 'URL of the image.'),
  ...rendered,
  kind: described(
    OneOf('project', 'group'),
    'Whether the badge belongs to the project itself or to one of its groups.',
  ),
  group_full_path: optional(
    Type.String(),
    'Full path of the group of the badge; only in the list of a project (beyond the reference).',
  ),
})
export type Badge = Static<typeof Badge>
