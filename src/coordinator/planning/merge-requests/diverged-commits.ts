import { runGit } from '../../../git/run-git.js'
import { commitOfMergeRequest } from '../../hosting/repositories/change/merge-request-refs.js'
import type { Repositories } from '../../hosting/repositories/repositories.js'
import type { MergeRequestRow } from '../stores/merge-request-store.js'

/** Number of commits of the target branch that the head lacks; 0 if the branch or the head does not exist. */
export async function divergedCommits(
  repositories: Pick<Repositories, 'resolveRef' | 'withSlot' | 'path'>,
  { project_id, iid, target_branch }: Pick<MergeRequestRow, 'project_id' | 'iid' | 'target_branch'>,
): Promise<number> {
  const target = await repositories.resolveRef(project_id, `refs/heads/${target_branch}`)
  const gitDir = repositories.path(project_id)
  return repositories.withSlot(project_id, 'inner', async () => {
    const head = await commitOfMergeRequest(gitDir, iid, 'head')
    if (!target || head === undefined) return 0
    const range = ['--end-of-options', `${head}..${target.sha}`]
    return Number(await runGit(['--git-dir', gitDir, 'rev-list', '--count', ...range]))
  })
}
