import { access } from 'node:fs/promises'
import { join } from 'node:path'

import { isMissingFile } from '../../../lib/files.js'

/** Whether there is a repository at `gitDir`; throws if this cannot be determined. */
export async function isRepository(gitDir: string): Promise<boolean> {
  try {
    await access(join(gitDir, 'HEAD'))
    return true
  } catch (error) {
    if (isMissingFile(error)) return false
    throw error
  }
}
