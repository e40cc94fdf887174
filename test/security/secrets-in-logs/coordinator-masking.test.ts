import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { crc32 } from 'node:zlib'

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { Traces } from '../../../src/coordinator/ci/storage/traces.js'
import { SameLengthMasker } from '../../../src/masking/same-length-masker.js'
import { randomFrom } from '../../coordinator/ci/engine/support/random.js'
import { ciCoordinatorForFile, jobNamed, pushPipeline } from '../../coordinator/support/ci-coordinator.js'
import { RunnerClient } from '../../coordinator/support/runner-client.js'
import { fuzzRuns } from '../../support/fuzz-runs.js'
import { tempDir } from '../../support/temp-dir.js'

const openCoordinator = ciCoordinatorForFile()

const job = { id: 7, project_id: 3 }
const SECRET = 'correct-horse-battery'
const MASK = '[MASKED]*************'

async function openTraces(maxBytes = 100_000) {
  const root = await tempDir()
  const traces = new Traces(root, maxBytes)
  const stored = async () => text(await traces.read(job))
  const readable = async () => (await stored()).slice(0, await traces.readableSize(job))
  return { root, traces, stored, readable }
}

/** Each patch by a process of its own: nothing but the files is shared. */
async function appendAll(root: string, patches: string[], secrets: string[]): Promise<void> {
  let offset = 0
  for (const patch of patches) {
    const result = await new Traces(root, 100_000).append(
      job,
      offset,
      Readable.from([patch]),
      new SameLengthMasker(secrets),
    )
    expect(result).toEqual({ kind: 'appended', size: offset + Buffer.byteLength(patch) })
    offset = result.size
  }
}

describe('a secret in a trace that a runner sends', () => {
  test('is masked by text of the same length, whatever pieces it comes in', async () => {
    for (let at = 0; at <= SECRET.length; at++) {
      const { root, stored } = await openTraces()
      await appendAll(root, [`a ${SECRET.slice(0, at)}`, `${SECRET.slice(at)} b ${SECRET}`], [SECRET])
      expect(await stored()).toBe(`a ${MASK} b ${MASK}`)
    }
  })

  test('is masked by a coordinator that keeps the file open, and by two that take turns, as by new ones', async () => {
    for (let seed = 0; seed < 60; seed++) {
      const random = randomFrom(seed)
      const words = ['a', ' ', '\n', SECRET, SECRET.slice(0, 9), SECRET.slice(4), SECRET]
      const whole = Array.from({ length: 12 }, () => words[random(words.length)]!).join('')
      const patches: string[] = []
      for (let at = 0; at < whole.length;) {
        const length = 1 + random(30)
        patches.push(whole.slice(at, at + length))
        at += length
      }
      const alone = await openTraces()
      await appendAll(alone.root, patches, [SECRET])
      const shared = await openTraces()
      const coordinators = [shared.traces, new Traces(shared.root, 100_000)]
      const count = 1 + random(2)
      let offset = 0
      for (const patch of patches) {
        const coordinator = coordinators[random(count)]!
        await coordinator.append(job, offset, Readable.from([patch]), new SameLengthMasker([SECRET]))
        offset += patch.length
      }
      expect(await shared.stored()).toBe(await alone.stored())
      expect(await shared.readable()).toBe(await alone.readable())
    }
  })

  test('is masked in base64, too', async () => {
    const { root, stored } = await openTraces()
    const encoded = Buffer.from(SECRET).toString('base64')
    await appendAll(root, [`it is ${encoded}\n`], [SECRET])
    expect(await stored()).toBe(`it is [MASKED]${'*'.repeat(encoded.length - 8)}\n`)
  })

  test('is not shown in part while the rest of it is still to come', async () => {
    const { root, traces, readable } = await openTraces()
    await appendAll(root, ['a correct-horse'], [SECRET])
    expect(await readable()).toBe('a ')
    await traces.append(job, 15, Readable.from(['-power\n']), new SameLengthMasker([SECRET]))
    expect(await readable()).toBe('a correct-horse-power\n')
    expect(await readdir(join(root, '3'))).toEqual(['7.log', '7.times'])
  })

  test('stays hidden when a patch that completes it breaks off half way, and is masked by the next', async () => {
    const { root, traces, stored, readable } = await openTraces()
    await appendAll(root, ['a correct-horse'], [SECRET])
    const broken = Readable.from(
      (function* () {
        yield '-battery and more text'
        throw new Error('gone')
      })(),
    )
    await expect(traces.append(job, 15, broken, new SameLengthMasker([SECRET]))).rejects.toThrow('gone')
    expect(await readable()).toBe('a ')
    await traces.append(job, 15, Readable.from(['-battery b']), new SameLengthMasker([SECRET]))
    expect(await stored()).toBe(`a ${MASK} b`)
  })

  test('stays hidden when the coordinator is killed before its beginning is stored', async () => {
    const { root, traces, readable } = await openTraces()
    await appendAll(root, ['a '], [SECRET])
    // What is left then: the mark is written first.
    await writeFile(join(root, '3', '7.held'), '2')
    expect(await readable()).toBe('a ')
    await traces.append(job, 2, Readable.from(['correct-horse-battery b']), new SameLengthMasker([SECRET]))
    expect(await readable()).toBe(`a ${MASK} b`)
  })

  test('that overlaps itself or another one leaves no byte of either', () => {
    const masked = (secrets: string[], value: string) => {
      const run = new SameLengthMasker(secrets).append(Buffer.alloc(0), 0)
      const parts = [run.push(Buffer.from(value)), run.finish()]
      return Buffer.concat(parts.flatMap((part) => part?.bytes ?? [])).toString()
    }
    expect(masked(['abcabcabc'], 'abcabcabcabc!')).toBe('[MASKED]****!')
    expect(masked(['34567890', '1234567890ab'], '1234567890ab!')).toBe('[MASKED]****!')
    expect(masked(['12345678', '78901234'], '123456789012345')).toBe('[MASKED]******5')
  })

  test('leaves all other bytes as they were, at any split', async () => {
    const letters = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 60 })
    const secrets = fc.array(fc.string({ unit: fc.constantFrom('a', 'b'), minLength: 8, maxLength: 10 }), {
      maxLength: 3,
    })
    await fc.assert(
      fc.asyncProperty(fc.array(letters, { maxLength: 4 }), secrets, async (patches, values) => {
        const { root, stored } = await openTraces()
        await appendAll(root, patches, values)
        const whole = patches.join('')
        const shown = patches.length === 0 ? '' : await stored()
        const hidden = new Set<number>()
        for (const value of values) {
          for (let at = whole.indexOf(value); at >= 0; at = whole.indexOf(value, at + 1)) {
            for (let index = at; index < at + value.length; index++) hidden.add(index)
          }
        }
        expect(shown).toHaveLength(whole.length)
        for (const [index, letter] of whole.split('').entries()) {
          if (hidden.has(index)) expect('[MASKED]*').toContain(shown[index])
          else expect(shown[index]).toBe(letter)
        }
      }),
      fuzzRuns(60),
    )
  })
})

