import { readdir } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'

import { Type } from 'typebox'
import { expect, test } from 'vitest'

import { type Operation, operation } from '../../../src/coordinator/http/operation.js'
import { FileParameter, Nullable } from '../../../src/coordinator/http/parameters/types.js'
import { UploadSpool } from '../../../src/coordinator/http/parameters/upload-spool.js'
import { isMissingFile } from '../../../src/lib/files.js'
import { openSqlite } from '../../support/databases.js'
import { tempDir } from '../../support/temp-dir.js'
import { addPerson, openApp } from '../support/test-app.js'

const BOUNDARY = 'frontier'
const MULTIPART = `multipart/form-data; boundary=${BOUNDARY}`

const upload: Operation = operation('POST /pictures', {
  summary: 'What came',
  access: 'user',
  params: Type.Object({
    name: Type.String(),
    tags: Type.Optional(Type.Array(Type.String())),
    avatar: Type.Optional(Nullable(FileParameter({ maxBytes: 1000 }))),
    file: Type.Optional(FileParameter({ maxBytes: 100_000 })),
  }),
  responses: { 201: Type.Object({}) },
  run: async ({ params: { avatar, file, ...fields } }) => ({
    ...fields,
    ...(avatar !== undefined && {
      avatar: avatar && { ...about(avatar), text: await text(avatar.open()) },
    }),
    ...(file && { file: { ...about(file), text: await text(file.open()), again: await text(file.open()) } }),
  }),
})

function about({ filename, contentType, size }: { filename: string; contentType: string; size: number }) {
  return { filename, contentType, size }
}

interface Part {
  name: string
  filename?: string
  type?: string
  content: string
}

function multipart(...parts: Part[]): string {
  const body = parts.map(
    ({ name, filename, type, content }) =>
      `--${BOUNDARY}\r\ncontent-disposition: form-data; name="${name}"` +
      `${filename === undefined ? '' : `; filename="${filename}"`}\r\n` +
      `${type === undefined ? '' : `content-type: ${type}\r\n`}\r\n${content}\r\n`,
  )
  return `${body.join('')}--${BOUNDARY}--\r\n`
}

const NAME = { name: 'name', content: 'it' }

async function open() {
  const { database } = await openSqlite()
  const api = openApp(database, [upload])
  const { token } = await addPerson(database, 'mary')
  const post = (payload: string, type = MULTIPART) =>
    api.app.inject({
      method: 'POST',
      url: '/api/v4/pictures',
      headers: { 'content-type': type, 'private-token': token },
      payload,
    })
  return { app: api.app, spool: api.spool, post, token }
}

async function filesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (isMissingFile(error)) return []
    throw error
  }
}

test('files arrive with fields, names and types, and are deleted after the response', async () => {
  const { post, spool } = await open()
  const response = await post(
    multipart(
      { name: 'file', filename: 'dir/notes.txt', type: 'text/plain', content: 'one two' },
      NAME,
      { name: 'tags[]', content: 'a' },
      { name: 'avatar', filename: 'me.png', type: 'image/png', content: 'PNG' },
      { name: 'tags[]', content: 'b' },
      { name: 'other', filename: 'x', content: 'nobody asked for it' },
    ),
  )
  expect(response.json()).toEqual({
    name: 'it',
    tags: ['a', 'b'],
    file: { filename: 'notes.txt', contentType: 'text/plain', size: 7, text: 'one two', again: 'one two' },
    avatar: { filename: 'me.png', contentType: 'image/png', size: 3, text: 'PNG' },
  })
  expect(response.statusCode).toBe(201)
  expect(await filesIn(spool)).toEqual([])
})

test('an operation that takes files takes every other body, too', async () => {
  const { post } = await open()
  expect((await post('{"name":"it","avatar":null}', 'application/json')).json()).toEqual({
    name: 'it',
    avatar: null,
  })
  expect((await post('name=it', 'application/x-www-form-urlencoded')).json()).toEqual({ name: 'it' })
  expect((await post(multipart(NAME))).json()).toEqual({ name: 'it' })
})

