import { access, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Stores in the data folder that the sample pipeline has run, even if its project is deleted later. */
export class SampleMemory {
  private readonly file: string

  constructor(dataDir: string) {
    this.file = join(dataDir, 'sample-has-run')
  }

  async hasRun(): Promise<boolean> {
    try {
      await access(this.file)
      return true
    } catch (error) {
      if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
      throw error
    }
  }

  async remember(): Promise<void> {
    await writeFile(this.file, '')
  }
}
