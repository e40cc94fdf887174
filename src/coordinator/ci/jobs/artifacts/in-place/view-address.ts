import { type Static, Type } from 'typebox'

import { encodePath } from '../../../../../addresses/address-of.js'
import { HOUR } from '../../../../../lib/time-units.js'
import { openToken, sealToken } from '../../../../crypto/sealed-token.js'
import type { SecretBox } from '../../../../crypto/secret-box.js'

/** Below it, each job has an address for its files. No namespace can have this path. */
export const VIEW_PREFIX = '/-/artifacts/'

/** How long the address of a view is valid, in milliseconds. */
const VIEW_LIFE = HOUR

/** What an address of a view says: who may read the files of which job, and until when. */
const View = Type.Object({
  use: Type.Literal('artifacts-in-place'),
  job: Type.Integer(),
  /** The one whose rights count; null = a visitor. */
  user: Type.Union([Type.Integer(), Type.Null()]),
  /** Milliseconds since 1970. */
  until: Type.Integer(),
})
export type View = Static<typeof View>

export interface ViewAddress {
  url: string
  /** Milliseconds since 1970. */
  until: number
}

/** Who signs addresses of views, and where they lead. */
export interface ViewAddressDeps {
  secrets: SecretBox
  /** The origin of artifacts: that of `web.artifacts_url`, or of the coordinator. */
  artifactsUrl: string
}

/**
 * The address at which a browser reads the files of a job in place. It needs no cookie, because it is for pages that must
 * not have one. The rights of the user are checked again at each read.
 * @param path of a file or a folder in the archive; a folder ends with a slash, or is empty
 */
export function signView(
  { secrets, artifactsUrl }: ViewAddressDeps,
  { jobId, userId, path }: { jobId: number; userId: number | undefined; path: string },
  now = Date.now(),
): ViewAddress {
  const until = now + VIEW_LIFE
  const view: View = { use: 'artifacts-in-place', job: jobId, user: userId ?? null, until }
  return {
    url: `${artifactsUrl}${VIEW_PREFIX}${sealToken(secrets, view)}/${encodePath(path)}`,
    until,
  }
}

/** Undefined for a token that was not signed here for a view. It may have expired. */
export function openView(secrets: SecretBox, token: string): View | undefined {
  return openToken(secrets, View, token)
}
