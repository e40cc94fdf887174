import { inTransaction, type Transaction } from '../../../../../src/coordinator/database/transaction.js'
import type { RefChanger } from '../../../../../src/coordinator/hosting/repositories/change/change-refs.js'
import type { MovedRef } from '../../../../../src/coordinator/hosting/repositories/push/handle-push.js'
import { emitPushEvents } from '../../../../../src/coordinator/integrations/webhooks/outbox/emit-push-events.js'
import type { MergeOptions } from '../../../../../src/coordinator/planning/merge-requests/merge-params.js'
import { completeMerges } from '../../../../../src/coordinator/planning/merge-requests/merge/mark-merged.js'
import { mergeNow } from '../../../../../src/coordinator/planning/merge-requests/merge/merge-now.js'
import {
  insertMergeRequest,
  type MergeRequestRow,
  type NewMergeRequestRow,
} from '../../../../../src/coordinator/planning/stores/merge-request-store.js'
import {
  type RepositoryApi,
  repositoryApiForFile,
  seedCommit,
  seedDefaultBranch,
} from '../../../support/repository-api.js'
import { EXTERNAL_URL } from '../../../support/test-app.js'

export interface MergeableBranches extends RepositoryApi {
  /** Another commit on `main`. */
  advanceMain(files?: Record<string, string>): Promise<string>
  /** Adds a merge request from a new branch with one commit into `main`. */
  open(branch: string, more?: Partial<NewMergeRequestRow>): Promise<MergeRequestRow>
  /** Merges as the owner. */
  merge(row: MergeRequestRow, options?: MergeOptions): Promise<MergeRequestRow>
  merger: RefChanger
  /** The head of a branch. */
  head(branch: string): Promise<string>
  row(id: number): Promise<MergeRequestRow>
  setProject(values: Partial<RepositoryApi['project']>): Promise<void>
}

/** Opens the API once for all tests of a file. Each gets an empty store, and a project that no other test has had. */
export function mergeableBranchesForFile(): () => Promise<MergeableBranches> {
  const openApi = repositoryApiForFile()
  return async () => withMerges(await openApi())
}

async function withMerges(api: RepositoryApi): Promise<MergeableBranches> {
  api.onRefMoved = async (tx: Transaction, projectId: number, moved: MovedRef) => {
    await emitPushEvents(tx, projectId, moved)
    await completeMerges(tx, projectId, moved)
  }
  const { database, owner: user } = api
  await seedDefaultBranch(api)
  const merger = {
    project: await projectNow(api),
    user,
    accessLevel: 50,
    signal: new AbortController().signal,
  }
  const deps = { pushes: api, externalUrl: EXTERNAL_URL }
  return {
    ...api,
    merger,
    advanceMain: (files = { main: 'main' }) => seedCommit(api, files),
    open: async (branch, more = {}) => {
      await api.git('branch', branch, 'main')
      const head_sha = await seedCommit(api, { [branch]: branch }, { branch, message: `Add ${branch}` })
      const now = Date.now()
      const values = {
        project_id: api.project.id,
        source_project_id: api.project.id,
        source_branch: branch,
        target_branch: 'main',
        title: `Title of ${branch}`,
        description: null,
        author_id: user.id,
        head_sha,
        created_at: now,
        updated_at: now,
        ...more,
      }
      return inTransaction(database, (tx) => insertMergeRequest(tx, values as NewMergeRequestRow))
    },
    merge: async (row, options = {}) =>
      mergeNow(deps, { ...merger, project: await projectNow(api) }, row, options),
    head: (branch) => api.git('rev-parse', `refs/heads/${branch}`),
    row: (id) =>
      database.selectFrom('merge_request').selectAll().where('id', '=', id).executeTakeFirstOrThrow(),
    setProject: async (values) => {
      await database.updateTable('project').set(values).where('id', '=', api.project.id).execute()
    },
  }
}

function projectNow({ database, project }: RepositoryApi): Promise<RepositoryApi['project']> {
  return database.selectFrom('project').selectAll().where('id', '=', project.id).executeTakeFirstOrThrow()
}
