import { describe, expect, test } from 'vitest'

import { completeVariables } from '../../../../src/cli/commands/local/from-job/complete-variables.js'
import { JobServer } from '../../../../src/cli/commands/local/from-job/job-server.js'
import { localPayload } from '../../../../src/cli/commands/local/from-job/local-payload.js'
import { jobPayload } from '../../../support/job-payload.js'

const NONE = new Map<string, string>()
const DIGEST = `app@sha256:${'ab'.repeat(32)}`

describe('the variables of a job of a server', () => {
  const withheld = [
    { key: 'SECRET', reason: 'masked', file: false },
    { key: 'KEY_FILE', reason: 'file', file: true },
    { key: 'CI_JOB_TOKEN', reason: 'credentials', file: false },
  ] as const

  test('are asked for on a terminal, apart from those that nobody could type', async () => {
    const asked: string[] = []
    const ask = async (question: string) => {
      asked.push(question)
      return question.startsWith('SECRET') ? 'typed' : ''
    }
    const { variables, leftOut } = await completeVariables(
      [],
      withheld,
      { variables: NONE, secrets: NONE },
      ask,
    )
    expect(asked).toEqual(['SECRET (masked), Enter = leave out: ', 'KEY_FILE (a file), Enter = leave out: '])
    expect(variables).toEqual([{ key: 'SECRET', value: 'typed', public: false, masked: true, raw: true }])
    expect(leftOut).toEqual(['KEY_FILE (a file)', 'CI_JOB_TOKEN (credentials of the job)'])
  })

  test('are left out by name without a terminal, and those that are given win', async () => {
    const given = { variables: new Map([['SHOWN', 'given']]), secrets: new Map([['KEY_FILE', 'content']]) }
    const sent = [{ key: 'SHOWN', value: 'sent' }]
    const { variables, leftOut } = await completeVariables(sent, withheld, given, undefined)
    expect(variables).toEqual([
      { key: 'SHOWN', value: 'sent' },
      { key: 'SHOWN', value: 'given', public: false, raw: true },
      { key: 'KEY_FILE', value: 'content', public: false, masked: true, raw: true, file: true },
    ])
    expect(leftOut).toEqual(['SECRET (masked)', 'CI_JOB_TOKEN (credentials of the job)'])
  })
})

describe('the payload for this machine', () => {
  const variables = [{ key: 'TAG', value: '1' }]
  const of = (image: string | undefined, images: { name: string; digest: string | null }[]) => {
    const payload = { ...jobPayload({ id: 1 }), image: image === undefined ? null : { name: image } }
    return localPayload({ payload, images }, variables)
  }

  test.each([
    ['app:$TAG', 'app:1', DIGEST],
    ['app', 'app:latest', DIGEST],
    [undefined, 'app:1', DIGEST],
  ])('has the image %s by the digest that the job used', (image, name, expected) => {
    const { payload, remarks } = of(image, [{ name, digest: DIGEST }])
    expect(payload.image?.name).toBe(expected)
    expect(remarks).toEqual([])
  })

  test('says when only the name of the image is known', () => {
    const { payload, remarks } = of('app:$TAG', [{ name: 'app:1', digest: null }])
    expect(payload.image?.name).toBe('app:$TAG')
    expect(remarks).toEqual([
      'The digest of the image app:1 is not known: the one that has this name now is used',
    ])
  })

  test('saves no cache, releases nothing and cannot be held', () => {
    const cache = [{ key: 'k', paths: ['a'], policy: 'pull-push' }]
    const steps = [
      { name: 'script', script: ['true'] },
      { name: 'release', script: ['x'], release: { tag_name: 'v1', description: '', ref: 'main' } },
    ]
    const { payload } = localPayload({ payload: { ...jobPayload({ id: 1 }), cache, steps }, images: [] }, [])
    expect(payload.cache).toEqual([{ key: 'k', paths: ['a'], policy: 'pull' }])
    expect(payload.steps).toEqual([steps[0]])
    expect(payload.features).toMatchObject({ job_holds: false })
  })
})

test('the token is not sent where others could read it', () => {
  const job = (server: string) => ({ server: new URL(server), project: 'group/app', jobId: 1 })
  expect(() => new JobServer(job('http://ci.example.com'), 'token')).toThrow('use https')
  expect(new JobServer(job('http://127.0.0.1:1'), 'token').token).toBe('token')
})
