import { describe, expect, test } from 'vitest'

import type { TraceLines, TraceOutline } from '../../../../../src/coordinator/ci/jobs/trace/schema.js'
import { openForFile } from '../../../../support/lifetime.js'
import { jobNamed, pushPipeline } from '../../../support/ci-coordinator.js'
import { openLogScene, startLog } from './running-job.js'

const scene = openForFile(openLogScene)

const begin = (name: string, time: number, options = '') => `section_start:${time}:${name}${options}\r\x1b[0K`
const end = (name: string, time: number) => `section_end:${time}:${name}\r\x1b[0K`

const LOG = [
  'Running with switchyard-runner\n',
  `${begin('get_sources', 1000)}\x1b[36;1mGetting source\x1b[0;m\n`,
  'Checking out\n',
  `${end('get_sources', 1002)}${begin('step_script', 1002)}Executing script\n`,
  `$ \x1b[32mmake\n`,
  `${begin('inner', 1003, '[hide_duration=true,collapsed=true]')}Inner\n`,
  `1 %\r50 %\r100 %\n`,
  `${end('inner', 1004)}done\x1b[0m\n`,
].join('')

describe('the outline of a log', () => {
  test('has its size and its sections', async () => {
    const { print, finish, answer } = await startLog(scene())
    await print(`${LOG}${end('step_script', 1060)}`)
    await finish()
    const time = (seconds: number) => new Date(seconds * 1000).toISOString()
    expect(await answer('/outline')).toEqual({
      bytes: LOG.length + end('step_script', 1060).length,
      lines: 9,
      is_complete: true,
      indexed_to: LOG.length + end('step_script', 1060).length,
      sections: [
        {
          name: 'get_sources',
          title: 'Getting source',
          first_line: 2,
          last_line: 3,
          started_at: time(1000),
          finished_at: time(1002),
          duration: 2,
          collapsed: false,
          depth: 0,
        },
        {
          name: 'step_script',
          title: 'Executing script',
          first_line: 4,
          last_line: 8,
          started_at: time(1002),
          finished_at: time(1060),
          duration: 58,
          collapsed: false,
          depth: 0,
        },
        {
          name: 'inner',
          title: 'Inner',
          first_line: 6,
          last_line: 7,
          started_at: time(1003),
          finished_at: time(1004),
          duration: null,
          collapsed: true,
          depth: 1,
        },
      ],
    })
  })

  test('of a running job grows, and its last section is open until it ends', async () => {
    const { print, finish, answer } = await startLog(scene())
    const last = async () => {
      const { lines, is_complete, sections } = await answer<TraceOutline>('/outline')
      return { lines, is_complete, last: sections.at(-1)?.last_line }
    }
    await print(`${begin('a', 1)}A\n`)
    expect(await last()).toEqual({ lines: 1, is_complete: false, last: null })
    await print('more\nand more')
    expect(await last()).toEqual({ lines: 3, is_complete: false, last: null })
    await finish('failed')
    expect(await last()).toEqual({ lines: 3, is_complete: true, last: 3 })
  })

  test('of a job that printed nothing is empty', async () => {
    const { answer } = await startLog(scene())
    expect(await answer('/outline')).toMatchObject({ bytes: 0, lines: 0, sections: [] })
    expect(await answer('/lines')).toMatchObject({ from: 1, lines: [], total: 0, next_byte: 0 })
  })
})

