import { GitError } from '../../../git/errors.js'
import { MERGE_REQUEST_HEADS } from '../../../git/names.js'
import { RemoteRepositoryError } from '../../egress/errors.js'
import { pinnedRemote } from '../../egress/remote-repository.js'
import { cloneInto } from '../../hosting/projects/import/clone.js'
import { adoptBranch } from '../../hosting/projects/import/fill-repository.js'
import { ImportError } from '../../hosting/projects/import/import-error.js'
import { isRepository } from '../../hosting/repositories/is-repository.js'
import { type EntityRun, record, type Step } from '../run.js'
import type { Outcome } from './list-step.js'
import { projectOf } from './owners.js'

/** Clones the repository with its branches, tags and heads of merge requests. No pipeline is created for them. */
export const repositoryStep: Step = {
  name: 'repository',
  run: async (run) => {
    const item = { kind: 'repositories', source_key: '1', name: `${run.entity.source_full_path}.git` }
    const outcome = run.bulkImport.dry_run ? ({ outcome: 'imported' } as const) : await cloneRepository(run)
    await record(run, { ...item, ...outcome })
  },
}

async function cloneRepository(run: EntityRun): Promise<Outcome> {
  const { repositories, database, onFilled } = run.deps
  const { id } = projectOf(run)
  const gitDir = repositories.path(id)
  if (await isRepository(gitDir)) {
    if (!(await isEmpty(run))) return { outcome: 'present' }
    // An import that failed or was canceled has left it.
    await repositories.delete(id)
  }
  try {
    const source = await remoteSource(run)
    await repositories.withSlot(id, 'tasks', () => cloneInto(gitDir, source, run.signal), run.signal)
  } catch (error) {
    run.signal.throwIfAborted()
    const isExpected = [GitError, ImportError, RemoteRepositoryError].some((kind) => error instanceof kind)
    if (!isExpected || !(error instanceof Error)) throw error
    // The project is kept, with an empty repository that accepts pushes.
    await repositories.create(id)
    return { outcome: 'failed', reason: error.message.replaceAll(gitDir, 'the repository') }
  }
  await adoptBranch({ database, repositories }, id, run.signal)
  onFilled(id)
  return { outcome: 'imported' }
}

async function isEmpty(run: EntityRun): Promise<boolean> {
  const { id, default_branch } = projectOf(run)
  return default_branch === null && (await run.deps.repositories.listRefs(id, 'branch')).length === 0
}

/** Below the address of the source, whatever URL it names: nobody else gets the token. */
async function remoteSource({ deps, bulkImport, entity, token }: EntityRun) {
  const address = new URL(`${bulkImport.source_url}/${entity.source_full_path}.git`)
  ;[address.username, address.password] = ['oauth2', token]
  const { url, settings } = await pinnedRemote(address.href, (wanted) => deps.egress.addressOf(wanted))
  return { from: url, settings, moreRefs: MERGE_REQUEST_HEADS }
}
