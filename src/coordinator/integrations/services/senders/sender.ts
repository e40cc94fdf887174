import type { Purpose } from '../../webhooks/deliveries/attempt-delivery.js'
import type { OutgoingMessage } from '../../webhooks/deliveries/outgoing-message.js'
import type { Fields } from '../fields.js'
import type { Settings } from '../settings.js'

/** An event as an integration gets it. */
export interface Happening {
  /** The payload of the webhook, as JSON. */
  payload: string
  /** The payload, parsed. */
  event: Fields
  settings: Settings
  /** Whether a flag of the integration is on. */
  wants: (flag: string) => boolean
  purpose: Purpose
  /** Equal for all attempts to deliver the event, and for no other. */
  key: string
  facts: Facts
}

/** What an event does not tell. */
export interface Facts {
  /** Whether an open merge request has the branch as its source. */
  hasMergeRequest: (branch: string) => Promise<boolean>
  isProtected: (branch: string) => Promise<boolean>
  /** The diff between two commits, cut if it is long; empty if one of them does not exist. */
  diff: (from: string, to: string) => Promise<string>
  /** The last lines of the log of a job that has ended, cut if they are long; empty if nobody may read them. */
  logFailure: (jobId: number) => Promise<string>
  /** The address of an active user. */
  emailOf: (userId: number) => Promise<string | undefined>
  defaultBranch: () => Promise<string | null>
}

/** Sends the events of an integration. */
export interface Sender {
  /** Ordered as they are sent; the same for the same event. Empty if there is nothing to send. */
  send: (happening: Happening) => OutgoingMessage[] | Promise<OutgoingMessage[]>
  /** What tests the settings without an effect; by default a test sends a sample. */
  test?: (settings: Settings) => OutgoingMessage[]
}

export const JSON_BODY = { 'Content-Type': 'application/json' }
