import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { JobPayload } from '../../../../src/protocol/job-payload.js'
import type { CacheStores } from '../../../../src/runner/cache/cache-stores.js'
import { LocalFolder } from '../../../../src/runner/cache/local-folder.js'
import { LocalStore } from '../../../../src/runner/cache/local-store.js'
import { JobControl } from '../../../../src/runner/job/job-control.js'
import { restoreCaches, saveCaches } from '../../../../src/runner/job/stages/caches.js'
import { jobPayload } from '../../../support/job-payload.js'
import { QUICK_TIMINGS } from '../../../support/quick-timings.js'
import { tempDir } from '../../../support/temp-dir.js'
import { RecordedLog } from '../../executor/docker-jobs.js'
import { type OpenWorkspace, openWorkspace } from '../../workspace/workspaces.js'

/** A machine whose caches are in a folder, unless it is given other ones. */
export async function openMachine(stores?: CacheStores) {
  const directory = await tempDir()
  const temporaryDir = join(directory, 'tmp')
  await mkdir(temporaryDir)
  const local = new LocalStore(new LocalFolder(join(directory, 'cache')), temporaryDir)
  const caches = stores ?? { storeFor: () => local }
  return {
    temporaryDir,
    /** A job in a workspace of its own, as on another machine. */
    job: async (changes: Partial<JobPayload>, values: Record<string, string> = {}) =>
      new CachedJob(await openWorkspace(), jobPayload(changes), { caches, temporaryDir }, values),
  }
}

/** The caches of one job, restored into and saved from a real workspace. */
export class CachedJob {
  readonly control = new JobControl()
  private readonly damagedCaches = new Set<string>()

  constructor(
    private readonly opened: OpenWorkspace,
    private readonly payload: JobPayload,
    private readonly place: { caches: CacheStores; temporaryDir: string },
    private readonly values: Record<string, string>,
  ) {}

  get work(): string {
    return this.opened.work
  }

  async restore(): Promise<{ kind: string; log: string }> {
    const log = new RecordedLog()
    const { kind } = await restoreCaches(this.context(log))
    return { kind, log: log.text }
  }

  async save(isSuccess = true): Promise<{ kind: string; log: string }> {
    const log = new RecordedLog()
    const { kind } = await saveCaches(this.context(log), isSuccess)
    return { kind, log: log.text }
  }

  private context(log: RecordedLog) {
    const values = new Map(Object.entries(this.values))
    const { payload, control, damagedCaches } = this
    return {
      ...this.place,
      payload,
      control,
      damagedCaches,
      log,
      workspace: this.opened.workspace,
      variables: { list: [], files: [], values, get: (name: string) => values.get(name) },
      timings: QUICK_TIMINGS,
    }
  }
}
