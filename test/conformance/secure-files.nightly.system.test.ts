import { createHash } from 'node:crypto'

import { expect, test } from 'vitest'

import { openForFile } from '../support/lifetime.js'
import { runPython } from './support/python.js'
import { refusalOf, Service } from './support/service.js'

const opened = openForFile(() => Service.start())

test('python-gitlab keeps secure files', async () => {
  const service = opened()
  const ann = await service.addPerson('ann')
  expect(await runPython('secure_files.py', { url: service.url, token: ann.token })).toEqual({
    names: ['a.jks', 'b.p12'],
    checksum: createHash('sha256').update('\0\x01key').digest('hex'),
    bytes: Buffer.from('\0\x01key').toString('hex'),
    taken: { kind: 'GitlabCreateError', status: 400, message: { name: ['has already been taken'] } },
    deleted: [null, { kind: 'GitlabGetError', status: 404, message: '404 SecureFile Not Found' }],
  })
})

test('@gitbeaker/rest keeps secure files', async () => {
  const service = opened()
  const { gitbeaker: api } = await service.addPerson('bob')
  const { id } = await api.Projects.create({ name: 'It' })
  const file = { content: new Blob(['key']), filename: 'a.jks' }
  const made = await api.SecureFiles.create(id, 'a.jks', file)
  expect(await api.SecureFiles.all(id)).toEqual([made])
  expect(await api.SecureFiles.show(id, String(made.id))).toEqual(made)
  const bytes: unknown = await api.SecureFiles.download(id, made.id)
  expect(bytes instanceof Blob && (await bytes.text())).toBe('key')
  await api.SecureFiles.remove(id, made.id)
  expect(await refusalOf(api.SecureFiles.show(id, String(made.id)))).toEqual({
    status: 404,
    description: '404 SecureFile Not Found',
  })
})
