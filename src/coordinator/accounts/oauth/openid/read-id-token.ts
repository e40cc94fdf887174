import type { TokenSigner } from '../../../crypto/token-signer.js'

/**
 * The user and the client of an ID token that this server has issued, even if it has expired; undefined for anything
 * else, such as an ID token of a job.
 */
export async function userOfIdToken(
  signer: Pick<TokenSigner, 'issuer' | 'verify'>,
  token: string,
): Promise<{ userId: number; clientId: string } | undefined> {
  const claims = await signer.verify(token)
  const { iss, sub, aud } = claims ?? {}
  if (iss !== signer.issuer || typeof sub !== 'string' || typeof aud !== 'string') return undefined
  return /^\d{1,15}$/.test(sub) ? { userId: Number(sub), clientId: aud } : undefined
}
