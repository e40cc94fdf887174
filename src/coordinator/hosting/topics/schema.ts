import { type Static, Type } from 'typebox'

import { described, optional, text } from '../../http/parameters/described.js'
import { NullableText } from '../../http/parameters/types.js'
import { AvatarParameter } from '../avatars/avatar-parameter.js'

const MAX_DESCRIPTION = 10_000

const Name = Type.String({ minLength: 1, maxLength: 255 })
const Description = Type.String({ maxLength: MAX_DESCRIPTION })
const Id = described(Type.Integer(), 'ID of the topic.')

export const TopicId = Type.Object({ id: Id })

/** API, C7. */
export const Topic = Type.Object({
  id: Id,
  name: text('Name, as projects have it.'),
  title: text('Name for display.'),
  description: described(NullableText, 'Text in Markdown; null if there is none.'),
  total_projects_count: described(Type.Integer(), 'Number of its projects that the caller sees.'),
  avatar_url: described(NullableText, 'URL of the avatar; null if there is none.'),
})
export type Topic = Static<typeof Topic>

export const ListTopics = Type.Object({
  search: optional(Type.String({ maxLength: 255 }), 'Text that the name contains.'),
  without_projects: optional(
    Type.Boolean(),
    'Whether to list only topics without projects; false by default.',
  ),
})

export const NewTopic = Type.Object({
  name: described(Name, 'Name, without commas; upper and lower case are the same.'),
  title: described(Name, 'Name for display.'),
  description: optional(Description, 'Text in Markdown.'),
  avatar: Type.Optional(AvatarParameter),
})
export type NewTopic = Static<typeof NewTopic>

export const EditTopic = Type.Object({
  id: Id,
  name: optional(Name, 'New name, which its projects get, too.'),
  title: optional(Name, 'Name for display.'),
  description: optional(Description, 'Text in Markdown.'),
  avatar: Type.Optional(AvatarParameter),
})
export type EditTopic = Static<typeof EditTopic>

export const MergeTopics = Type.Object({
  source_topic_id: described(Type.Integer(), 'ID of the topic that is deleted.'),
  target_topic_id: described(Type.Integer(), 'ID of the topic that gets its projects.'),
})
export type MergeTopics = Static<typeof MergeTopics>
