import type { RunningService } from './git-service.js'

const MOST_REMEMBERED = 10_000

/**
 * What git says first in version 2 of its protocol: what it can do, and nothing about refs. That is the same for as long
 * as a repository is there, and every fetch begins with it; so git is started for it once.
 */
export class Capabilities {
  private readonly known = new Map<string, Buffer>()

  /** Whether an advertisement for this `Git-Protocol` header names capabilities alone. */
  static isAllOf(protocol: string | undefined): boolean {
    return protocol === 'version=2'
  }

  /** Undefined until git has said it. */
  of(gitDir: string): Buffer | undefined {
    return this.known.get(gitDir)
  }

  /** Passes on what git says, and remembers it if git ends well. */
  async *learn(gitDir: string, { output, ended }: RunningService): AsyncGenerator<Buffer> {
    const chunks: Buffer[] = []
    for await (const chunk of output as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      yield chunk
    }
    const { exitCode } = await ended
    if (exitCode !== 0) return
    if (this.known.size >= MOST_REMEMBERED) this.known.clear()
    this.known.set(gitDir, Buffer.concat(chunks))
  }
}
