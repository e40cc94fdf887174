/** What the server tells a page as it sends it, as JSON in the element `boot`. */
export interface Boot {
  /** When the page was sent, in milliseconds since 1970: what it reads is not older. */
  time: number
  /** The user of the session; null if nobody is signed in. */
  user: BootUser | null
  /** The value of the header `X-CSRF-Token` of requests that make changes; null without a session. */
  csrf_token: string | null
  /** Nonce for the styles of the editor. */
  style_nonce: string
  /** The build of the pages: after an upgrade, a page that is open loads the new one. */
  build: string
  /** The object that the address names; null if there is none that the user may see. */
  found: 'project' | 'group' | 'user' | 'page' | null
  external_url: string
  /** Whether repositories can be cloned over SSH. */
  serves_ssh: boolean
  /** Path of the image that stands for the instance in the bar; null for the usual one. */
  header_logo: string | null
  /** Messages of administrators that are shown now, on some page. */
  broadcasts: readonly Broadcast[]
}

/** A message of administrators. */
export interface Broadcast {
  /** Stands for this version of the message: a reader who has closed it sees it again when it is changed. */
  key: string
  /** Inline HTML, which is safe to display. */
  html: string
  kind: 'banner' | 'notification'
  /** CSS colours. */
  background: string
  color: string
  /** Path of the pages that show it, where `*` stands for any text; empty = all. */
  path: string
  /** Access levels of the reader in the project or group of the page; empty = everybody, on all pages. */
  levels: readonly number[]
  is_closable: boolean
}

export interface BootUser {
  id: number
  username: string
  name: string
  avatar_url: string | null
  is_admin: boolean
}
