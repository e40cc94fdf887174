import { QueryClient, QueryObserver } from '@tanstack/query-core'
import { expect, test } from 'vitest'

import { type Deferred, deferred } from '../../src/lib/deferred.js'
import { change, readAgain, readWithChanges } from '../../src/web/api/arriving-changes.js'

interface Job {
  id: number
  status: string
}

const PATH = '/projects/1/jobs/7'
const PENDING = { id: 7, status: 'pending' }
const RUNNING = { id: 7, status: 'running' }

/** A page that shows the job. Its requests are sent, but have no responses yet. */
function openPage() {
  const client = new QueryClient()
  const responses: Deferred<Job>[] = []
  const queryFn = () =>
    readWithChanges(PATH, () => {
      const response = deferred<Job>()
      responses.push(response)
      return response.promise
    })
  const observer = new QueryObserver<Job>(client, { queryKey: [PATH], queryFn })
  observer.subscribe(() => undefined)
  const settled = () => client.getQueryCache().find({ queryKey: [PATH] })?.promise
  return {
    client,
    responses,
    shown: () => observer.getCurrentResult().data,
    respond: async (number: number, job: Job) => {
      responses[number]?.resolve(job)
      await settled()
    },
  }
}

test('a change that arrives while a record is first read counts, though the response is older', async () => {
  const { client, shown, respond } = openPage()
  change<Job>(client, PATH, (known) => ({ ...known, status: 'running' }))
  await respond(0, PENDING)
  expect(shown()).toEqual(RUNNING)
})

test('a change that arrives while a record is read again is shown at once, and stays', async () => {
  const { client, shown, respond } = openPage()
  await respond(0, PENDING)
  const again = readAgain(client, [PATH])
  change<Job>(client, PATH, (known) => ({ ...known, status: 'running' }))
  expect(shown()).toEqual(RUNNING)
  await respond(1, PENDING)
  await again
  expect(shown()).toEqual(RUNNING)
})

test('a record that is out of date during its first read is read again', async () => {
  const { client, responses, shown, respond } = openPage()
  const again = readAgain(client, ['/projects/1/jobs/'])
  await respond(0, PENDING)
  await expect.poll(() => responses.length).toBe(2)
  await respond(1, RUNNING)
  await again
  expect(shown()).toEqual(RUNNING)
})

test('a record of another path is left as it is', async () => {
  const { client, responses, shown, respond } = openPage()
  change<Job>(client, '/projects/1/jobs/8', (known) => ({ ...known, status: 'running' }))
  await readAgain(client, ['/projects/2/'])
  await respond(0, PENDING)
  expect(shown()).toEqual(PENDING)
  expect(responses).toHaveLength(1)
})
