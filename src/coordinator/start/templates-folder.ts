import { stat } from 'node:fs/promises'

import { isMissingFile } from '../../lib/files.js'
import { StartError } from './start-error.js'

/** Throws `StartError` if the setting `templates_dir` does not name a folder. */
export async function checkTemplatesFolder(folder: string | undefined): Promise<void> {
  if (folder === undefined) return
  const found = await stat(folder).catch(missing)
  if (found?.isDirectory()) return
  throw new StartError(
    `templates_dir is ${folder}, which is no folder. Create it, or name another one, or leave the setting out.`,
  )
}

function missing(error: NodeJS.ErrnoException): undefined {
  if (!isMissingFile(error) && error.code !== 'ENOTDIR') throw error
}
