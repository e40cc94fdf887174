import { describe, expect, onTestFinished, test, vi } from 'vitest'

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
    const { print, finish, json } = await startLog(scene())
    await print(`${LOG}${end('step_script', 1060)}`)
    await finish()
    const time = (seconds: number) => new Date(seconds * 1000).toISOString()
    expect(await json('/outline')).toEqual({
      bytes: LOG.length + end('step_script', 1060).length,
      lines: 9,
      is_complete: true,
      missing_bytes: 0,
      indexed_to: LOG.length + end('step_script', 1060).length,
      failing_line: null,
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
    const { print, finish, json } = await startLog(scene())
    const last = async () => {
      const { lines, is_complete, sections } = await json<TraceOutline>('/outline')
      return { lines, is_complete, last: sections.at(-1)?.last_line }
    }
    await print(`${begin('a', 1)}A\n`)
    expect(await last()).toEqual({ lines: 1, is_complete: false, last: null })
    await print('more\nand more')
    expect(await last()).toEqual({ lines: 3, is_complete: false, last: null })
    await finish('failed')
    expect(await last()).toEqual({ lines: 3, is_complete: true, last: 3 })
    expect(await json('/outline')).toMatchObject({ failing_line: 3 })
  })

  test('of a job that printed nothing is empty', async () => {
    const { json } = await startLog(scene())
    expect(await json('/outline')).toMatchObject({ bytes: 0, lines: 0, sections: [] })
    expect(await json('/lines')).toMatchObject({ from: 1, lines: [], total: 0, next_byte: 0 })
  })
})

