import type { Default, Id, Timestamp } from '../columns.js'

/** How a project works with another service. */
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
