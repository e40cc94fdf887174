import { runGit } from '../../../../git/run-git.js'
import type { PushDeps } from '../push/handle-push.js'
import { type RefChanger, withChangeSlot } from './change-refs.js'

/**
 * Fetches the history of a commit from the repository of the project `fromId`, which is on the same disk. No ref
 * points to it afterwards, so housekeeping deletes it in time.
 */
export async function fetchCommit(
  deps: Pick<PushDeps, 'repositories'>,
  changer: Pick<RefChanger, 'project' | 'signal'>,
  fromId: number,
  sha: string,
): Promise<void> {
  const { repositories } = deps
  const { project, signal } = changer
  const settings = {
    'protocol.file.allow': 'always',
    'uploadpack.allowAnySHA1InWant': 'true',
    'fetch.unpackLimit': '1',
  }
  const git = ['--git-dir', repositories.path(project.id)]
  const quiet = ['fetch', '--quiet', '--no-tags', '--no-write-fetch-head']
  const args = [...git, ...quiet, '--', repositories.path(fromId), sha]
  await withChangeSlot(deps, changer, () => runGit(args, { settings, signal }))
}
