import type { Default, Id, Timestamp } from '../columns.js'
import type { ReportedState } from './commit-statuses.js'

/** The connection of a project to another service. */
export interface IntegrationTable {
  id: Id
  project_id: number
  /** Kind: `slack`. */
  slug: string
  active: Default<boolean>
  /** JSON: values by name. */
  properties: Default<string>
  /** JSON: secret values by name; null without any. */
  secrets_encrypted: string | null
  /** JSON: whether it wants events, by the flags of webhooks. */
  events: Default<string>
  created_at: Timestamp
  updated_at: Timestamp
}

/** A user of a chat service who gives commands as a user of this instance, for one integration. */
export interface ChatNameTable {
  id: Id
  user_id: number
  integration_id: number
  /** At the chat service; so are the others. */
  team_id: string
  team_domain: string | null
  chat_id: string
  chat_name: string | null
  last_used_at: Timestamp | null
  created_at: Timestamp
}

/** A code with which a user takes the place of a chat user; at most one for each chat user of an integration. */
export interface ChatNameCodeTable {
  id: Id
  integration_id: number
  /** Of the code. */
  digest: string
  team_id: string
  team_domain: string | null
  chat_id: string
  chat_name: string | null
  expires_at: Timestamp
}

/** A build at a CI server that a push or merge request has started. */
export interface ExternalBuildTable {
  id: Id
  integration_id: number
  project_id: number
  /** User whose push or merge request it was. */
  user_id: number
  /** Name of the branch or tag. */
  ref: string
  tag: boolean
  sha: string
  /** The state that the commit has; null = none yet. */
  state: ReportedState | null
  /** When the CI server is asked next. */
  due_at: Timestamp
  created_at: Timestamp
}

/** A response that a chat gets when a pipeline has ended. */
export interface ChatReplyTable {
  id: Id
  pipeline_id: number
  url_encrypted: string
  /** Null while the pipeline runs. */
  due_at: Timestamp | null
  /** When the chat service takes no response any more. */
  expires_at: Timestamp
}
