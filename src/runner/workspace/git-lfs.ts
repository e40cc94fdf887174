import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { isInstalled } from '../../lib/is-installed.js'
import type { CloneAddress } from './clone-address.js'

/** Whether git-lfs is installed on this machine. */
export async function isLfsInstalled(): Promise<boolean> {
  return await isInstalled('git-lfs')
}

/**
 * Git settings for a checkout that replaces pointers by files, or keeps them (runner protocol, 7.9). Git writes the
 * files itself, and git-lfs only provides their content. The `.lfsconfig` of the commit may name another server. It
 * is overridden, because the job's token must not be sent there.
 */
export function lfsSettings(address: CloneAddress, isSmudging: boolean): Record<string, string> {
  const server = `${address.url.replace(/\/+$/, '')}/info/lfs`
  const skip = isSmudging ? '' : ' --skip'
  return {
    ...(isSmudging ? address.credentials : {}),
    'filter.lfs.process': `git-lfs filter-process${skip}`,
    'filter.lfs.smudge': `git-lfs smudge${skip} -- %f`,
    'filter.lfs.clean': 'git-lfs clean -- %f',
    'filter.lfs.required': 'true',
    'lfs.url': server,
    'lfs.pushurl': server,
    [`lfs.${server}.access`]: 'basic',
    'lfs.basictransfersonly': 'true',
  }
}

/** The error logs of git-lfs contain its environment, and thus the token. */
export async function removeLfsLogs(gitDir: string): Promise<void> {
  await rm(join(gitDir, 'lfs', 'logs'), { recursive: true, force: true })
}
