import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { outputOf } from './output-of.mjs'
import { FILES } from './plan.mjs'

/**
 * @param {string} folder
 * @returns {Promise<import('./plan.mjs').Repository>}
 */
export async function readRepository(folder) {
  const git = (/** @type {string[]} */ ...args) => outputOf('git', args, folder)
  const texts = await Promise.all(
    FILES.map(async (name) => [name, await readFile(join(folder, name), 'utf8')]),
  )
  return {
    branch: await git('branch', '--show-current'),
    head: await git('rev-parse', 'HEAD'),
    changes: await git('status', '--porcelain'),
    tags: (await git('tag', '--list')).split('\n'),
    texts: /** @type {import('./plan.mjs').Texts} */ (Object.fromEntries(texts)),
  }
}
