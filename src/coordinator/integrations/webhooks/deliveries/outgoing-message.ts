import type { NewMail } from '../../mail/mail-content.js'

/** The headers of a request, by name. Except for `Content-Type` and `Accept`, delivery logs hide their values. */
type Headers = Readonly<Record<string, string>>

/** Goes to the URL of the webhook, with the headers of webhooks. */
interface PayloadMessage {
  kind: 'payload'
  /** Replaces the URL of the webhook. */
  url?: string
  /** JSON text. */
  body: string
}

/** A request to an API of another service, whose form that service determines. */
export interface RequestMessage {
  kind: 'request'
  method: 'GET' | 'POST' | 'PUT'
  url: string
  headers: Headers
  body?: string
  /** Whether a response of 400 to 499 is no failure, because the other service need not allow it. */
  mayBeRefused?: true
}

/** Asks the other service first; its response determines the requests. */
interface LookupMessage {
  kind: 'lookup'
  url: string
  headers: Headers
  /**
   * Takes the body of a response with a status of 200 to 299. The requests that it returns are sent at once, up to the
   * first that fails, and are retried together. It returns an empty list if there is nothing to send.
   */
  follow: (body: string) => RequestMessage[]
}

/** Bytes for a server that does not respond. */
export interface SocketMessage {
  kind: 'socket'
  host: string
  port: number
  body: string
}

/** Mails, which are stored with the others and sent by the mail server. */
export interface MailMessage {
  kind: 'mail'
  mails: readonly NewMail[]
}

/** One of the requests by which an event is delivered. */
export type OutgoingMessage = PayloadMessage | RequestMessage | LookupMessage | SocketMessage | MailMessage
