import { randomBytes } from 'node:crypto'
import { buffer } from 'node:stream/consumers'

import { expect, test } from 'vitest'

import type { ArchiveInput } from '../../src/archive/archive-input.js'
import { gzipInputs } from '../../src/archive/gzip-writer.js'
import { limitedCores } from '../../src/archive/limited-cores.js'
import { zipInputs } from '../../src/archive/zip-writer.js'
import { deferred } from '../../src/lib/deferred.js'

test.each([1, 0.5, 0])('with a limit of %j cores, one piece is compressed at a time', async (cores) => {
  const onCore = limitedCores(cores)
  const [first, second] = [deferred<string>(), deferred<string>()]
  const begun: string[] = []
  const results = [first, second].map((piece, index) =>
    onCore(() => {
      begun.push(`piece ${index}`)
      return piece.promise
    }),
  )
  second.resolve('second')
  expect(begun).toEqual(['piece 0'])
  first.resolve('first')
  expect(await Promise.all(results)).toEqual(['first', 'second'])
})

test('a piece that fails to compress releases its core', async () => {
  const onCore = limitedCores(1)
  await expect(onCore(() => Promise.reject(new Error('no memory')))).rejects.toThrow('no memory')
  expect(await onCore(() => Promise.resolve('next'))).toBe('next')
})

test('the archive has the same bytes for any number of cores', async () => {
  const traits = { mode: 0o644, modified: new Date(1e12), uid: 0, gid: 0 }
  const text = Buffer.alloc(900_000, 'a line that comes again and again\n')
  const large = Buffer.concat([randomBytes(900_000), text])
  const inputs = (): (() => Promise<ArchiveInput>)[] => [
    () => Promise.resolve({ ...traits, kind: 'file', name: 'small', content: text }),
    () => Promise.resolve({ ...traits, kind: 'stream', name: 'large', size: large.length, ...streamed() }),
    () => Promise.resolve({ ...traits, kind: 'file', name: 'other', content: text }),
  ]
  const streamed = () => ({ content: chunksOf(large), close: () => Promise.resolve() })
  const zip = (cores?: number) => buffer(zipInputs(inputs(), { level: 4, cores }))
  const gzip = (cores?: number) => buffer(gzipInputs(inputs(), 4, cores))
  expect((await zip(1)).equals(await zip())).toBe(true)
  expect((await gzip(1)).equals(await gzip())).toBe(true)
})

async function* chunksOf(content: Buffer): AsyncGenerator<Buffer> {
  yield content
}
