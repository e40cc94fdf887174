import { readFileSync } from 'node:fs'

import type { HostConfig } from 'dockerode'

import { messageOf } from '../../../../lib/errors.js'
import type { SecuritySettings } from '../settings.js'
import { withoutAbsent } from './resource-limits.js'

const NO_NEW_PRIVILEGES = 'no-new-privileges'
const BUILT_IN_PROFILES = ['unconfined', 'builtin']

/**
 * The security options of a container. `no-new-privileges` is added, unless the container is privileged or the
 * settings specify it.
 */
export function securityOptions(configured: readonly string[], isPrivileged: boolean): string[] {
  const isSaid = configured.some((option) => nameOf(option) === NO_NEW_PRIVILEGES)
  return isPrivileged || isSaid ? [...configured] : [NO_NEW_PRIVILEGES, ...configured]
}

/**
 * Converts an option into the engine's format: the path of a seccomp profile is replaced by its content (runner
 * protocol, 9.4). Returns the problem if the file cannot be read.
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

/** The name in `name=value`. Older files use a colon. */
function nameOf(option: string): string {
  return option.split(/[=:]/, 1)[0] ?? ''
}

/**
 * Capabilities that the engine grants by default and builds do not need. They allow forging packets of other
 * containers on the same bridge, creating device files, and writing to the audit log of the host. The others stay,
 * because package managers, `chown`, `su` and servers on low ports use them.
 */
const DROPPED = ['AUDIT_WRITE', 'MKNOD', 'NET_RAW']

/** The capabilities of an unprivileged container. Those in `cap_add` are not dropped. */
export function capabilities(
  { capAdd, capDrop }: Pick<SecuritySettings, 'capAdd' | 'capDrop'>,
  isPrivileged: boolean,
): HostConfig {
  const named = new Set([...(capAdd ?? []), ...(capDrop ?? [])].map(plainName))
  const dropped = isPrivileged || named.has('ALL') ? [] : DROPPED.filter((name) => !named.has(name))
  const all = [...(capDrop ?? []), ...dropped]
  return withoutAbsent({ CapAdd: capAdd, CapDrop: all.length === 0 ? capDrop : all })
}

/** `CAP_NET_RAW` and `net_raw` name the same capability. */
function plainName(name: string): string {
  return name.toUpperCase().replace(/^CAP_/, '')
}
