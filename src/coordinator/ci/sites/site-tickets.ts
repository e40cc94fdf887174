import { type Static, Type } from 'typebox'

import { requestAddress } from '../../../lib/request-address.js'
import { HOUR } from '../../../lib/time-units.js'
import { openToken, sealToken } from '../../crypto/sealed-token.js'
import type { SecretBox } from '../../crypto/secret-box.js'
import { SITE_PREFIX } from '../site-addresses/site-origins.js'

/** How long the address of a private site is valid, in milliseconds. */
const TICKET_LIFE = HOUR

/** Who may read which private site, and until when. */
const SiteTicket = Type.Object({
  use: Type.Literal('site'),
  project: Type.Integer(),
  user: Type.Integer(),
  /** Milliseconds since 1970. */
  until: Type.Integer(),
})
export type SiteTicket = Static<typeof SiteTicket>

/** The first part of the address of a private site for a reader. */
export function signSite(
  secrets: SecretBox,
  { projectId, userId }: { projectId: number; userId: number },
  now = Date.now(),
): string {
  const ticket: SiteTicket = { use: 'site', project: projectId, user: userId, until: now + TICKET_LIFE }
  return `~${sealToken(secrets, ticket)}`
}

/** Undefined for what was not signed here for a site. It may have expired. */
export function openTicket(secrets: SecretBox, signed: string): SiteTicket | undefined {
  return openToken(secrets, SiteTicket, signed.slice(1))
}

/** The decoded segments of an address below `SITE_PREFIX`, and its query; undefined if it cannot be decoded. */
export function parseSiteAddress(address: string): { segments: string[]; search: string } | undefined {
  const { pathname, search } = requestAddress(address)
  try {
    return { segments: pathname.slice(SITE_PREFIX.length).split('/').map(decodeURIComponent), search }
  } catch {
    return undefined
  }
}
