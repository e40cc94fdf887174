import type { Writable } from 'node:stream'

/** Resolves when the stream has taken the bytes. */
export async function writeAll(stream: Writable, bytes: Buffer): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    stream.write(bytes, (error) => (error ? reject(error) : resolve()))
  })
}