describe('lines of a log', () => {
  test('are shown without markers and overwritten text', async () => {
    const { print, finish, answer } = await startLog(scene())
    await print(LOG)
    await finish()
    const { times, ...lines } = await answer<TraceLines>('/lines')
    expect(lines).toEqual({
      from: 1,
      lines: [
        'Running with switchyard-runner',
        '\x1b[36;1mGetting source\x1b[0;m',
        'Checking out',
        'Executing script',
        '$ \x1b[32mmake',
        'Inner',
        '100 %',
        'done\x1b[0m',
      ],
      style: '',
      cut: [],
      overwritten: [[6, 2]],
      markers: [],
      total: 8,
      bytes: LOG.length,
      next_byte: LOG.length,
      is_complete: true,
    })
    expect(times).toEqual([[0, expect.any(Number)]])
  })

  test('begin at a line, at a byte, or before the end', async () => {
    const { print, answer } = await startLog(scene())
    await print(LOG)
    const from = async (query: string) => {
      const { from: first, lines, style } = await answer<TraceLines>(`/lines?count=2&${query}`)
      return [first, lines.length, style]
    }
    expect(await from('from=3')).toEqual([3, 2, ''])
    expect(await from('from=6')).toEqual([6, 2, '32'])
    expect(await from('from=-1')).toEqual([8, 1, '32'])
    expect(await from('from=-100')).toEqual([1, 2, ''])
    expect(await from('from=0')).toEqual([1, 2, ''])
    expect(await from('from=9')).toEqual([9, 0, ''])
    expect(await from(`byte=${LOG.indexOf('out')}`)).toEqual([3, 2, ''])
    expect(await from('byte=0')).toEqual([1, 2, ''])
    expect(await from('byte=99999999')).toEqual([8, 1, '32'])
  })

  test('of a running job continue where the last complete line ends', async () => {
    const { print, answer } = await startLog(scene())
    await print('one\ntwo\nthr')
    const window = await answer<TraceLines>('/lines?from=-2')
    expect(window).toMatchObject({ from: 2, lines: ['two', 'thr'], total: 3, bytes: 11, next_byte: 8 })
    await print('ee\nfour')
    expect(await answer(`/lines?byte=${window.next_byte}`)).toMatchObject({
      from: 3,
      lines: ['three', 'four'],
      next_byte: 14,
    })
    expect(await answer('/lines?from=1&count=2')).toMatchObject({ next_byte: 8 })
  })

  test('have the times at which they arrived', async () => {
    const { print, answer } = await startLog(scene())
    await print('one\ntwo\nthr')
    const { times: first } = await answer<TraceLines>('/lines')
    const before = Date.now()
    await expect.poll(() => Date.now()).toBeGreaterThan(before)
    await print('ee\nfour\n')
    const { times } = await answer<TraceLines>('/lines')
    expect(times).toEqual([first[0], [3, expect.any(Number)]])
    expect(times[1]?.[1]).toBeGreaterThan(times[0]?.[1] ?? Infinity)
  })

  test('have the times that the runner wrote', async () => {
    const { print, answer } = await startLog(scene())
    await print('2024-05-22T12:43:46.962646Z 00O one\n2024-05-22T12:43:47.000000Z 01E two\n')
    expect(await answer('/lines')).toMatchObject({
      lines: ['one', 'two'],
      times: [
        [0, Date.UTC(2024, 4, 22, 12, 43, 46, 962)],
        [1, Date.UTC(2024, 4, 22, 12, 43, 47)],
      ],
    })
  })

  test('that are long are cut, and returned whole on request', async () => {
    const { print, answer } = await startLog(scene())
    await print(`one\n${'x'.repeat(20_000)}\nthree\n`)
    const { lines, cut } = await answer<TraceLines>('/lines')
    expect([lines.map(({ length }) => length), cut]).toEqual([[3, 16 * 1024, 5], [1]])
    expect(await answer('/lines?from=2&whole=true')).toMatchObject({
      from: 2,
      lines: ['x'.repeat(20_000)],
      cut: [],
    })
  })

  test('with nothing but markers are named', async () => {
    const { print, answer } = await startLog(scene())
    await print(`${begin('a', 1)}\ntext\n${end('a', 2)}\n\n`)
    expect(await answer('/lines')).toMatchObject({ lines: ['', 'text', '', ''], markers: [0, 2] })
  })

  test.each(['count=0', 'count=1001', 'count=x', 'from=x', 'byte=-1', 'from=1&byte=1'])(
    'with %s are refused',
    async (query) => {
      const { read } = await startLog(scene())
      expect((await read(`/lines?${query}`)).statusCode).toBe(400)
    },
  )

  test('have an entity tag, by which a finished log is not sent again', async () => {
    const { print, finish, read, path } = await startLog(scene())
    await print('one\n')
    await finish()
    const { etag } = (await read('/lines')).headers
    const { app, admin } = scene().coordinator
    const again = await app.app.inject({
      method: 'GET',
      url: `/api/v4${path}/lines`,
      headers: { 'private-token': admin.token, 'if-none-match': String(etag) },
    })
    expect([again.statusCode, again.body]).toEqual([304, ''])
  })
})

describe('who may read parts of a log', () => {
  const PARTS = ['/outline', '/lines']

  test.each(PARTS)('%s needs the right to read the log', async (part) => {
    const { stranger, reporter } = scene()
    const { read } = await startLog(scene())
    const statuses = [reporter, stranger, null].map(async (as) => (await read(part, as)).statusCode)
    expect(await Promise.all(statuses)).toEqual([200, 404, 404])
  })

  test.each(PARTS)('%s of a debug log is for developers', async (part) => {
    const { reporter, developer } = scene()
    const { print, read } = await startLog(scene())
    await print('secrets\n', true)
    const statuses = [reporter, developer].map(async (as) => (await read(part, as)).statusCode)
    expect(await Promise.all(statuses)).toEqual([403, 200])
  })

  test.each(PARTS)('%s is 404 for an erased log and for a job that has not started', async (part) => {
    const { coordinator } = scene()
    const { app, admin, project } = coordinator
    const { job, print, finish, read } = await startLog(scene())
    await print('text\n')
    await finish()
    await app.call(admin, `POST /projects/${project.id}/jobs/${job.id}/erase`)
    expect((await read(part)).statusCode).toBe(404)
    await pushPipeline(coordinator, 'waits: { script: [make], tags: [none] }')
    const { id } = await jobNamed(coordinator, 'waits')
    const waiting = await app.call(admin, `GET /projects/${project.id}/jobs/${id}/trace${part}`)
    expect(waiting.statusCode).toBe(404)
  })

  test.each(PARTS)('%s ends before a possible start of a secret', async (part) => {
    const { print, answer, job } = await startLog(scene())
    await print(`a\n${job.token.slice(0, 12)}`)
    expect(await answer(part)).toMatchObject({ bytes: 2 })
  })
})
