import { createHash } from 'node:crypto'

import type { User } from '../../access/caller.js'
import type { Database } from '../../database/connect.js'
import type { GitCaller } from '../../http/authentication/git-credentials.js'

export interface FindKeyDeps {
  database: Database
  /** Whether administrators allow keys of this kind and size. */
  allowsKey?: (blob: Buffer) => Promise<boolean>
}

/** Whom a key identifies; `refused` is an account that is not active. */
export type KeyHolder =
  | {
      caller: GitCaller
      /** Different for each user and deploy key. */
      name: string
      /** ID of the key of a user. */
      userKeyId?: number
    }
  | { refused: User }
  | undefined

/**
 * Finds the user or the deploy key of a public key, given as its bytes. Keys that expired, only sign, or are not allowed
 * any more are unknown.
 */
export async function findKeyHolder({ database, allowsKey }: FindKeyDeps, blob: Buffer): Promise<KeyHolder> {
  const holder = await findHolderOfFingerprint(database, fingerprintOf(blob))
  return holder && (!allowsKey || (await allowsKey(blob))) ? holder : undefined
}

/** SHA-256 of the bytes of a key, in base64 without padding. */
export function fingerprintOf(blob: Buffer): string {
  return createHash('sha256').update(blob).digest('base64').replace(/=+$/, '')
}

/** As `findKeyHolder`, by the fingerprint. */
export async function findHolderOfFingerprint(
  database: Database,
  fingerprint: string,
  now: number = Date.now(),
): Promise<KeyHolder> {
  const found = await userOfKey(database, fingerprint, now)
  if (found) {
    const { key_id, ...user } = found
    if (user.state !== 'active') return { refused: user }
    const scopes = ['read_repository', 'write_repository']
    const caller = { kind: 'user', user, scopes, tokenId: undefined } as const
    return { caller, name: `user ${user.id}`, userKeyId: key_id }
  }
  const key = await database
    .selectFrom('deploy_key')
    .select(['id', 'creator_id'])
    .where('fingerprint_sha256', '=', `SHA256:${fingerprint}`)
    .where(({ eb, or }) => or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .executeTakeFirst()
  return key && { caller: await deployKeyCaller(database, key), name: `deploy key ${key.id}` }
}

function userOfKey(
  database: Database,
  fingerprint: string,
  now: number,
): Promise<(User & { key_id: number }) | undefined> {
  return database
    .selectFrom('ssh_key')
    .innerJoin('user', 'user.id', 'ssh_key.user_id')
    .selectAll('user')
    .select('ssh_key.id as key_id')
    .where('ssh_key.fingerprint_sha256', '=', fingerprint)
    .where('ssh_key.usage_type', '!=', 'signing')
    .where(({ eb, or }) => or([eb('ssh_key.expires_at', 'is', null), eb('ssh_key.expires_at', '>', now)]))
    .executeTakeFirst()
}

async function deployKeyCaller(
  database: Database,
  { id, creator_id }: { id: number; creator_id: number | null },
): Promise<GitCaller> {
  const projects = await database
    .selectFrom('deploy_key_project')
    .select(['project_id as projectId', 'can_push as canPush'])
    .where('deploy_key_id', '=', id)
    .execute()
  const user = await database
    .selectFrom('user')
    .selectAll()
    .where('id', '=', creator_id ?? 0)
    .where('state', '=', 'active')
    .executeTakeFirst()
  return { kind: 'deploy-key', user, projects }
}
