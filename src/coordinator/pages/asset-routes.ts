import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import fastifyStatic from '@fastify/static'
import type { FastifyInstance } from 'fastify'

import { WEB_FOLDER } from './page-files.js'

const YEAR = 31_536_000

/** A worker has the policy of its own file: it loads other files of the pages, and nothing else. */
const WORKER_POLICY = "default-src 'none'; script-src 'self'"

/**
 * Serves the files of the pages below `/assets/`. Their names change with their content, so browsers keep them; packed
 * forms are made by the build.
 */
export function assetRoutes(folder: string = WEB_FOLDER): (app: FastifyInstance) => void {
  return (app) => {
    const assets = join(folder, 'assets')
    const names = new Set(readdirSync(assets))
    void app.register(fastifyStatic, {
      root: assets,
      // Its own routes list the folder for each request, to find how a name is spelled.
      serve: false,
      preCompressed: true,
      index: false,
      dotfiles: 'ignore',
      cacheControl: false,
      setHeaders: (reply) => {
        void reply.header('cache-control', `public, max-age=${YEAR}, immutable`)
        void reply.header('cross-origin-resource-policy', 'same-origin')
        void reply.header('content-security-policy', WORKER_POLICY)
      },
    })
    app.get<{ Params: { name: string } }>('/assets/:name', (request, reply) => {
      const { name } = request.params
      if (names.has(name)) reply.sendFile(name)
      else reply.callNotFound()
    })
    app.get('/favicon.svg', (_request, reply) =>
      reply.header('cache-control', 'public, max-age=86400').sendFile('favicon.svg', folder),
    )
    app.get('/favicon.ico', (_request, reply) => reply.redirect('/favicon.svg', 302))
    app.get('/robots.txt', (_request, reply) =>
      reply.type('text/plain; charset=utf-8').send('User-agent: *\nDisallow: /\n'),
    )
  }
}
