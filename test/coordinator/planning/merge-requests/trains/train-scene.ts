import { sql } from 'kysely'

import { finishJob } from '../../../../../src/coordinator/ci/engine/finish/finish-job.js'
import { inTransaction } from '../../../../../src/coordinator/database/transaction.js'
import { driveTrain } from '../../../../../src/coordinator/planning/merge-requests/trains/drive-train.js'
import {
  findTrainsToPlan,
  finishTrain,
  wakeAllTrains,
} from '../../../../../src/coordinator/planning/stores/merge-train-store.js'
import type { OpenDatabase } from '../../../../support/databases.js'
import type { Person } from '../../../support/test-app.js'
import { mergeSceneForFile } from '../git-scene.js'

const CI_FILE = 'test: { script: [make], rules: [{ if: $CI_PIPELINE_SOURCE == "merge_request_event" }] }\n'

interface CarRecord {
  id: number
  status: string
  target_branch: string
  merged_at: string | null
  duration: number | null
  merge_request: { iid: number; state: string }
  pipeline: { id: number; sha: string; ref: string; status: string } | null
  user: { id: number } | null
}

/** A project with merge trains. A job fails if its commit has the file `broken`, or both `old-name` and `new-name`. */
export function trainSceneForFile() {
  const open = mergeSceneForFile()
  return async (database?: OpenDatabase) => trainSceneOf(await open(database))
}

async function trainSceneOf(scene: Awaited<ReturnType<ReturnType<typeof mergeSceneForFile>>>) {
  const { services, database, deps, ok, call, commit, make, refresh, git, P } = scene
  const { engine } = services
  await ok(`PUT ${P}`, { merge_trains_enabled: true })
  await commit({ '.gitlab-ci.yml': CI_FILE }, { branch: 'main' })
  const files = async (sha: string) => (await git('ls-tree', '--name-only', sha)).split('\n')
  const isBad = async (sha: string) => {
    const names = await files(sha)
    return names.includes('broken') || (names.includes('old-name') && names.includes('new-name'))
  }
  return {
    ...scene,
    isBad,
    /** A merge request whose own pipeline has passed. */
    ready: async (branch: string, content: Record<string, string>) => {
      await commit(content, { branch, from: 'main' })
      const { iid } = await make(branch, { title: `Add ${branch}` })
      await refresh()
      await scene.finishJobs('success')
      return iid
    },
    add: (iid: number, body: object = {}, as?: Person) =>
      call(`POST ${P}/merge_trains/merge_requests/${iid}`, body, as),
    /** Does what is due, as the worker would. */
    drive: async () => {
      for (const train of await findTrainsToPlan(database)) {
        await driveTrain({ ...deps, engine }, train, new AbortController().signal)
        await finishTrain(database, train)
      }
    },
    /** Ends the jobs of all pipelines: they fail for a commit that is bad. Returns how many pipelines have ended. */
    test: async () => {
      const jobs = await database
        .updateTable('job')
        .set(({ ref }) => ({ status: 'running', token_digest: sql`'digest of ' || ${ref('id')}` }))
        .where('status', '=', 'pending')
        .returningAll()
        .execute()
      for (const job of jobs) {
        const { sha } = await database
          .selectFrom('pipeline')
          .select('sha')
          .where('id', '=', job.pipeline_id)
          .executeTakeFirstOrThrow()
        const failure = { status: 'failed', reason: 'script_failure', exitCode: 1 } as const
        await finishJob(engine, job, (await isBad(sha)) ? failure : { status: 'success' })
      }
      return jobs.length
    },
    /** As the periodic task. */
    wake: () => inTransaction(database, wakeAllTrains),
    cars: (query = '') => ok<CarRecord[]>(`GET ${P}/merge_trains${query}`),
    notes: async (iid: number) =>
      (await ok<{ body: string; system: boolean }[]>(`GET ${P}/merge_requests/${iid}/notes`))
        .filter(({ system }) => system)
        .map(({ body }) => body),
  }
}
