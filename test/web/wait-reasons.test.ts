import { expect, test } from 'vitest'

import { waitReasons } from '../../src/web/records/wait-reasons.js'

interface Job {
  id: number
  waits?: string
}

const reasonOf = ({ waits }: Job) => waits

test('a list says of each job that waits why it does', () => {
  const jobs: Job[] = [{ id: 1, waits: 'All runners are busy: 3rd in the queue.' }, { id: 2 }]
  const columns = waitReasons(jobs, reasonOf)
  expect(columns.map(({ title }) => title)).toEqual(['Why it waits'])
  expect(jobs.map((job) => columns[0]?.reasonOf(job))).toEqual([
    'All runners are busy: 3rd in the queue.',
    undefined,
  ])
})

test('a list without a job that waits has no such column', () => {
  expect(waitReasons<Job>([{ id: 1 }, { id: 2 }], reasonOf)).toEqual([])
})
