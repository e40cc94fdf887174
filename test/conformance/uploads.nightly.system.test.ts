import { expect, test } from 'vitest'

import { openForFile } from '../support/lifetime.js'
import { runPython } from './support/python.js'
import { refusalOf, Service } from './support/service.js'

const opened = openForFile(() => Service.start())

test('python-gitlab keeps files and pictures of a project, which are served so that nothing in them runs', async () => {
  const service = opened()
  const ann = await service.addPerson('ann')
  expect(await runPython('uploads.py', { url: service.url, token: ann.token })).toEqual({
    markdown: '![shot](URL)',
    same: true,
    type: 'image/png',
    link: '[note.html](URL)',
    page: ['<script>alert(1)</script>', 'application/octet-stream', 'attachment'],
    face: [true, 'image/png'],
    no_picture: 400,
  })
})

test('@gitbeaker/rest keeps files and pictures of a project', async () => {
  const service = opened()
  const { gitbeaker: api } = await service.addPerson('bob')
  const { id } = await api.Projects.create({ name: 'It' })
  const png = new Blob([Buffer.from('89504e470d0a1a0a00', 'hex')])
  const upload = await api.Projects.uploadForReference(id, { content: png, filename: 'shot.png' })
  expect(upload).toMatchObject({ alt: 'shot', markdown: expect.stringMatching(/^!\[shot\]/) as string })
  const avatar = await api.Projects.uploadAvatar(id, { content: png, filename: 'face.png' })
  expect(avatar).toMatchObject({
    avatar_url: expect.stringMatching(/\/uploads\/-\/system\/project\/avatar\/\d+\/face\.png$/) as string,
  })
  const text = new Blob(['no picture'])
  const refusal = await refusalOf(api.Projects.uploadAvatar(id, { content: text, filename: 'face.png' }))
  expect(refusal.status).toBe(400)
  await api.Projects.removeAvatar(id)
  expect(await api.Projects.show(id)).toMatchObject({ avatar_url: null })
})
