import sshpk from 'sshpk'

import type { Database } from '../../../database/connect.js'
import { effectiveSettings } from '../../../database/stores/application-setting-store.js'
import type { EffectiveSettings } from '../../../database/tables/application-settings.js'
import type { SshPublicKey } from './read-ssh-key.js'

type Kind = 'rsa' | 'dsa' | 'ecdsa' | 'ed25519'
type Restrictions = Pick<EffectiveSettings, `${Kind}_key_restriction`>

const KINDS: readonly Kind[] = ['rsa', 'dsa', 'ecdsa', 'ed25519']

/** What administrators require of the keys of users. */
export function keyRestrictions(database: Database): Promise<Restrictions> {
  return effectiveSettings(database, ...KINDS.map((kind) => `${kind}_key_restriction` as const))
}

/** Why a key is not accepted; undefined if it is. */
export function problemOfStrength(
  { key }: Pick<SshPublicKey, 'key'>,
  restrictions: Restrictions,
): string | undefined {
  const { kind, bits } = strengthOf(key)
  const least = restrictions[`${kind}_key_restriction`]
  if (least !== -1 && bits >= least) return undefined
  const accepted = KINDS.filter((one) => restrictions[`${one}_key_restriction`] !== -1)
  const name = kind.toUpperCase()
  return least === -1
    ? `type is forbidden. Must be ${accepted.map((one) => one.toUpperCase()).join(', ')}`
    : `${name} key must be at least ${least} bits`
}

/** Whether administrators allow a key that is given as its bytes. */
export async function allowsKey(database: Database, blob: Buffer): Promise<boolean> {
  const type = blob.toString('latin1', 4, 4 + blob.readUInt32BE(0))
  const key = `${type} ${blob.toString('base64')}`
  return problemOfStrength({ key }, await keyRestrictions(database)) === undefined
}

function strengthOf(key: string): { kind: Kind; bits: number } {
  const type = key.split(' ', 1)[0] ?? ''
  // The library does not read keys on a security token.
  if (type === 'sk-ssh-ed25519@openssh.com') return { kind: 'ed25519', bits: 256 }
  if (type === 'sk-ecdsa-sha2-nistp256@openssh.com') return { kind: 'ecdsa', bits: 256 }
  const { type: kind, size } = sshpk.parseKey(key, 'ssh')
  return { kind: KINDS.find((one) => one === kind) ?? 'rsa', bits: size }
}
