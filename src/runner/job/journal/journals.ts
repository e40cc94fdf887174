import { randomBytes } from 'node:crypto'
import { mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'

import type { Logger } from '../../../lib/logger.js'
import type { JobJournal } from './job-journal.js'
import type { JournaledJob } from './job-state.js'

/** The journals of all jobs of the runner on this machine, below its data directory. */
export class Journals {
  private readonly folder: string

  constructor(
    dataDir: string,
    private readonly logger: Logger,
  ) {
    this.folder = join(dataDir, 'jobs')
  }

  async begin(job: JournaledJob): Promise<JobJournal> {
    const name = `${job.payload.id}-${randomBytes(6).toString('hex')}`
    const { JobJournal } = await loadJobJournal()
    return await JobJournal.begin(join(this.folder, name), job)
  }

  /** Creates the folder and returns the unfinished jobs of earlier processes. Unreadable journals are set aside. */
  async open(): Promise<JobJournal[]> {
    await mkdir(this.folder, { recursive: true, mode: 0o700 })
    const journals: JobJournal[] = []
    for (const name of await readdir(this.folder)) {
      const journal = await this.load(join(this.folder, name))
      if (journal) journals.push(journal)
    }
    return journals
  }

  private async load(folder: string): Promise<JobJournal | undefined> {
    try {
      const { JobJournal } = await loadJobJournal()
      const journal = await JobJournal.load(folder)
      if (!journal) await rm(folder, { recursive: true, force: true })
      return journal
    } catch (error) {
      this.logger.error(
        { folder, err: error },
        'The journal of a job cannot be read; the job fails when its lease expires',
      )
      return undefined
    }
  }
}

/**
 * Loaded with the first job, because it brings in the schema library. An idle runner needs less memory without it.
 */
function loadJobJournal() {
  return import('./job-journal.js')
}
