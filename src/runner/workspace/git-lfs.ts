import { rm } from 'node:fs/promises'
import { join } from 'node:path'

import { isInstalled } from '../../lib/is-installed.js'
import type { CloneAddress } from './clone-address.js'

/** Whether the program is on this machine. */
export async function isLfsInstalled(): Promise<boolean> {
  return await isInstalled('git-lfs')
}

/**
 * Git settings of a checkout that turns pointers into files, or leaves them (runner protocol, 7.9). Git writes the
 * files itself: the program only hands it their content. The commit's `.lfsconfig` may say where from, and is
 * overruled: the job's token must not go there.
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

/** What git-lfs writes about its failures holds its environment, and so the token. */
export async function removeLfsLogs(gitDir: string): Promise<void> {
  await rm(join(gitDir, 'lfs', 'logs'), { recursive: true, force: true })
}
