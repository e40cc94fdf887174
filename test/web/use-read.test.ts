import { type QueryFunction, QueryObserver } from '@tanstack/query-core'
import { afterEach, expect, test, vi } from 'vitest'

import { deferred } from '../../src/lib/deferred.js'

interface Record {
  id: number
  status: string
}

const responses: { path: string; send: (record: Record) => void }[] = []

vi.stubGlobal('document', { getElementById: () => null })
vi.stubGlobal('fetch', (path: string) => {
  const response = deferred<Response>()
  responses.push({ path, send: (record) => response.resolve(Response.json(record)) })
  return response.promise
})
const { patch, readOnce, refresh } = await import('../../src/web/api/use-read.js')
const { queryClient } = await import('../../src/web/api/query-client.js')

afterEach(() => {
  queryClient.clear()
  responses.length = 0
})

/** The request that comes next. */
async function nextRequest() {
  return vi.waitFor(() => {
    const request = responses.shift()
    if (!request) throw new Error('No request')
    return request
  })
}

const PATH = '/projects/1/jobs/7'

/** The function that reads the path, as the first read has set it. */
function reading(): QueryFunction<Record> {
  const read = queryClient.getQueryCache().find<Record>({ queryKey: [PATH] })?.options.queryFn
  if (typeof read !== 'function') throw new Error('Nothing has been read')
  return read
}

function shown(): Record | undefined {
  return queryClient.getQueryData<Record>([PATH])
}

test('a change that arrives while a record is first read counts, though the response is older', async () => {
  const read = readOnce<Record>(PATH)
  const request = await nextRequest()
  patch<Record>(PATH, (known) => ({ ...known, status: 'running' }))
  request.send({ id: 7, status: 'pending' })
  expect(await read).toEqual({ id: 7, status: 'running' })
  expect(shown()).toEqual({ id: 7, status: 'running' })
})

test('a change that arrives while a record is read again is shown at once, and stays', async () => {
  const read = readOnce<Record>(PATH)
  ;(await nextRequest()).send({ id: 7, status: 'pending' })
  await read
  const again = queryClient.query<Record>({ queryKey: [PATH], queryFn: reading(), staleTime: 0 })
  const request = await nextRequest()
  patch<Record>(PATH, (known) => ({ ...known, status: 'running' }))
  expect(shown()).toMatchObject({ status: 'running' })
  request.send({ id: 7, status: 'pending' })
  await again
  expect(shown()).toMatchObject({ status: 'running' })
})

test('a record that changes during its first read is read again where it is shown', async () => {
  const first = readOnce<Record>(PATH)
  const request = await nextRequest()
  const observer = new QueryObserver<Record>(queryClient, { queryKey: [PATH], queryFn: reading() })
  const unsubscribe = observer.subscribe(() => undefined)
  const refreshed = refresh('/projects/1/jobs/')
  request.send({ id: 7, status: 'pending' })
  await first
  ;(await nextRequest()).send({ id: 7, status: 'running' })
  await refreshed
  expect(shown()).toEqual({ id: 7, status: 'running' })
  unsubscribe()
})

test('a record of another path is left as it is', async () => {
  const read = readOnce<Record>(PATH)
  const request = await nextRequest()
  patch<Record>('/projects/1/jobs/8', (known) => ({ ...known, status: 'running' }))
  const refreshed = refresh('/projects/2/')
  request.send({ id: 7, status: 'pending' })
  expect(await read).toEqual({ id: 7, status: 'pending' })
  await refreshed
  expect(queryClient.getQueryState([PATH])?.isInvalidated).toBe(false)
})
