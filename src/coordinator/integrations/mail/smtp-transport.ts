import { createTransport } from 'nodemailer'

import { isLoopbackHost } from '../../../lib/is-loopback-host.js'
import { VERSION } from '../../../lib/version.js'
import type { MailContent } from './mail-content.js'

export interface MailSettings {
  /** `smtp://` or `smtps://`, with user and password if the server requires them. */
  url: string
  /** Sender of all mails. */
  from: { name: string; address: string }
  /** Where replies go; undefined = to the sender. */
  replyTo?: string
}

/** Result of an attempt. `later`: the server may take it another time; `now`: the same holds for all other mails. */
export type SendResult =
  | { outcome: 'sent' }
  | { outcome: 'refused' | 'later' | 'unreachable'; reason: string; cause: unknown }

export interface MailTransport {
  /** Never rejects. */
  send: (content: MailContent, options: { html: boolean }) => Promise<SendResult>
  close: () => void
}

const CONNECTIONS = 4
/** Milliseconds. */
const TIMEOUT = 30_000

/**
 * Sends mails over SMTP, through connections that stay open. `smtp://` uses STARTTLS if the server offers it, and
 * requires it before a password leaves this machine.
 */
export function smtpTransport({ url, from, replyTo }: MailSettings): MailTransport {
  const { protocol, hostname, port, username, password } = new URL(url)
  const isSecure = protocol === 'smtps:'
  const transport = createTransport({
    pool: true,
    host: hostname.replaceAll(/[[\]]/g, ''),
    port: port === '' ? (isSecure ? 465 : 587) : Number(port),
    secure: isSecure,
    requireTLS: !isSecure && username !== '' && !isLoopbackHost(hostname),
    ...(username !== '' && {
      auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) },
    }),
    maxConnections: CONNECTIONS,
    // The outbox tries again; a pool that does would send some mails twice.
    maxRequeues: 0,
    connectionTimeout: TIMEOUT,
    greetingTimeout: TIMEOUT,
    socketTimeout: TIMEOUT,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  return {
    send: async (content, { html }) => {
      const { fromName, inReplyTo } = content
      try {
        await transport.sendMail({
          from: { ...from, ...(fromName !== null && { name: fromName }) },
          to: content.to,
          ...(replyTo !== undefined && { replyTo }),
          subject: content.subject,
          text: content.text,
          ...(html && { html: content.html }),
          messageId: `<${content.messageId}>`,
          ...(inReplyTo !== null && { inReplyTo: `<${inReplyTo}>`, references: `<${inReplyTo}>` }),
          headers: content.headers,
          xMailer: `Switchyard ${VERSION}`,
        })
        return { outcome: 'sent' }
      } catch (error) {
        return failureOf(error)
      }
    },
    close: () => transport.close(),
  }
}

function failureOf(error: unknown): SendResult {
  if (!(error instanceof Error)) return { outcome: 'later', reason: String(error), cause: error }
  const { responseCode, code } = error as Error & { responseCode?: number; code?: string }
  const reason = error.message
  // A wrong password and a server that is away concern every mail; a mailbox that does not exist only this one.
  const isOfMail = code === 'EENVELOPE' || code === 'EMESSAGE'
  if (!isOfMail) return { outcome: 'unreachable', reason, cause: error }
  const isFinal = responseCode === undefined || responseCode >= 500
  return { outcome: isFinal ? 'refused' : 'later', reason, cause: error }
}
