import type { HostConfig } from 'dockerode'

import type { SecuritySettings } from '../settings.js'
import { withoutAbsent } from './without-absent.js'

/**
 * What the engine gives by default and builds do not need: forging packets of other containers on the same bridge,
 * making device files, and writing to the audit log of the host. The others stay: package managers, `chown`, `su` and
 * servers on low ports use them.
 */
const DROPPED = ['AUDIT_WRITE', 'MKNOD', 'NET_RAW']

/** Of a container that is not privileged: what `cap_add` names is not dropped. */
export function capabilities(
  { capAdd, capDrop }: Pick<SecuritySettings, 'capAdd' | 'capDrop'>,
  isPrivileged: boolean,
): HostConfig {
  const named = new Set([...(capAdd ?? []), ...(capDrop ?? [])].map(plainName))
  const dropped = isPrivileged || named.has('ALL') ? [] : DROPPED.filter((name) => !named.has(name))
  const all = [...(capDrop ?? []), ...dropped]
  return withoutAbsent({ CapAdd: capAdd, CapDrop: all.length === 0 ? capDrop : all })
}

/** `CAP_NET_RAW` and `net_raw` name one capability. */
function plainName(name: string): string {
  return name.toUpperCase().replace(/^CAP_/, '')
}