describe('a runner that does not mask', () => {
  async function startJob() {
    const coordinator = await openCoordinator()
    const runner = await RunnerClient.register(coordinator)
    await pushPipeline(coordinator, `build: { script: [make], id_tokens: { VAULT: { aud: 'https://v' } } }`)
    const taken = await runner.takeJob()
    const idToken = taken.variables.find(({ key }) => key === 'VAULT')?.value ?? ''
    const trace = async () =>
      (await coordinator.app.call(coordinator.admin, `GET /projects/group%2Fapp/jobs/${taken.id}/trace`)).body
    return { coordinator, runner, taken, idToken, trace }
  }

  test('shows neither the token of its job nor tokens that were issued for it, and loses no byte of the rest', async () => {
    const { coordinator, runner, taken, idToken, trace } = await startJob()
    const whole = `token ${taken.token}\nid ${idToken}\ndone\n`
    const half = Math.floor(whole.length / 2)
    expect((await runner.patch(taken, `0-${half - 1}`, whole.slice(0, half))).status).toBe(202)
    expect(await trace()).not.toContain(idToken.slice(0, 20))
    const second = await runner.patch(taken, `${half}-${whole.length - 1}`, whole.slice(half))
    expect(second.headers.get('range')).toBe(`0-${whole.length}`)
    const output = { checksum: `crc32:${crc32(whole).toString(16)}`, bytesize: whole.length }
    expect((await runner.update(taken, 'success', { output })).status).toBe(200)
    expect((await jobNamed(coordinator, 'build')).status).toBe('success')
    const fill = (value: string) => `[MASKED]${'*'.repeat(value.length - 8)}`
    expect(await trace()).toBe(`token ${fill(taken.token)}\nid ${fill(idToken)}\ndone\n`)
  })

  test('leaves no secret in the database once its job is over', async () => {
    const { coordinator, runner, taken, idToken } = await startJob()
    const kept = () => coordinator.database.selectFrom('trace_secret').selectAll().execute()
    expect(JSON.stringify(await kept())).toContain(`"job_id":${taken.id}`)
    expect(JSON.stringify(await kept())).not.toContain(idToken)
    await runner.update(taken, 'success')
    expect(await kept()).toEqual([])
  })
})
