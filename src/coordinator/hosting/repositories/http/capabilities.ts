import type { RunningService } from './git-service.js'

const MAX_REMEMBERED = 10_000

/**
 * Caches the capability advertisement of git protocol version 2. It lists no refs and does not change while
 * the repository exists. Each fetch begins with it, so git needs to be started for it only once.
 */
export class Capabilities {
  private readonly known = new Map<string, Buffer>()

  /** Whether the advertisement for this `Git-Protocol` header lists only capabilities. */
  static isAllOf(protocol: string | undefined): boolean {
    return protocol === 'version=2'
  }

  /** Undefined until git has printed it once. */
  of(gitDir: string): Buffer | undefined {
    return this.known.get(gitDir)
  }

  /** Passes on the output of git, and caches it if git succeeds. */
  async *learn(gitDir: string, { output, ended }: RunningService): AsyncGenerator<Buffer> {
    const chunks: Buffer[] = []
    for await (const chunk of output as AsyncIterable<Buffer>) {
      chunks.push(chunk)
      yield chunk
    }
    const { exitCode } = await ended
    if (exitCode !== 0) return
    if (this.known.size >= MAX_REMEMBERED) this.known.clear()
    this.known.set(gitDir, Buffer.concat(chunks))
  }
}
