import { join } from 'node:path'

import { tokenDigest } from '../lib/tokens.js'
import type { RunnerEntry } from './config/settings.js'

/**
 * Where the workspaces of one entry lie. Entries number their jobs and their coordinators number their projects on
 * their own, so that nothing but a folder of its own keeps the jobs of two entries apart.
 */
export function workspaceFolder(dataDir: string, { url, token }: Pick<RunnerEntry, 'url' | 'token'>): string {
  return join(dataDir, 'workspaces', tokenDigest(`${url} ${token}`).slice(0, 16))
}
