import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import fastify from 'fastify'
import { describe, expect, it } from 'vitest'

import { assetRoutes } from '../../../src/coordinator/pages/asset-routes.js'
import { onFinished } from '../../support/lifetime.js'
import { tempDir } from '../../support/temp-dir.js'

describe('files of the pages', () => {
  it('are sent in the form that the client accepts, to be kept for a year', async () => {
    const app = await serve()
    const plain = await app.inject('/assets/main-1.js')
    const packed = await app.inject({ url: '/assets/main-1.js', headers: { 'accept-encoding': 'gzip' } })
    expect(plain.body).toBe('plain')
    expect(packed.body).toBe('packed')
    expect(packed.headers).toMatchObject({
      'content-type': 'application/javascript; charset=utf-8',
      'content-encoding': 'gzip',
      'cache-control': 'public, max-age=31536000, immutable',
    })
  })

  it.each(['/assets/main-2.js', '/assets/MAIN-1.js', '/assets/..%2Ffavicon.svg', '/assets/.', '/assets/'])(
    '%s is not there',
    async (address) => {
      const app = await serve()
      expect((await app.inject(address)).statusCode).toBe(404)
    },
  )
})

async function serve() {
  const folder = await tempDir()
  await mkdir(join(folder, 'assets'))
  await writeFile(join(folder, 'assets/main-1.js'), 'plain')
  await writeFile(join(folder, 'assets/main-1.js.gz'), 'packed')
  await writeFile(join(folder, 'favicon.svg'), '<svg/>')
  const app = fastify()
  assetRoutes(folder)(app)
  onFinished(() => app.close())
  return app
}
