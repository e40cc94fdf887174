import { type Static, Type } from 'typebox'

import { described } from '../../http/parameters/described.js'
import { NullableText, OneOf } from '../../http/parameters/types.js'

const Address = Type.String({ minLength: 1, maxLength: 255 })
const Link = described(Address, 'Where a click leads; may hold placeholders such as `%{project_path}`.')
const Image = described(Address, 'The picture; may hold placeholders such as `%{default_branch}`.')
const Name = described(Type.Optional(NullableText), 'What people call it; null = nothing.')

export const CreateBadge = Type.Object({ link_url: Link, image_url: Image, name: Name })
export type CreateBadge = Static<typeof CreateBadge>

const BadgeId = described(Type.Integer(), 'Number of the badge.')

export const ByBadgeId = Type.Object({ badge_id: BadgeId })

export const EditBadge = Type.Object({
  badge_id: BadgeId,
  link_url: described(Type.Optional(Address), 'Where a click leads.'),
  image_url: described(Type.Optional(Address), 'The picture.'),
  name: Name,
})
export type EditBadge = Static<typeof EditBadge>

export const ListBadges = Type.Object({
  name: described(Type.Optional(Type.String()), 'Only those of this name.'),
})

export const RenderBadge = Type.Object({ link_url: Link, image_url: Image })

const rendered = {
  rendered_link_url: described(Type.String(), '`link_url` with the placeholders filled in.'),
  rendered_image_url: described(Type.String(), '`image_url` with the placeholders filled in.'),
}

export const RenderedBadge = Type.Object({
  link_url: described(Type.String(), 'As it was given.'),
  image_url: described(Type.String(), 'As it was given.'),
  ...rendered,
})

export const Badge = Type.Object({
  id: BadgeId,
  name: described(NullableText, 'What people call it; null = nothing.'),
  link_url: described(Type.String(), 'Where a click leads.'),
  image_url: described(Type.String(), 'The picture.'),
  ...rendered,
  kind: described(OneOf('project', 'group'), 'Whether it is of the project itself or of a group it lies in.'),
})
export type Badge = Static<typeof Badge>
