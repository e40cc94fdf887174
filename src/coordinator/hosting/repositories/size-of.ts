import { runGit } from '../../../git/run-git.js'
import type { Repositories } from './repositories.js'

/** Size of all objects, loose and packed, in bytes. */
export async function sizeOf(gitDir: string): Promise<number> {
  const output = await runGit(['--git-dir', gitDir, 'count-objects', '-v'])
  const kibibytes = (name: string) => Number(new RegExp(`^${name}: (\\d+)$`, 'm').exec(output)?.[1] ?? 0)
  return (kibibytes('size') + kibibytes('size-pack')) * 1024
}

/** As `sizeOf`, of a repository by its ID. */
export function measured(repositories: Repositories, id: number): Promise<number> {
  return repositories.withSlot(id, 'inner', () => sizeOf(repositories.path(id)))
}
