/** A mail, without what the settings of the mail server add. */
export interface MailContent {
  /** Name of the sender; null = that of the settings. The address is always that of the settings. */
  fromName: string | null
  to: MailAddress
  subject: string
  text: string
  html: string
  /** Without angle brackets; the same for all attempts. */
  messageId: string
  /** Message-ID of the mail that began the thread; null = this one begins it, or there is no thread. */
  inReplyTo: string | null
  /** More headers. */
  headers: Readonly<Record<string, string>>
}

export interface MailAddress {
  name: string
  address: string
}

/** A mail to write; what is left out gets its usual value. */
export type NewMail = Pick<MailContent, 'to' | 'subject' | 'text' | 'html'> &
  Partial<MailContent> & {
    /** The recipient; null for an address without an account. */
    userId: number | null
  }