describe('lines of a log', () => {
  test('are shown without markers and overwritten text', async () => {
    const { print, finish, json } = await startLog(scene())
    await print(LOG)
    await finish()
    const { times, ...lines } = await json<TraceLines>('/lines')
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
      missing_bytes: 0,
    })
    expect(times).toEqual([[0, expect.any(Number)]])
  })

  test('begin at a line, at a byte, or before the end', async () => {
    const { print, json } = await startLog(scene())
    await print(LOG)
    const from = async (query: string) => {
      const { from: first, lines, style } = await json<TraceLines>(`/lines?count=2&${query}`)
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
    const { print, json } = await startLog(scene())
    await print('one\ntwo\nthr')
    const window = await json<TraceLines>('/lines?from=-2')
    expect(window).toMatchObject({ from: 2, lines: ['two', 'thr'], total: 3, bytes: 11, next_byte: 8 })
    await print('ee\nfour')
    expect(await json(`/lines?byte=${window.next_byte}`)).toMatchObject({
      from: 3,
      lines: ['three', 'four'],
      next_byte: 14,
    })
    expect(await json('/lines?from=1&count=2')).toMatchObject({ next_byte: 8 })
  })

  test('have the times at which they arrived', async () => {
    const { print, json } = await startLog(scene())
    await print('one\ntwo\nthr')
    const { times: first } = await json<TraceLines>('/lines')
    vi.useFakeTimers({ toFake: ['Date'] })
    onTestFinished(() => void vi.useRealTimers())
    const printed = Date.now() + 5000
    vi.setSystemTime(printed)
    await print('ee\nfour\n')
    vi.setSystemTime(printed + 100)
    await print('within a fifth of a second\n')
    vi.setSystemTime(printed + 200)
    await print('six\n')
    const { times } = await json<TraceLines>('/lines')
    expect(times).toEqual([first[0], [3, printed], [5, printed + 200]])
  })

  test('have the times that the runner wrote', async () => {
    const { print, json } = await startLog(scene())
    await print('2024-05-22T12:43:46.962646Z 00O one\n2024-05-22T12:43:47.000000Z 01E two\n')
    expect(await json('/lines')).toMatchObject({
      lines: ['one', 'two'],
      times: [
        [0, Date.UTC(2024, 4, 22, 12, 43, 46, 962)],
        [1, Date.UTC(2024, 4, 22, 12, 43, 47)],
      ],
    })
  })

  test('that are long are cut, and returned whole on request', async () => {
    const { print, json } = await startLog(scene())
    await print(`one\n${'x'.repeat(20_000)}\nthree\n`)
    const { lines, cut } = await json<TraceLines>('/lines')
    expect([lines.map(({ length }) => length), cut]).toEqual([[3, 16 * 1024, 5], [1]])
    expect(await json('/lines?from=2&whole=true')).toMatchObject({
      from: 2,
      lines: ['x'.repeat(20_000)],
      cut: [],
    })
  })

  test('with nothing but markers are named', async () => {
    const { print, json } = await startLog(scene())
    await print(`${begin('a', 1)}\ntext\n${end('a', 2)}\n\n`)
    expect(await json('/lines')).toMatchObject({ lines: ['', 'text', '', ''], markers: [0, 2] })
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

describe('a search in a log', () => {
  const linesOf = (body: string) =>
    body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>)

  test('streams the lines that it finds, and its end', async () => {
    const { print, read } = await startLog(scene())
    await print(LOG)
    const response = await read('/search?q=SCRIPT')
    expect(response.headers['content-type']).toBe('application/x-ndjson')
    expect(linesOf(response.body)).toEqual([
      { line: 4, text: 'Executing script', offset: 0, ranges: [[10, 16]] },
      { hits: 1, searched_to: 8, done: true, missing_bytes: 0 },
    ])
  })

  test.each([
    ['q=script', 1],
    ['q=SCRIPT&case=true', 0],
    ['q=%5EG.*source$&regexp=true', 1],
    ['q=g.*SOURCE&regexp=true&case=true', 0],
    ['q=i&from=4', 2],
    ['q=i&limit=1', 1],
    ['q=out&from=4', 0],
    ['q=out&from=999', 0],
    ['errors=true', 0],
  ])('with %s finds %i lines', async (query, hits) => {
    const { print, finish, read } = await startLog(scene())
    await print(LOG)
    await finish()
    const { statusCode, body } = await read(`/search?${query}`)
    expect([statusCode, linesOf(body).at(-1)]).toMatchObject([200, { hits }])
  })

  test('of a job that printed nothing finds nothing', async () => {
    const { read } = await startLog(scene())
    expect(linesOf((await read('/search?q=a')).body)).toEqual([
      { hits: 0, searched_to: 0, done: true, missing_bytes: 0 },
    ])
  })

  test.each([
    ['', 'q, errors are missing'],
    ['q=a&errors=true', 'q, errors are mutually exclusive'],
    ['q=', ''],
    ['q=a%0Ab', 'q must be one line'],
    ['q=(&regexp=true', 'not a valid regular expression'],
    ['q=(%3F%3C!a)b&regexp=true', 'not a valid regular expression'],
    ['q=(abcdefgh)%7B1000%7D&regexp=true', 'more than 2000'],
    ['q=a&limit=10001', ''],
    ['q=a&from=0', ''],
  ])('with %s is refused', async (query, message) => {
    const { read } = await startLog(scene())
    const { statusCode, body } = await read(`/search?${query}`)
    expect(statusCode).toBe(400)
    expect(body).toContain(message)
  })

  test('ends when its client leaves, and a caller has only a few at a time', async () => {
    const { coordinator, developer } = scene()
    const { print, path } = await startLog(scene())
    await print('text\n')
    const { traceIndexes, url } = coordinator
    const signals: AbortSignal[] = []
    const search = vi
      .spyOn(traceIndexes, 'search')
      .mockImplementation((_job, _state, _search, { signal, onItem }) => {
        signals.push(signal)
        onItem({ searched_to: 0 })
        return new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        })
      })
    onTestFinished(() => search.mockRestore())
    const leave = new AbortController()
    const open = () =>
      fetch(`${url}${path}/search?q=text`, {
        headers: { 'private-token': developer.token },
        signal: leave.signal,
      })
    await Promise.all([open(), open(), open()])
    expect((await open()).status).toBe(429)
    leave.abort()
    await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, true, true])
    search.mockRestore()
    const again = () =>
      fetch(`${url}${path}/search?q=text`, { headers: { 'private-token': developer.token } })
    await expect.poll(async () => (await again()).status).toBe(200)
  })
})

describe('who may read parts of a log', () => {
  const PARTS = ['/outline', '/lines', '/search?q=text']

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

  test.each(['', ...PARTS])(
    'a log that becomes a debug log while it is opened is not shown by trace%s',
    async (part) => {
      const { developer, coordinator } = scene()
      const { print, read } = await startLog(scene())
      await print('text\n')
      const { traces } = coordinator
      const readableSize = traces.readableSize.bind(traces)
      // As the runner prints it after the job was read, and before the size of its log is.
      const size = vi.spyOn(traces, 'readableSize').mockImplementationOnce(async (job) => {
        await print('text that is secret\n', true)
        return readableSize(job)
      })
      onTestFinished(() => size.mockRestore())
      // A search has begun its response by then, and breaks off.
      const json = await read(part).catch(() => ({ statusCode: 403, body: '' }))
      expect(json).toMatchObject({
        statusCode: 403,
        body: expect.not.stringContaining('secret\n') as string,
      })
      expect((await read(part, developer)).statusCode).toBe(200)
    },
  )

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
    const { print, read, job } = await startLog(scene())
    await print(`text\n${job.token.slice(0, 12)}`)
    const { statusCode, body } = await read(part)
    expect([statusCode, body]).toEqual([200, expect.not.stringContaining(job.token.slice(0, 8))])
    expect(body).toMatch(/"bytes":5|"searched_to":1,/)
  })
})
