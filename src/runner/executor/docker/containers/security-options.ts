import { readFileSync } from 'node:fs'

import type { HostConfig } from 'dockerode'

import { messageOf } from '../../../../lib/errors.js'
import type { SecuritySettings } from '../settings.js'
import { withoutAbsent } from './resource-limits.js'

const NO_NEW_PRIVILEGES = 'no-new-privileges'
const BUILT_IN_PROFILES = ['unconfined', 'builtin']

/**
 * What a privileged or a common container is guarded with: no new privileges, unless it is privileged or the settings
 * speak of them.
 */
export function securityOptions(configured: readonly string[], isPrivileged: boolean): string[] {
  const isSaid = configured.some((option) => nameOf(option) === NO_NEW_PRIVILEGES)
  return isPrivileged || isSaid ? [...configured] : [NO_NEW_PRIVILEGES, ...configured]
}

/**
 * An option as the engine wants it: a seccomp profile that is a file of this machine is replaced by what it holds
 * (runner protocol, 9.4). Answers the problem when it cannot be read.
 */
export function readSecurityOption(option: string): { option: string } | { problem: string } {
  const value = option.slice(nameOf(option).length + 1)
  const isFile = nameOf(option) === 'seccomp' && !BUILT_IN_PROFILES.includes(value) && !value.startsWith('{')
  if (!isFile) return { option }
  try {
    return { option: `seccomp=${JSON.stringify(JSON.parse(readFileSync(value, 'utf8')))}` }
  } catch (error) {
    return { problem: `names the seccomp profile ${value}, which cannot be read: ${messageOf(error)}` }
  }
}

/** `name=value`; older files have a colon. */
function nameOf(option: string): string {
  return option.split(/[=:]/, 1)[0] ?? ''
}

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
