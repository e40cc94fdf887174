import { readFileSync } from 'node:fs'

import { messageOf } from '../../../../lib/errors.js'

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
