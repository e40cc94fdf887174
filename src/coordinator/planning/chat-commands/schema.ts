import { type Static, Type } from 'typebox'

import { described, optional } from '../../http/parameters/described.js'
import { DateTime, Nullable } from '../../http/parameters/types.js'

const Word = Type.String({ maxLength: 255 })

export const SlashCommand = Type.Object({
  id: described(Type.String(), 'ID or full path of the project.'),
  slug: described(Type.String(), 'Kind of the integration: `slack-slash-commands`.'),
  token: described(Type.String({ minLength: 1 }), 'Token of the integration.'),
  text: optional(Type.String({ maxLength: 100_000 }), 'The command: `issue show 1`; by default `help`.'),
  command: optional(Word, 'The word that the chat service reacts to: `/project`.'),
  team_id: optional(Word, 'ID of the team at the chat service.'),
  team_domain: optional(Word, 'Name of the team.'),
  channel_id: optional(Word, 'ID of the channel.'),
  user_id: optional(Word, 'ID of the chat user.'),
  user_name: optional(Word, 'Name of the chat user.'),
  response_url: optional(
    Type.String({ maxLength: 4096 }),
    'Address of the chat service that takes the response when a job has ended.',
  ),
})
export type SlashCommand = Static<typeof SlashCommand>

export const CommandResponse = Type.Object({
  response_type: described(
    Type.Union([Type.Literal('ephemeral'), Type.Literal('in_channel')]),
    'Who sees the text: the chat user, or the channel.',
  ),
  text: described(Type.String(), 'Text in the markup of Slack.'),
})
export type CommandResponse = Static<typeof CommandResponse>

export const NewChatName = Type.Object({
  code: described(Type.String({ minLength: 1, maxLength: 255 }), 'Code that the chat has shown.'),
})

/** Who gets to give commands as the user who confirms a code. */
export const ChatNameRequest = Type.Object({
  slug: described(Type.String(), 'Kind of the integration.'),
  title: described(Type.String(), 'Name of the integration.'),
  project_path: described(
    Nullable(Type.String()),
    'Full path of the project that takes the commands; null if the current user does not see it.',
  ),
  team_id: described(Type.String(), 'ID of the team at the chat service.'),
  team_domain: described(Nullable(Type.String()), 'Name of the team.'),
  chat_id: described(Type.String(), 'ID of the chat user.'),
  chat_name: described(Nullable(Type.String()), 'Name of the chat user.'),
  expires_at: described(DateTime(), 'Expiry time of the code.'),
})
export type ChatNameRequest = Static<typeof ChatNameRequest>

export const ChatNameId = Type.Object({ chat_name_id: described(Type.Integer({ minimum: 1 }), 'ID.') })

export const ChatName = Type.Object({
  id: described(Type.Integer(), 'ID.'),
  project_id: described(Type.Integer(), 'ID of the project that takes the commands.'),
  slug: described(Type.String(), 'Kind of the integration.'),
  team_id: described(Type.String(), 'ID of the team at the chat service.'),
  team_domain: described(Nullable(Type.String()), 'Name of the team.'),
  chat_id: described(Type.String(), 'ID of the chat user.'),
  chat_name: described(Nullable(Type.String()), 'Name of the chat user.'),
  last_used_at: described(Nullable(DateTime()), 'Time of the last command.'),
  created_at: described(DateTime(), 'Time of creation.'),
})
export type ChatName = Static<typeof ChatName>
