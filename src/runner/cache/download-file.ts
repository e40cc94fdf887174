import { createWriteStream } from 'node:fs'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

import { overNetwork } from './with-retries.js'

/** Headers for a download that is skipped if the store still has the known version. */
export function unlessKnown(tag: string | undefined): Record<string, string> {
  return tag === undefined ? {} : { 'if-none-match': tag }
}

/** Writes the body of a response to a file and replaces it. `what` names the store in errors. */
export async function downloadFile(
  what: string,
  body: Readable,
  file: string,
  signal: AbortSignal,
): Promise<void> {
  await overNetwork(what, () =>
    pipeline(body, createWriteStream(file, { mode: 0o600, flush: true }), { signal }),
  )
}
