import { expect, test } from 'vitest'

import { formatCursor, parseCursor } from '../../../src/coordinator/live/cursor.js'
import { nameOf, parseTopics, TOPICS_PER_STREAM } from '../../../src/coordinator/live/topics.js'

test('topics are separated by commas, and each counts once', () => {
  const text =
    'project/1, pipeline/2,job/3,trace/4/5,me,runners,runners/project/6,runners/group/7,trace/4/8,' +
    'issue/9,merge-request/10,issues/project/11,merge-requests/group/12,epic/13,snippet/14,wiki/group/15'
  const topics = parseTopics(text)
  expect(topics.find(({ kind }) => kind === 'trace')).toEqual({ kind: 'trace', id: 4, offset: 8 })
  expect(topics.map(nameOf)).toEqual([
    ...['project/1', 'pipeline/2', 'job/3', 'trace/4'],
    ...['me', 'runners', 'runners/project/6', 'runners/group/7', 'issue/9', 'merge-request/10'],
    ...['issues/project/11', 'merge-requests/group/12', 'epic/13', 'snippet/14', 'wiki/group/15'],
  ])
})

test.each([
  'nothing',
  'project/x',
  'project/1,',
  'trace/1',
  'runners/user/1',
  'me/1',
  'issues/1',
  'issues/user/1',
  'job/1234567890123456',
  'wiki/1',
  'me-2/1',
])('the topics "%s" are invalid', (topics) => {
  expect(() => parseTopics(topics)).toThrow('topics is invalid')
})

test('the number of topics of a stream is limited', () => {
  const jobs = (count: number) => Array.from({ length: count }, (_, index) => `job/${index}`).join(',')
  expect(parseTopics(jobs(TOPICS_PER_STREAM))).toHaveLength(TOPICS_PER_STREAM)
  expect(() => parseTopics(jobs(TOPICS_PER_STREAM + 1))).toThrow('topics has more than 50 elements')
})

test('a cursor is read as it was written, without the parts that are not understood', () => {
  const text = 'v=1767225600000;p34=1767225600001;t56=10240'
  expect(formatCursor(parseCursor(text))).toBe(text)
  expect(formatCursor(parseCursor(`x;;p=;new-part=1;t=x;${text};t7=-1`))).toBe(text)
  expect(parseCursor('')).toEqual({ time: undefined, versions: new Map(), offsets: new Map() })
})