test.each([
  ['an empty field', { name: 'avatar', content: '' }],
  ['a field that nothing was chosen for', { name: 'avatar', filename: '', content: '' }],
])('%s takes a file away where that is declared', async (_, part) => {
  const { post } = await open()
  expect((await post(multipart(NAME, part))).json()).toEqual({ name: 'it', avatar: null })
})

test.each([
  ['a text', { name: 'file', content: 'text' }],
  ['an empty text', { name: 'file', content: '' }],
])('%s where a file must be is refused', async (_, part) => {
  const { post } = await open()
  const response = await post(multipart(NAME, part))
  expect(response.statusCode).toBe(400)
  expect(response.json()).toEqual({ error: 'file is invalid' })
})

test('a text in the query or in JSON is no file', async () => {
  const { app, post, token } = await open()
  expect((await post('{"name":"it","file":"/etc/passwd"}', 'application/json')).json()).toEqual({
    error: 'file is invalid',
  })
  const response = await app.inject({
    method: 'POST',
    url: '/api/v4/pictures?file=x',
    headers: { 'private-token': token },
    payload: { name: 'it' },
  })
  expect(response.json()).toEqual({ error: 'file is invalid' })
})

test('a file over its own limit is 413, and no data remains', async () => {
  const { post, spool } = await open()
  const part = { name: 'avatar', filename: 'me.png', content: 'x'.repeat(1001) }
  const response = await post(
    multipart({ name: 'file', filename: 'ok.txt', content: 'x'.repeat(1001) }, part, NAME),
  )
  expect(response.statusCode).toBe(413)
  expect(response.json()).toEqual({ message: '413 Request Entity Too Large' })
  expect(await filesIn(spool)).toEqual([])
})

test('other parameters are validated as usual, and the files are deleted after a refusal', async () => {
  const { post, spool } = await open()
  const response = await post(multipart({ name: 'avatar', filename: 'me.png', content: 'PNG' }))
  expect(response.statusCode).toBe(400)
  expect(response.json()).toEqual({ error: 'name is missing' })
  expect(await filesIn(spool)).toEqual([])
})

test.each([
  ['a body that breaks off', multipart(NAME, { name: 'file', filename: 'x', content: 'y' }).slice(0, -30)],
  ['a body that is none', 'hello'],
])('%s is refused and leaves no file', async (_, body) => {
  const { post, spool } = await open()
  const response = await post(body)
  expect(response.statusCode).toBe(400)
  expect(response.json()).toEqual({ error: 'message body does not match declared format' })
  expect(await filesIn(spool)).toEqual([])
})

test('fields together may be no longer than a body without files', async () => {
  const { post } = await open()
  const half = 'x'.repeat(2_500_000)
  const response = await post(multipart({ name: 'name', content: half }, { name: 'more', content: half }))
  expect(response.statusCode).toBe(413)
})

test('a stranger is refused before anything is read', async () => {
  const { app } = await open()
  const address = await app.listen({ host: '127.0.0.1', port: 0 })
  const status = await new Promise((resolve, reject) => {
    const request = httpRequest(`${address}/api/v4/pictures`, {
      method: 'POST',
      headers: { 'content-type': MULTIPART, 'transfer-encoding': 'chunked' },
    })
    request.on('response', (response) => {
      resolve(response.statusCode)
      request.destroy()
    })
    request.on('error', reject)
    // The body never ends.
    request.write(`--${BOUNDARY}\r\n`)
  })
  expect(status).toBe(401)
})

test('old files of a killed coordinator are deleted', async () => {
  const folder = await tempDir()
  const spool = new UploadSpool(folder)
  await spool.save(Readable.from([Buffer.from('x')]), 10)
  expect(await spool.deleteAbandoned(new Date(0))).toBe(0)
  expect(await spool.deleteAbandoned(new Date(Date.now() + 60_000))).toBe(1)
  expect(await filesIn(folder)).toEqual([])
})
